"""The decisions of an event as a sequence: its summaries agree with the single decisions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.kernels.core.decision_view import DecisionView
from shadowtime.kernels.core.simulation import Simulation
from tests.kernels.drive import SETTINGS, simulate
from tests.oracles.jobs import Job, Workload, workloads

PAIR = Workload([Job(0, 5, 2, 5), Job(0, 5, 2, 5)], 3)
"""Two jobs of which one waits."""
CHOSEN = ("easy-arrival", "conservative-arrival", "flex", "dynp", "pbas")


def decided(simulation: Simulation) -> list[DecisionView]:
    """What each event of the whole run decided."""
    views = []
    while simulation.step():
        views.append(simulation.decisions())
    return views


@pytest.mark.parametrize("setting", CHOSEN)
@given(workload=workloads(), most=st.integers(0, 4))
def test_of_many_is_of_each(setting: str, workload: Workload, most: int) -> None:
    for view in decided(simulate(workload, setting)):
        every = list(view)
        assert len(view) == len(every) and view == every and view[:2] == every[:2]
        assert view.jobs() == {job for _, job, _, _ in every if job >= 0}
        assert view.jobless() == [place for place, made in enumerate(every) if made[1] == -1]
        for row in range(-1, len(workload.jobs)):
            assert view.about(row) == [place for place, made in enumerate(every) if made[1] == row]
        for kind in ("start", "backfill", "move", "switch", "no such kind"):
            assert view.of_kinds((kind,)) == any(made[0] == kind for made in every)
        assert view.groups(most) == by_hand(every, most)


def by_hand(
    every: list[tuple[str, int, str, dict[str, int]]], most: int
) -> list[tuple[str, str, list[int], int]]:
    """The groups, one decision after the other."""
    places: dict[tuple[str, str], list[int]] = {}
    for place, (kind, job, code, _) in enumerate(every):
        if job >= 0:
            places.setdefault((kind, code), []).append(place)
    return [(kind, code, found[:most], len(found)) for (kind, code), found in places.items()]


@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads(), portion=st.integers(1, 9), gap=st.integers(0, 20))
def test_however_an_event_is_reached(setting: str, workload: Workload, portion: int, gap: int) -> None:
    """A run does not write what nobody can read any more; what its last event decided is there in full."""
    views = decided(simulate(workload, setting))
    portions, spans, halves = (simulate(workload, setting) for _ in range(3))
    while portions.run(events=portion):
        assert portions.decisions() == views[portions.event - 1]
    while coming := spans.peek():
        assert spans.run(until=coming[0] + gap)
        assert spans.decisions() == views[spans.event - 1]
    halves.run(events=len(views) // 2)
    while halves.step():
        assert halves.decisions() == views[halves.event - 1]
    whole = simulate(workload, setting)
    assert whole.run() == len(views)
    assert whole.decisions() == views[-1]


def test_the_next_event_does_not_change_it() -> None:
    simulation = simulate(PAIR, "easy-arrival")
    first = None
    while first is None or not len(first):
        assert simulation.step()
        first = simulation.decisions()
    before = list(first)
    while simulation.step():
        pass
    assert list(first) == before


def test_places_that_are_none() -> None:
    views = next(found for found in decided(simulate(PAIR, "easy-arrival")) if len(found))
    assert views[-1] == views[len(views) - 1]
    for place in (len(views), -len(views) - 1):
        with pytest.raises(IndexError, match=f"none at {place}"):
            views[place]
