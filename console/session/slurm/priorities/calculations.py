"""When the priorities of a cluster are calculated. Instants are seconds since 1970."""

from shadowtime.scenarios.slurm import Capture


def last_calculation(capture: Capture, now: int) -> int:
    """When the priorities that hold now were calculated."""
    period, first = capture.settings.calculation_period, capture.calculated
    if not period or not first or now < first:
        return first
    return now - (now - first) % period
