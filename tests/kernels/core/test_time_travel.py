"""A simulation is a value: it can be put back, forked and run in any portions, to the byte."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.drive import SETTINGS, events, finished, observe, simulate
from tests.oracles.jobs import Workload, workloads

STARTS = {"start", "backfill", "preempt", "resume"}


@pytest.mark.proof
@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads(8), data=st.data())
def test_forward_and_back_is_the_identity(setting: str, workload: Workload, data: st.DataObject) -> None:
    """From any position to any other, in mid-instant too, all is there as a straight run has it."""
    simulation, count = simulate(workload, setting), len(workload.jobs)
    straight, copies, decided = [observe(simulation, count)], [simulation.copy()], [simulation.decisions()]
    for _ in events(simulation):
        straight.append(observe(simulation, count))
        copies.append(simulation.copy())
        decided.append(simulation.decisions())
    places = st.integers(0, len(straight) - 1)
    for place in data.draw(st.lists(places, min_size=1, max_size=6)):
        simulation.restore(copies[place])
        assert observe(simulation, count) == straight[place]
        for later in range(place + 1, min(place + data.draw(places), len(straight) - 1) + 1):
            assert simulation.step()
            assert observe(simulation, count) == straight[later]
            assert simulation.decisions() == decided[later]


@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads(8))
def test_a_copy_knows_its_position(setting: str, workload: Workload) -> None:
    """A copy has the event and the instant at which it was made, and its size in bytes."""
    simulation = simulate(workload, setting)
    for _ in events(simulation):
        copy = simulation.copy()
        assert (copy.event, copy.now) == (simulation.event, simulation.now)
        assert copy.size > 0


@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads(8), data=st.data())
def test_a_fork_is_independent(setting: str, workload: Workload, data: st.DataObject) -> None:
    """What happens in a fork leaves no trace in the original, nor the other way round; both end alike."""
    simulation, count = simulate(workload, setting), len(workload.jobs)
    total = finished(workload, setting).event
    simulation.run(events=data.draw(st.integers(0, total)))
    fork, before = simulation.fork(), observe(simulation, count)
    assert observe(fork, count) == before
    fork.run()
    assert observe(simulation, count) == before
    second = simulation.fork()
    simulation.run()
    assert observe(second, count) == before
    assert observe(simulation, count) == observe(fork, count)
    assert fork.results() == simulation.results()


@pytest.mark.proof
@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads(8), data=st.data())
def test_a_copy_of_a_fork_is_a_place_to_go(setting: str, workload: Workload, data: st.DataObject) -> None:
    """A fork that ran ahead lays copies into which its origin can jump, and all is there."""
    simulation, count = simulate(workload, setting), len(workload.jobs)
    total = finished(workload, setting).event
    simulation.run(events=data.draw(st.integers(0, total)))
    ahead = simulation.fork()
    ahead.run(events=data.draw(st.integers(0, total)))
    copy, there = ahead.copy(), observe(ahead, count)
    ahead.run(events=data.draw(st.integers(0, total)))
    simulation.restore(copy)
    assert observe(simulation, count) == there
    simulation.run()
    ahead.run()
    assert observe(simulation, count) == observe(ahead, count)


@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads(8), portion=st.integers(1, 7))
def test_running_so_many_events_is_stepping(setting: str, workload: Workload, portion: int) -> None:
    """run(events=n) is n steps, and fewer only at the end."""
    stepped, run = simulate(workload, setting), simulate(workload, setting)
    while not stepped.over:
        steps = sum(stepped.step() for _ in range(portion))
        assert run.run(events=portion) == steps
        assert run.digest() == stepped.digest()
    assert run.over
    assert run.run(events=portion) == 0


@pytest.mark.proof
@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads(8), gaps=st.lists(st.integers(0, 9), min_size=1, max_size=8))
def test_running_until_an_instant_is_stepping(setting: str, workload: Workload, gaps: list[int]) -> None:
    """run(until=t) does every event up to t, t's own and its pass included, and none after it."""
    stepped, run = simulate(workload, setting), simulate(workload, setting)
    until = workload.jobs[0].submit - 1
    for gap in gaps:
        until += gap
        steps = 0
        while (upcoming := stepped.peek()) is not None and upcoming[0] <= until:
            steps += stepped.step()
        assert run.run(until=until) == steps
        assert run.digest() == stepped.digest()


@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads(8), portion=st.integers(1, 3))
def test_running_to_decisions_is_stepping(setting: str, workload: Workload, portion: int) -> None:
    """run(decisions=n) stops after the n-th event that started a job, and at the end when there is none."""
    stepped, run = simulate(workload, setting), simulate(workload, setting)
    while not stepped.over:
        steps = deciding = 0
        while deciding < portion and stepped.step():
            steps += 1
            deciding += any(kind in STARTS for kind, *_ in stepped.decisions())
        assert run.run(decisions=portion) == steps
        assert run.digest() == stepped.digest()


@pytest.mark.parametrize("setting", SETTINGS)
@given(workload=workloads(8))
def test_the_end_is_the_end(setting: str, workload: Workload) -> None:
    """A simulation that is over steps no further and changes no more."""
    simulation = finished(workload, setting)
    digest = simulation.digest()
    assert simulation.peek() is None
    assert not simulation.step()
    assert simulation.run() == 0
    assert simulation.digest() == digest
