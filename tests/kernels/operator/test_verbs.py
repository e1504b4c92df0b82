"""The verbs that policies with preemption stand on: states, progress, transfers, nodes."""

from array import array

from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.kernels.handles import Verbs

SWAPPED_OUT, LOADED = EVENT_NAMES.index("swapped_out"), EVENT_NAMES.index("loaded")


def simulation(*rows: tuple[int, int, int, int], nodes: int = 8) -> Simulation:
    """FCFS on rows of (submit, runtime, size, estimate)."""
    submit, runtime, size, estimate = (array("q", column) for column in zip(*rows, strict=True))
    return Simulation(
        Jobs(submit=submit, runtime=runtime, size=size, estimate=estimate), nodes, make("fcfs", {})
    )


def test_a_preempted_job_keeps_its_progress() -> None:
    """Stopped after 4 of 10 seconds, queued first, started again at 9: done at 15, having waited 5."""
    run = simulation((0, 10, 8, 12), (4, 5, 8, 5))
    verbs = Verbs(run)
    run.run(until=3)
    assert run.state(0) == "R"
    run.step()
    verbs.stop(0, "O")
    assert (run.free, verbs.progress(0), run.end_of(0)) == (0, 4, None)
    verbs.vacate(0)
    verbs.requeue(0, 1)
    assert (run.state(0), list(run.waiting()), run.free) == ("O", [1, 0], 8)
    assert run.preemptions(0) == 1
    run.run(until=9)
    assert (run.state(0), run.start_of(0), run.end_of(0), verbs.waited(0)) == ("R", 0, 9 + 12 - 4, 5)
    run.run()
    assert (run.finish_of(0), run.finish_of(1)) == (15, 9)
    metrics = run.metrics()
    assert metrics["mean_wait"] == (5 + 0) / 2
    assert metrics["preempt_ratio"] == 0.5
    assert metrics["mean_response"] == (15 + 5) / 2
    assert metrics["utilization"] == 1


def test_a_transfer_holds_its_nodes_until_it_is_done() -> None:
    """A job that is saved keeps its nodes (o) until the event; then it is O and they are free."""
    run = simulation((0, 10, 5, 10), (3, 1, 8, 1))
    verbs = Verbs(run)
    run.run(until=2)
    verbs.stop(0, "o")
    verbs.transfer(0, "o", SWAPPED_OUT, 7)
    run.run(until=6)
    assert (run.state(0), run.free, run.state(1)) == ("o", 3, "N")
    assert run.owners().count(0) == 5
    run.step()
    assert (run.now, EVENT_NAMES[run.last[1]] if run.last else "", run.state(0), run.free) == (
        7,
        "swapped_out",
        "O",
        8,
    )
    run.run(until=7)
    assert run.state(1) == "R"


def test_a_job_that_is_loaded_starts_when_it_is_done() -> None:
    """Nodes are assigned (W), the job is loaded (i), and its start is the first instant of R."""
    run = simulation((0, 10, 5, 10), (2, 4, 3, 4), (2, 1, 8, 1))
    verbs = Verbs(run)
    run.run(until=1)
    run.step()
    verbs.assign(1)
    assert (run.state(1), run.free, run.start_of(1)) == ("W", 0, None)
    verbs.transfer(1, "i", LOADED, 6)
    assert run.state(1) == "i"
    run.run(until=6)
    assert (run.state(1), run.start_of(1), run.nodes_of(1)) == ("R", 6, [(5, 3)])
    run.run()
    assert (run.finish_of(1), run.start_of(2)) == (10, 10)


def test_copies_hold_interrupted_jobs() -> None:
    """With jobs saved, in transfer and waiting for what is left of them, forward and back is the identity."""
    run = simulation((0, 10, 4, 12), (0, 9, 4, 9), (1, 5, 8, 5), (2, 3, 2, 3))
    verbs = Verbs(run)
    run.run(until=2)
    verbs.stop(0, "O")
    verbs.vacate(0)
    verbs.requeue(0, 0)
    verbs.stop(1, "o")
    verbs.transfer(1, "o", SWAPPED_OUT, 8)
    here, copy = run.digest(), run.copy()
    run.run()
    there = run.digest()
    run.restore(copy)
    assert run.digest() == here
    assert [run.state(job) for job in range(4)] == ["O", "o", "N", "N"]
    run.run()
    assert run.digest() == there
