"""What a run has added up to by an instant at which nothing may happen."""

from shadowtime.kernels.core.simulation import Simulation


def sums_before(simulation: Simulation, instant: int) -> tuple[float, float]:
    """Return the node-seconds that jobs ran, and the seconds that jobs waited, before an instant.

    The sums end with the last event; what runs and waits then does so until the instant.
    """
    sums, _, _ = simulation.tally()
    late = instant - simulation.now
    return sums["busy"] + late * sums["busy_nodes"], sums["queued"] + late * sums["queue_length"]
