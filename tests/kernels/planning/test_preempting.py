"""The schedulers that stop running jobs agree with their naive programs and keep account of every second."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.amount import many
from tests.kernels.drive import PASS, events, observe
from tests.kernels.handles import Verbs
from tests.kernels.planning.preempting import CHECKPOINT, STOPPING, delay_of, restart_of, simulate, table
from tests.oracles.jobs import (
    Workload,
    crowded_workload,
    exact,
    jammed_workload,
    random_workload,
    workloads,
)
from tests.oracles.space.easy import easy

Make = Callable[[random.Random], Workload]
KINDS: list[tuple[Make, int]] = [(random_workload, 800), (crowded_workload, 12), (jammed_workload, 1)]


def check(workload: Workload, setting: str) -> int:
    """Starts, finishes, preemptions and the sums of waits are those of the naive program; how many stop."""
    outcome = STOPPING[setting].naive(workload.jobs, workload.nodes)
    simulation = simulate(workload, setting)
    simulation.run()
    assert simulation.over
    results, metrics, count = simulation.results(), simulation.metrics(), len(workload.jobs)
    assert list(results["start"]) == outcome.starts
    assert list(results["finish"]) == outcome.finishes
    assert list(results["preemptions"]) == outcome.preemptions
    assert metrics["mean_wait"] == sum(outcome.waits) / count
    lengths = [max(job.runtime, 10) for job in workload.jobs]
    slowdowns = [(wait + length) / length for wait, length in zip(outcome.waits, lengths, strict=True)]
    assert metrics["mean_bounded_slowdown_n12"] == pytest.approx(sum(slowdowns) / count)
    assert metrics["preempt_ratio"] == sum(times > 0 for times in outcome.preemptions) / count
    return sum(outcome.preemptions)


@pytest.mark.proof
@pytest.mark.parametrize("setting", STOPPING)
def test_random_workloads(setting: str) -> None:
    """Ties abound in most of them; in some the queue is long, in one all jobs wait; hundreds of jobs stop."""
    rng = random.Random(2012)
    stopped = sum(check(make_one(rng), setting) for make_one, count in KINDS for _ in range(count))
    assert stopped > 500


@pytest.mark.proof
@pytest.mark.parametrize("setting", ["checkpoint-once", "checkpoint-memory", "checkpoint-memory-twice"])
def test_a_crowd_stops_often(setting: str) -> None:
    """Where dozens of jobs wait a limit is reached; where few do, hardly any job is stopped twice."""
    rng = random.Random(12)
    assert sum(check(crowded_workload(rng), setting) for _ in range(100)) > 300


@pytest.mark.proof
@pytest.mark.parametrize("setting", STOPPING)
@pytest.mark.parametrize(
    ("make_one", "count"),
    [(random_workload, 20_000), (crowded_workload, 400), (jammed_workload, 20)],
)
def test_many_more_random_workloads(make_one: Make, count: int, setting: str) -> None:
    """The same, with other seeds, until it is a proof for practical purposes."""
    rng = random.Random(2005)
    for _ in range(many(count)):
        check(make_one(rng), setting)


@pytest.mark.proof
@pytest.mark.parametrize("setting", STOPPING)
@given(workload=workloads())
def test_the_smallest_disagreement(setting: str, workload: Workload) -> None:
    """The same once more, by examples that shrink to the smallest workload on which the two differ."""
    check(workload, setting)


@given(workload=workloads(), overhead=st.integers(0, 9))
def test_uncut_estimates_give_the_classical_schedule(workload: Workload, overhead: int) -> None:
    """With p = 1 nobody overruns a prediction, so nobody stops, whatever that would cost."""
    parameters = {"p": 1, "threshold": 0, "delay": overhead, "extend": overhead}
    simulation = Simulation(table(workload.jobs), workload.nodes, make("checkpoint", parameters))
    simulation.run()
    assert list(simulation.results()["start"]) == easy(*workload)
    assert simulation.metrics()["preempt_ratio"] == 0


@pytest.mark.proof
@pytest.mark.parametrize("setting", STOPPING)
@given(workload=workloads(8), data=st.data())
def test_forward_and_back_is_the_identity(setting: str, workload: Workload, data: st.DataObject) -> None:
    """With jobs stopped, queued again and held for their run, all is there as a straight run has it."""
    simulation, count = simulate(workload, setting), len(workload.jobs)
    straight, copies, decided = [shown(simulation, count)], [simulation.copy()], [simulation.decisions()]
    for _ in events(simulation):
        straight.append(shown(simulation, count))
        copies.append(simulation.copy())
        decided.append(simulation.decisions())
    places = st.integers(0, len(straight) - 1)
    for place in data.draw(st.lists(places, min_size=1, max_size=4)):
        simulation.restore(copies[place])
        assert shown(simulation, count) == straight[place]
        for later in range(place + 1, min(place + data.draw(places), len(straight) - 1) + 1):
            assert simulation.step()
            assert shown(simulation, count) == straight[later]
            assert simulation.decisions() == decided[later]


def shown(simulation: Simulation, count: int) -> dict[str, object]:
    """All that the simulation shows, with what the policy keeps in its own terms."""
    terms = [simulation.terms(job) for job in range(count)]
    stops = [simulation.preemptions(job) for job in range(count)]
    return {**observe(simulation, count), "status": simulation.status(), "terms": terms, "stops": stops}


@pytest.mark.parametrize("setting", STOPPING)
@given(workload=workloads(8), data=st.data())
def test_a_fork_ends_like_its_origin(setting: str, workload: Workload, data: st.DataObject) -> None:
    """Wherever it is taken, and neither leaves a trace in the other."""
    simulation, count = simulate(workload, setting), len(workload.jobs)
    simulation.run(events=data.draw(st.integers(0, 40)))
    before, fork = shown(simulation, count), simulation.fork()
    fork.run()
    assert shown(simulation, count) == before
    simulation.run()
    assert shown(simulation, count) == shown(fork, count)


@pytest.mark.parametrize("setting", STOPPING)
@given(workload=workloads())
def test_no_second_is_lost(setting: str, workload: Workload) -> None:
    """At every event progress and what is left add up to the estimate, and nodes to the machine."""
    simulation, jobs = simulate(workload, setting), workload.jobs
    verbs = Verbs(simulation)
    for _ in events(simulation):
        states = [simulation.state(job) for job in range(len(jobs))]
        held = sum(job.size for job, state in zip(jobs, states, strict=True) if state in ("R", "W"))
        assert simulation.free + held == workload.nodes
        owners = simulation.owners()
        for index, job in enumerate(jobs):
            assert owners.count(index) == (job.size if states[index] in ("R", "W") else 0)
            if states[index] == "O":
                done = verbs.progress(index)
                assert 0 <= done < job.runtime
                terms = {key: simulation.terms(index)[key] for key in ("done", "left")}
                assert terms == {"done": done, "left": job.estimate - done}
            elif states[index] == "R":
                lead = restart_of(setting, job.size) if simulation.preemptions(index) else 0
                since, end = simulation.since(index), simulation.end_of(index)
                assert since is not None
                assert end == since + lead + job.estimate - verbs.progress(index)


@pytest.mark.parametrize("setting", [*CHECKPOINT, "maui-preempt"])
@given(workload=workloads())
def test_a_response_is_wait_and_runtime_and_overhead(setting: str, workload: Workload) -> None:
    """What is neither is T_extend, counted as waste with the nodes that heads hold before they run."""
    simulation, jobs = simulate(workload, setting), workload.jobs
    outcome = STOPPING[setting].naive(*workload)
    held, before = 0, {}
    for now, _, _ in events(simulation):
        for index in range(len(jobs)):
            state = simulation.state(index)
            if state == "W":
                before[index] = simulation.since(index)
            elif index in before:
                begun = before.pop(index)
                assert begun is not None
                held += (now - begun) * jobs[index].size
    lost = 0
    for index, job in enumerate(jobs):
        late = outcome.finishes[index] - job.submit - outcome.waits[index] - job.runtime
        assert late <= outcome.preemptions[index] * restart_of(setting, job.size)
        lost += late * job.size
    sums = simulation.tally()[0]
    assert sums["wasted"] == lost + held


@pytest.mark.proof
@pytest.mark.parametrize("setting", STOPPING)
@given(workload=workloads(9))
def test_a_forecast_predicts_the_next_run(setting: str, workload: Workload) -> None:
    """With exact estimates and nobody to come, every job that does not run yet, or not now, runs then."""
    simulation = simulate(Workload(exact(workload.jobs), workload.nodes), setting)
    count, forecasts, runs = len(workload.jobs), [], []
    states = ["" for _ in range(count)]
    for now, _, _ in events(simulation):
        for job in range(count):
            state = simulation.state(job)
            if state == "R" and states[job] != "R":
                runs.append((simulation.event, job, now))
            states[job] = state
        if simulation.submitted == count:
            forecast = simulation.forecast()
            forecast.run()
            unstarted = [job for job in simulation.held() if simulation.start_of(job) is None]
            forecasts.append((simulation.event, [*simulation.waiting(), *unstarted], forecast.starts()))
    for event, waiting, starts in forecasts:
        assert starts == {
            job: next(now for at, other, now in runs if other == job and at > event) for job in waiting
        }


@pytest.mark.parametrize("setting", STOPPING)
@given(workload=workloads())
def test_nobody_stops_but_for_a_head_that_starts(setting: str, workload: Workload) -> None:
    """Who stops ran until now; the largest stop first; then the head starts, with what they freed."""
    simulation, jobs = simulate(workload, setting), workload.jobs
    running: set[int] = set()
    ran: set[int] = set()
    for now, kind, _ in events(simulation):
        stopped: list[tuple[int, dict[str, int]]] = []
        for what, job, code, numbers in simulation.decisions():
            assert kind == PASS
            if what == "preempt":
                assert code == "preempted_for"
                assert job in running
                assert (numbers["size"], numbers["left"]) == (
                    jobs[job].size,
                    jobs[job].estimate - numbers["done"],
                )
                stopped.append((job, numbers))
                continue
            if what == "reserve":
                continue
            assert (what == "resume") == (job in ran)
            ran.add(job)
            assert (code == "after_preemption") == bool(stopped)
            if stopped:
                assert {numbers["head"] for _, numbers in stopped} == {job}
                sizes = [jobs[other].size for other, _ in stopped]
                assert sizes == sorted(sizes, reverse=True)
                assert (numbers["stopped"], numbers["freed"]) == (len(stopped), sum(sizes))
                assert numbers["free"] >= numbers["needs"] > numbers["free"] - sizes[-1]
                assert numbers["at"] == now + delay_of(setting, sizes)
                stopped.clear()
        running = set(simulation.running())
        assert not stopped
