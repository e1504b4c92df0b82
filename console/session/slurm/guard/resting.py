"""Which rows of a plan rest on rows whose start is marked: they are marked, too."""

from collections.abc import Mapping, Sequence

from shadowtime.console.session.slurm.problem import problem
from shadowtime.console.session.slurm.queue import Waiting
from shadowtime.kernels.slurm import Place, run_cycle
from shadowtime.scenarios.slurm import Capture


def resting(
    capture: Capture, entries: Sequence[Waiting], places: Sequence[Place], marked: Sequence[bool], now: int
) -> Mapping[int, int]:
    """Return the place of each row that rests on a marked one -> the place of that row.

    It comes on nodes after a marked row before it in the queue that has them, or the plan without the entries
    of the marked rows has it elsewhere or at another time.
    """
    holders = [place for place, one in enumerate(places) if marked[place] and one.nodes]
    if not holders or all(marked):
        return {}
    moved = _moved(capture, entries, places, {places[place].entry for place in holders}, now)
    found: dict[int, int] = {}
    before: list[int] = []
    for place, row in enumerate(places):
        if marked[place]:
            before += [place] if row.nodes else []
            continue
        on = next((one for one in reversed(before) if _follows(row, places[one])), None)
        if on is None and place in moved and before:
            on = before[-1]
        if on is not None:
            found[place] = on
            before += [place] if row.nodes else []
    return found


def _follows(row: Place, other: Place) -> bool:
    """Whether a row comes after another on nodes of that one."""
    return (
        row.start is not None
        and other.start is not None
        and row.start > other.start
        and bool(row.nodes & other.nodes)
    )


def _moved(
    capture: Capture, entries: Sequence[Waiting], places: Sequence[Place], without: set[int], now: int
) -> set[int]:
    """The rows that are others in the plan without some entries."""
    kept = [entry for entry in range(len(entries)) if entry not in without]
    cycle = run_cycle(problem(capture, [entries[entry] for entry in kept], now))
    alone: dict[tuple[int, int], Place] = {}
    tries: dict[int, int] = {}
    for row in cycle.places:
        entry = kept[row.entry]
        tries[entry] = tries.get(entry, -1) + 1
        alone[entry, tries[entry]] = row
    moved, tries = set(), {}
    for place, row in enumerate(places):
        tries[row.entry] = tries.get(row.entry, -1) + 1
        other = alone.get((row.entry, tries[row.entry]))
        if other is not None and (row.outcome, row.start, row.nodes) != (
            other.outcome,
            other.start,
            other.nodes,
        ):
            moved.add(place)
    return moved
