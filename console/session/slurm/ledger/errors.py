"""How far forecasts were off: by horizon, by partition, by size, beside Slurm's own expected starts.

The error of a forecast is the start less the forecast start, in seconds: above 0 the job started late. Ours
and Slurm's are compared on the same forecasts, those for which both gave a start and the job has started.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import attrs

from shadowtime.console.session.jobs.classes import LARGEST, SIZES, size_class
from shadowtime.console.session.slurm.ledger.store import GONE, LedgerEntry, between

NEAR = 60
"""Seconds within which a start is neither early nor late."""
MINUTE, HOUR = 60, 3600
HORIZONS = ((5 * MINUTE, "< 5m"), (30 * MINUTE, "< 30m"), (2 * HOUR, "< 2h"), (8 * HOUR, "< 8h"))
QUANTILES = (0.1, 0.5, 0.9)


@attrs.frozen
class Side:
    """The errors of ours, or of Slurm's, in one group."""

    quantiles: tuple[int, ...]
    """Of the error in seconds, at `QUANTILES`; empty without forecasts."""
    median: int | None
    """Of the size of the error."""
    early: float
    """Share of the jobs that started more than `NEAR` seconds before the forecast."""
    late: float


@attrs.frozen
class ForecastClass:
    """The forecasts of one class."""

    name: str
    forecasts: int
    settled: int
    """Forecasts whose job has started."""
    gone: int
    """Forecasts whose job left without a start that was seen."""
    both: int
    """Settled forecasts for which Slurm gave a start too."""
    ours: Side
    slurm: Side
    """Over `both`, as `ours_there`."""
    ours_there: Side
    odds: int
    """Forecasts of `both` with a likely start; over these are the following."""
    likely: Side
    ours_beside: Side
    slurm_beside: Side
    held: float | None
    """Share of the starts between the early and the late one, as shown and as sampled; None without odds."""
    held_raw: float | None


def horizon_of(entry: LedgerEntry) -> str:
    """The class of how long ahead a start was forecast, by ours or else by Slurm's."""
    start = entry.start if entry.start is not None else entry.slurm_start
    ahead = (start or entry.made) - entry.made
    return next((name for bound, name in HORIZONS if ahead < bound), ">= 8h")


GROUPS: Mapping[str, Callable[[LedgerEntry], str]] = {
    "horizon": horizon_of,
    "partition": lambda entry: entry.partition,
    "size": lambda entry: size_class(entry.size),
}
_ORDERS: Mapping[str, Sequence[str]] = {
    "horizon": (*(name for _, name in HORIZONS), ">= 8h"),
    "size": (*(name for _, name in SIZES), LARGEST),
}


def groups(entries: Iterable[LedgerEntry], by: str) -> tuple[ForecastClass, ...]:
    """Return the groups in order, and last all of them together."""
    classes: dict[str, list[LedgerEntry]] = {}
    everything = list(entries)
    for entry in everything:
        classes.setdefault(GROUPS[by](entry), []).append(entry)
    order = _ORDERS.get(by) or sorted(classes)
    return (*(_group(name, classes[name]) for name in order if name in classes), _group("all", everything))


def _group(name: str, entries: Sequence[LedgerEntry]) -> ForecastClass:
    ours = [entry for entry in entries if entry.error is not None]
    both = [entry for entry in ours if entry.slurm_error is not None]
    odds = [entry for entry in both if entry.likely_error is not None]
    return ForecastClass(
        name=name,
        forecasts=len(entries),
        settled=len(ours),
        gone=sum(entry.settled == GONE for entry in entries),
        both=len(both),
        ours=_side([entry.error for entry in ours]),
        slurm=_side([entry.slurm_error for entry in both]),
        ours_there=_side([entry.error for entry in both]),
        odds=len(odds),
        likely=_side([entry.likely_error for entry in odds]),
        ours_beside=_side([entry.error for entry in odds]),
        slurm_beside=_side([entry.slurm_error for entry in odds]),
        held=_held((entry.early, entry.began, entry.late) for entry in odds),
        held_raw=_held((entry.p10, entry.began, entry.p90) for entry in odds),
    )


def _held(found: Iterable[tuple[int | None, int | None, int | None]]) -> float | None:
    """The share of starts between two instants."""
    held = [between(*each) for each in found]
    return sum(held) / len(held) if held else None


def _side(errors: Iterable[int | None]) -> Side:
    found = sorted(error for error in errors if error is not None)
    if not found:
        return Side((), None, 0.0, 0.0)
    count = len(found)
    return Side(
        quantiles=tuple(_quantile(found, share) for share in QUANTILES),
        median=_quantile(sorted(map(abs, found)), 0.5),
        early=sum(error < -NEAR for error in found) / count,
        late=sum(error > NEAR for error in found) / count,
    )


def _quantile(ascending: Sequence[int], share: float) -> int:
    """The least value that at least this share of the values does not exceed."""
    place = -(-round(share * len(ascending) * 1000) // 1000)
    return ascending[min(len(ascending), max(1, place)) - 1]
