"""Who had which nodes, as the kernel writes it down, agrees with a naive look after every event."""

import random
from array import array
from collections.abc import Callable, Iterable
from itertools import pairwise

import pytest

from shadowtime.kernels.charts.bars import Expectation, Recorder, Stretches, stretches
from shadowtime.kernels.charts.cells import Grid
from shadowtime.kernels.core.jobs import Jobs
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.kernels.policies import make
from tests.kernels.drive import SETTINGS, simulate
from tests.kernels.planning.preempting import STOPPING
from tests.kernels.planning.preempting import simulate as simulate_stopping
from tests.oracles.jobs import Workload, crowded_workload, random_workload

Held = set[tuple[int, int, int, str]]
"""(node, instant, job, state): one entry for every second that a job holds a node."""

ALWAYS = 10**9


def naive(simulation: Simulation, since: int, until: int) -> Held:
    """Look at `owners()` after every event; what was seen lasts until the next one."""
    found: Held = set()
    before, owners, states = since, simulation.owners(), _states(simulation)
    while True:
        upcoming = simulation.peek()
        now = until if upcoming is None else min(upcoming[0], until)
        for second in range(max(before, since), now):
            found |= {(node, second, job, states[job]) for node, job in enumerate(owners) if job != -1}
        if upcoming is None or upcoming[0] >= until:
            return found
        simulation.step()
        before, owners, states = now, simulation.owners(), _states(simulation)


def _states(simulation: Simulation) -> dict[int, str]:
    return {-2: "X"} | {job: simulation.state(job) for job in simulation.owners() if job >= 0}


def seconds(stretches: Iterable[tuple[int, int, int, int, int, str]]) -> Held:
    """Stretches as single seconds of single nodes; none may stand twice."""
    listed = [
        (node, second, job, kind)
        for job, first, count, since, until, kind in stretches
        for node in range(first, first + count)
        for second in range(since, until)
    ]
    assert len(listed) == len(set(listed))
    return set(listed)


def recorded(simulation: Simulation, since: int, until: int, events: int = 1 << 40) -> list[Stretches]:
    """Record in pieces of so many events."""
    recorder = Recorder(simulation)
    recorder.begin(since)
    pieces = []
    going = True
    while going:
        going = not recorder.record(until, events)
        pieces.append(recorder.take())
    assert recorder.until == until
    return pieces


MAKERS: dict[str, Callable[[Workload, str], Simulation]] = {
    **dict.fromkeys(("fcfs", "easy-arrival", "conservative-arrival", "flex", "dynp", "pbas"), simulate),
    **dict.fromkeys(("checkpoint-overhead", "checkpoint-slow", "maui-preempt"), simulate_stopping),
}
assert set(MAKERS) <= set(SETTINGS) | set(STOPPING)


@pytest.mark.proof
@pytest.mark.parametrize("setting", MAKERS)
def test_every_second_of_every_node_is_written_down_once(setting: str) -> None:
    """Random workloads, stopped and loaded jobs among them, from any instant to any other, in any pieces."""
    rng = random.Random(1997)
    seen = 0
    for _ in range(40):
        workload = random_workload(rng)
        whole = MAKERS[setting](workload, setting)
        whole.run()
        last = whole.now
        since = rng.randint(-2, last)
        until = rng.randint(since, last + 3)
        pieces = recorded(MAKERS[setting](workload, setting), since, until, rng.randint(1, 9))
        assert pieces[0].since == since and pieces[-1].until == until
        edges = [(one.until, other.since) for one, other in pairwise(pieces)]
        assert all(end == begin for end, begin in edges)
        past = MAKERS[setting](workload, setting)
        past.run(until=since)
        expected = naive(past, since, until)
        assert seconds(row for piece in pieces for row in piece.rows()) == expected
        seen += len(expected)
    assert seen > 1000


def test_nodes_that_are_held_for_a_run_differ_from_those_that_run() -> None:
    rng = random.Random(3)
    kinds: set[str] = set()
    for _ in range(30):
        simulation = simulate_stopping(random_workload(rng), "checkpoint-slow")
        for piece in recorded(simulation, -1, 500):
            kinds |= {kind for *_, kind in piece.rows()}
    assert kinds == {"R", "W"}


