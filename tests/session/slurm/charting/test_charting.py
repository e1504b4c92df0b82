"""Bars and loads of a cluster agree with the jobs of its captures, node by node and event by event."""

from pathlib import Path

import pytest

from shadowtime.console.session.jobs.bars import NODES_DOWN, PREDICTED, RESERVED_FIRST, Viewport
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.charting.bars import ClusterBars
from shadowtime.console.session.slurm.charting.load import Loads
from shadowtime.console.session.slurm.queue import waiting_tasks
from shadowtime.console.session.slurm.stepping.cluster import Boards
from shadowtime.console.session.slurm.stepping.history import History
from shadowtime.kernels.charts.bars import stretches
from shadowtime.scenarios.slurm import parse_hosts, read_capture

FOLDER = Path(__file__).parents[4] / "scenarios/clusters/two-tiers"
EVENTS = 30


@pytest.fixture(scope="module")
def history() -> History:
    found = board(read_capture(FOLDER))
    made = History(found.capture, found.now)
    made.reach(EVENTS)
    return made


@pytest.fixture(scope="module")
def first(history: History) -> Board:
    return board(history.capture)


def column(bars: ClusterBars, at: int) -> dict[int, tuple[int, str, int]]:
    """Place of each node -> whom a column of one second shows there."""
    lanes = bars.lanes(Viewport(0, 1, bars.nodes, at, 1, 1))
    return {row: runs[0][2:] for row in range(lanes.count) if (runs := lanes.runs(row))}


def holders(history: History, position: int) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for job in history.capture_at(position).jobs:
        for node in job.nodes if job.holding else ():
            found.setdefault(node, set()).add(job.shown)
    return found


def test_rows_are_the_nodes_by_partition_in_the_order_of_the_configuration(history: History) -> None:
    capture = history.capture
    rows = ClusterBars(history, board(capture)).rows
    order = {partition.name: place for place, partition in enumerate(capture.partitions)}
    places = [order[partition] for partition in rows.partitions]
    assert places == sorted(places) and sorted(rows.names) == sorted(node.name for node in capture.nodes)
    names = [node.name for node in capture.nodes]
    for partition in order:
        of = [name for name, its in zip(rows.names, rows.partitions, strict=True) if its == partition]
        assert of == sorted(of, key=names.index)


def test_the_past_and_the_present_show_who_held_each_node(history: History, first: Board) -> None:
    """At every event that is known, seen from the last one; a node that several share shows one of them."""
    bars = ClusterBars(history, first)
    bars.look(Boards(history).board(EVENTS), EVENTS)
    seen = 0
    for position in range(EVENTS):
        at = history.instant(position)
        if history.instant(position + 1) == at:
            continue
        held = holders(history, position)
        shown = column(bars, at)
        for node, jobs in held.items():
            index = shown[bars.rows.places[node]][0]
            assert index == -3 or bars.label(index) in jobs
            seen += index >= 0
        jobs_at = {bars.rows.names[row] for row, (index, *_) in shown.items() if index >= 0}
        assert jobs_at <= held.keys()
    assert seen > 10 * EVENTS


def test_ahead_stand_the_known_starts_and_then_those_of_the_plan(history: History, first: Board) -> None:
    """At the capture all starts of the plan, once a course is known those of the course up to its end."""
    fresh = History(history.capture, history.begin)
    bars = ClusterBars(fresh, first)
    planned = [row for row in first.rows if row.order is not None and row.start is not None and row.nodes]
    assert len(planned) > 20
    seen = 0
    for row in planned:
        assert row.start is not None
        shown = column(bars, row.start)
        places = [bars.rows.places[name] for name in parse_hosts(row.nodes)]
        assert all(place in shown for place in places)
        index = bars.index(row.job)
        seen += any(shown[place][:2] == (index, PREDICTED) for place in places)
    assert seen > len(planned) // 2
    bars = ClusterBars(history, first)
    bars.look(first, 0)
    started = 0
    for n in range(1, EVENTS + 1):
        moment = history.moment_at(n)
        assert moment is not None
        for each in moment.started:
            index = bars.index(each.job)
            assert index is not None
            job = bars.job(index)
            assert job is not None and job.predicted is not None and job.predicted.time == moment.at
            assert (job.size, job.waits) == (len(parse_hosts(each.nodes)), True)
            started += 1
    assert started


def test_nodes_that_nobody_may_use_have_marks_of_their_own(history: History, first: Board) -> None:
    """Drained and down nodes from the end of their jobs on; reservations from their begin to their end."""
    bars = ClusterBars(history, first)
    far = first.now + 100 * 365 * 86_400
    out = {row for row, (index, *_) in column(bars, far).items() if index == NODES_DOWN}
    assert (
        {bars.rows.names[row] for row in out} == {node.name for node in first.nodes if not node.up} != set()
    )
    reserved = 0
    for place, each in enumerate(first.capture.reservations):
        for at in (each.begin, each.end - 1):
            shown = column(bars, at)
            for name in each.nodes:
                index = shown[bars.rows.places[name]][0]
                reserved += index == RESERVED_FIRST - place
                assert index == RESERVED_FIRST - place or index >= NODES_DOWN or index == -3
    assert reserved and bars.label(RESERVED_FIRST) == first.capture.reservations[0].name


def test_a_job_is_shown_beside_a_node_that_is_down(history: History, first: Board) -> None:
    """Of a row of two nodes it has one."""
    bars = ClusterBars(history, first)
    lanes = bars.lanes(Viewport(bars.rows.places["n05"], 2, 1, first.now, 1, 1))
    assert [bars.label(run[2]) for run in lanes.runs(0)] == ["3"]


def test_loads_are_those_of_the_captures(history: History) -> None:
    capture = history.capture
    threads = {node.name: node.threads for node in capture.nodes}
    cpus = {node.name: node.cores * node.threads for node in capture.nodes}
    for number, load in enumerate(Loads(history).follow()):
        at = history.capture_at(number)
        running = [job for job in at.jobs if job.holding]
        held = sum(share.cores * threads[share.node] for job in running for share in job.shares)
        assert (load.number, load.time) == (number, history.instant(number))
        assert load.utilization_now == pytest.approx(held / sum(cpus.values()))
        assert (load.running, load.queue_length) == (len(running), waiting_tasks(at))
        for partition in capture.partitions:
            its = load.partitions[partition.name]
            own = [job for job in running if job.partitions[0] == partition.name]
            taken = sum(share.cores * threads[share.node] for job in own for share in job.shares)
            room = sum(cpus[name] for name in partition.nodes)
            assert its.utilization_now == pytest.approx(taken / room) and its.running == len(own)


def test_a_share_of_a_node_is_from_one_to_all_of_it() -> None:
    for share in (0, 65):
        with pytest.raises(ValueError, match=f"{share} is no share"):
            stretches([(0, 0, 1, 0, 1, "R", share)])