def test_recording_goes_on_from_where_it_stands_and_begins_anew_from_a_copy() -> None:
    simulation = simulate(random_workload(random.Random(5)), "easy-arrival")
    start = simulation.copy()
    recorder = Recorder(simulation.fork())
    recorder.begin(0, start)
    assert recorder.record(7, 1000)
    first = recorder.take()
    assert recorder.record(15, 1000)
    second = recorder.take()
    assert (first.since, first.until, second.since, second.until) == (0, 7, 7, 15)
    assert second.event >= first.event
    recorder.begin(0, start)
    assert recorder.record(15, 1000)
    again = recorder.take()
    assert seconds(again.rows()) == seconds([*first.rows(), *second.rows()])
    assert not recorder.record(ALWAYS, 3) and recorder.until < ALWAYS
    assert recorder.record(ALWAYS, 1 << 40)
    assert recorder.take().until == ALWAYS


@pytest.mark.parametrize("every", [1, 2, 5])
def test_a_leap_to_a_copy_records_what_a_step_does(every: int) -> None:
    """Every so many events of the run are taken by copies."""
    simulation = simulate(crowded_workload(random.Random(every)), "easy-arrival")
    steps, leaps = Recorder(simulation.fork()), Recorder(simulation.fork())
    for recorder in (steps, leaps):
        recorder.begin(-1)
    while simulation.step():
        steps.record(1 << 40, 1)
        if leaps.event % every == 0:
            leaps.leap(simulation.copy())
        else:
            leaps.record(1 << 40, 1)
        assert leaps.event == steps.event and leaps.until == steps.until
    found = [recorder.take().rows() for recorder in (steps, leaps)]
    assert found[0] == found[1] and len(found[0]) > 10


def test_recording_looks_up_after_so_many_stretches() -> None:
    simulation = simulate(crowded_workload(random.Random(8)), "easy-arrival")
    recorder = Recorder(simulation)
    recorder.begin(0)
    pieces = 0
    while not recorder.record(ALWAYS, 1 << 40, 10):
        assert recorder.take().count <= 10 + 2 * simulation.nodes
        pieces += 1
    assert pieces > 5


def machine_of(*jobs: tuple[int, int, int, int], nodes: int = 8) -> Simulation:
    """Jobs of (submit, runtime, estimate, size) under EASY, after all that happens at second 0."""
    submit, runtime, estimate, size = (array("q", column) for column in zip(*jobs, strict=True))
    table = Jobs(submit=submit, runtime=runtime, estimate=estimate, size=size)
    simulation = Simulation(table, nodes, make("easy", {}))
    simulation.run(until=0)
    return simulation


def test_what_runs_is_held_to_its_estimate_and_who_waits_gets_the_lowest_idle_nodes() -> None:
    """Job 0 has nodes 0-3 to 10, job 1 4-5 to 30; job 2 needs five at 10: 0-3 and 6; job 3 two at 40."""
    simulation = machine_of((0, 5, 10, 4), (0, 20, 30, 2), (0, 9, 30, 5), (0, 5, 5, 8))
    assert list(simulation.owners()) == [0, 0, 0, 0, 1, 1, -1, -1]
    expectation = Expectation(simulation, [3, 2, 0], [40, 10, 0])
    expectation.place()
    assert expectation.standing.rows() == [(0, 0, 4, 0, 10, "."), (1, 4, 2, 0, 30, ".")]
    assert expectation.made.rows() == [(2, 0, 4, 10, 40, "~"), (2, 6, 1, 10, 40, "~"), (3, 0, 8, 40, 45, "~")]
    assert expectation.unplaced == 0


def test_who_finds_no_room_is_left_out_and_counted() -> None:
    simulation = machine_of((0, 5, 10, 4), (0, 20, 30, 2), (0, 9, 30, 5))
    expectation = Expectation(simulation, [2], [9])
    expectation.place()
    assert expectation.made.rows() == [] and expectation.unplaced == 1


def test_places_agree_with_where_jobs_run_if_all_last_as_estimated() -> None:
    """Where estimates are true and nothing more comes, the expected nodes are those that the jobs get."""
    rng = random.Random(12)
    placed = 0
    for _ in range(60):
        drawn = random_workload(rng)
        exact = [job._replace(runtime=job.estimate, submit=0) for job in drawn.jobs]
        simulation = simulate(Workload(exact, drawn.nodes), "easy-arrival")
        simulation.run(until=0)
        forecast = simulation.forecast()
        forecast.run()
        starts = forecast.starts()
        expectation = Expectation(simulation, list(starts), starts.values())
        expectation.place()
        assert expectation.unplaced == 0
        rows = [row[:5] for row in (*expectation.standing.rows(), *expectation.made.rows())]
        truth = [row[:5] for row in recorded(simulation, 0, ALWAYS)[0].rows()]
        assert sorted(rows) == sorted(truth)
        placed += len(starts)
    assert placed > 100


def brute(rows: list[tuple[int, int, int, int, int, str]], area: tuple[range, range]) -> tuple[set[int], int]:
    """(jobs that may stand for a cell, -3 for nobody, -1 idle; eighths taken).

    One that has more than half does; of two that have half each the lower one; one that has half beside
    several others may, or nobody.
    """
    nodes, instants = area
    taken: dict[int, int] = {}
    for job, first, count, since, until, _ in rows:
        wide = max(0, min(first + count, nodes.stop) - max(first, nodes.start))
        long = max(0, min(until, instants.stop) - max(since, instants.start))
        taken[job] = taken.get(job, 0) + wide * long
    busy = sum(taken.values())
    if not busy:
        return {-1}, 0
    eighths = min(8, -(-8 * busy // (len(nodes) * len(instants))))
    half = sorted(job for job in taken if 2 * taken[job] >= busy)
    sharing = sum(part > 0 for part in taken.values())
    if half and 2 * taken[half[0]] == busy and sharing > 2:
        return {half[0], -3}, eighths
    return {half[0] if half else -3}, eighths


def test_a_grid_shows_who_has_half_of_each_cell_or_more() -> None:
    """Against sums cell by cell, for any window and any scale, with parts cut at instants."""
    rng = random.Random(40_960)
    several = 0
    for _ in range(150):
        workload = random_workload(rng)
        pieces = recorded(simulate(workload, "easy-arrival"), 0, 60, 7)
        nodes, per, span = workload.nodes, rng.randint(1, 5), rng.randint(1, 9)
        first, since, cut = rng.randrange(nodes), rng.randint(-5, 30), rng.randint(0, 60)
        grid = Grid(nodes, first, per, 50, since, span, 12)
        for piece in pieces:
            grid.add(piece, high=cut)
        grid.fill()
        rows = [row for piece in pieces for row in piece.rows()]
        cut_rows = [(j, f, c, s, min(u, cut), k) for j, f, c, s, u, k in rows if s < cut]
        assert grid.rows == min(50, -(-(nodes - first) // per))
        for row in range(grid.rows):
            found: dict[int, tuple[int, int]] = {}
            for column, columns, job, _, eighths in grid.runs(row):
                found |= dict.fromkeys(range(column, column + columns), (job, eighths))
            low = first + row * per
            for column in range(12):
                cell = (
                    range(low, min(low + per, nodes)),
                    range(since + column * span, since + (column + 1) * span),
                )
                jobs, eighths = brute(cut_rows, cell)
                job, share = found.get(column, (-1, 0))
                assert job in jobs and share == eighths
                several += job == -3
    assert several > 20


def test_a_grid_shows_the_state_and_shows_nodes_that_will_be_down() -> None:
    grid = Grid(8, 0, 2, 4, 0, 10, 6)
    down = [(-2, 2, 2, 30, 50, "X", 64), (-2, 7, 1, 45, None, "X", 64)]
    grid.add(stretches(down))
    grid.fill()
    assert [grid.runs(row) for row in range(4)] == [
        [],
        [(3, 2, -2, "X", 8)],
        [],
        [(4, 1, -2, "X", 2), (5, 1, -2, "X", 4)],
    ]
    with pytest.raises(IndexError, match="row 4 of 4"):
        grid.runs(4)


def test_nodes_that_are_down_are_counted_alone_where_a_job_begins_beside_them() -> None:
    """Node 0 is down all the time; job 5 has node 1 for some of the first column, then for most of one."""
    grid = Grid(2, 0, 2, 1, 0, 10, 2)
    grid.add(stretches([(-2, 0, 1, 0, None, "X", 64), (5, 1, 1, 6, 20, "R", 64)]))
    grid.fill()
    # In the second column both have half: the lower one stands for it.
    assert grid.runs(0) == [(0, 2, -2, "X", 4)]
