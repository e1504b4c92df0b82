"""Lanes of a cluster: they stand in lockstep as each alone, with parameters, changes, and later captures."""

from pathlib import Path
from threading import Thread

import attrs
import pytest

from shadowtime.console.session import ScenarioError, Session, SessionError
from shadowtime.console.session.comparison.contrast import known_through
from shadowtime.console.session.comparison.lane import Lane
from shadowtime.console.session.comparison.lane_figures import standings
from shadowtime.console.session.course.places import END, START, AtJob
from shadowtime.console.session.facts import DOWN
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.slurm.impact.outlook import ClusterOutlook
from shadowtime.console.session.slurm.lanes.cluster_lane import ClusterLane, Happened
from shadowtime.console.session.slurm.lanes.making import ClusterLanes
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.console.session.slurm.parameters import parse_overrides
from shadowtime.console.words.units import CPUS, unit_of
from shadowtime.kernels.slurm.over_time.moments import Moment
from shadowtime.scenarios.slurm import Capture, read_capture
from shadowtime.scenarios.slurm.scenario import cpus_of
from tests.scenarios.slurm.support import NOW, number, write
from tests.session.comparison.lanes import states_of
from tests.session.slurm.captures import contents, running, waiting

TIERS = Path(__file__).parents[4] / "scenarios" / "clusters" / "two-tiers"
RUNNING = running(1, ("n1", "n2"), NOW - 300), running(2, ("n3", "n4"), NOW - 60)
JOBS = (*RUNNING, *(waiting(number) for number in (3, 4, 5, 6)))


@pytest.fixture
def capture(tmp_path: Path) -> Capture:
    return read_capture(write(tmp_path / "9", contents(JOBS)))


@pytest.fixture
def lanes(capture: Capture) -> ClusterLanes:
    return ClusterLanes(capture, NOW, None)


def starts(capture: Capture) -> dict[str, int]:
    moments = OverTime(capture, NOW).moments()
    return {each.job: moment.at - NOW + 1 for moment in moments for each in moment.started}


def found(lane: Lane) -> dict[str, int | None]:
    assert isinstance(lane, ClusterLane)
    waited = [index for index, name in enumerate(lane.jobs.names) if name not in ("1", "2")]
    return {lane.jobs.names[index]: lane.started_at(index) for index in waited}


def test_a_lane_starts_its_jobs_as_the_cluster_over_time_does(lanes: ClusterLanes, capture: Capture) -> None:
    lockstep = lanes.lockstep(lanes.texts("sched_interval=500,bf_interval=600"))
    names = [lane.case.name for lane in lockstep.lanes]
    assert names == ["slurm", "slurm:sched_interval=500,bf_interval=600"] == list(lockstep.names)
    assert lockstep.go_end() and lockstep.over
    for lane, text in zip(lockstep.lanes, names, strict=True):
        assert found(lane) == starts(parse_overrides(text).apply(capture))
        assert all(lane.finished_at(index) is not None for index in range(6))


def test_lanes_in_lockstep_are_what_each_is_alone(lanes: ClusterLanes) -> None:
    """The same bytes at each instant, forward and back, before and after their courses are known."""
    lockstep, alone = lanes.lockstep(("slurm", "slurm:bf_interval=600")), lanes.lockstep(("slurm", "slurm"))
    seen = []
    while lockstep.step():
        lane = alone.lanes[0]
        lane.go_time(lockstep.time)
        assert lockstep.lanes[0].digest() == lane.digest()
        seen.append((lockstep.time, states_of(lockstep)))
    assert len(seen) > 5
    known_through(lockstep)
    for time, digests in reversed(seen):
        assert (lockstep.time, states_of(lockstep)) == (time, digests)
        assert lockstep.back()
    assert not lockstep.begun


def test_an_event_is_counted_once_where_a_screen_asks_while_a_worker_goes_on(
    lanes: ClusterLanes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The screen's question comes in the middle of taking an event, from another thread."""
    lane = lanes.lockstep(("slurm", "slurm")).lanes[0]
    assert isinstance(lane, ClusterLane)
    lane.history.reach(5)
    read, asking = lane.history.moment_at, Thread(target=lambda: lane.outcomes)

    def asked(number: int) -> Moment | None:
        if asking.ident is None:
            asking.start()
            asking.join(0.1)
        return read(number)

    monkeypatch.setattr(lane.history, "moment_at", asked)
    times = lane.outcomes.times
    asking.join()
    assert len(times) == lane.history.known >= 5


def test_the_map_has_each_job_on_its_own_nodes_and_those_out_of_service(capture: Capture) -> None:
    """Node n1 is drained: its job ends on it, and no other one comes."""
    drained = attrs.evolve(capture.nodes[0], states=("IDLE", "DRAIN"))
    lanes = ClusterLanes(attrs.evolve(capture, nodes=(drained, *capture.nodes[1:])), NOW, None)
    lockstep = lanes.lockstep(("slurm", "slurm"))
    lane = lockstep.lanes[0]
    assert isinstance(lane, ClusterLane)
    first, second = lane.jobs.places["1"], lane.jobs.places["2"]
    assert list(memoryview(lane.snapshot().owners).cast("i")) == [first, first, second, second]
    while lane.state(first) == "R":
        assert lockstep.step()
    owners = list(memoryview(lane.snapshot().owners).cast("i"))
    assert owners[0] == DOWN and owners[2:] == [second, second]


def test_a_snapshot_counts_every_job_once(lanes: ClusterLanes) -> None:
    lane = lanes.lockstep(("slurm", "slurm")).lanes[0]
    assert isinstance(lane, ClusterLane)
    while True:
        shot = lane.snapshot()
        assert len(shot.waiting) + len(shot.running) + shot.finished == shot.submitted == 6
        assert shot.free == round(lane.jobs.room * (1 - len(shot.running) / 2))
        assert (shot.metrics.queue_length, shot.metrics.running) == (len(shot.waiting), len(shot.running))
        assert shot.metrics.utilization_now == len(shot.running) / 2
        if not lane.step():
            break
    assert shot.finished == 6 and lane.over and lane.total == lane.number


def test_places_are_those_of_the_jobs_of_slurm(lanes: ClusterLanes) -> None:
    lane = lanes.lockstep(("slurm", "slurm")).lanes[0]
    index = lane.index_of(5)
    assert lane.go_place(AtJob("5", START)) and lane.started_at(index) == lane.time and lane.decided
    assert lane.go_place(AtJob("5", END)) and lane.finished_at(index) == lane.time
    assert lane.row(index).called == "5" and lane.row(index).state == "F"
    with pytest.raises(SessionError, match="job 99: no start"):
        lane.go_place(AtJob("99", START))


def test_a_change_parts_the_lanes_from_its_instant_on(lanes: ClusterLanes) -> None:
    """The past is the same; the change is an event of the lane; what cannot be done is one line."""
    for position in (0, 3):
        lockstep = lanes.whatif(position, "drain n[1-2]")
        first, other = lockstep.lanes
        assert other.case.name == "if drain n[1-2]" and first.number == position
        known_through(lockstep)
        assert lockstep.partings is not None and lockstep.partings.jobs
        lockstep.go_start()
        kinds = [event.kind for event in other.events(1, 99)]
        assert (
            kinds.index("change") == position
            and [event.kind for event in first.events(1, 99)][:position] == kinds[:position]
        )
        lockstep.go_end()
        assert isinstance(other, ClusterLane)
        drained = other.history.capture_at(other.number).nodes
        assert [node.up for node in drained] == [False, False, True, True]
        after = lanes.second(first.history.instant(position)) if isinstance(first, ClusterLane) else 0
        pairs = zip(found(first).items(), found(other).values(), strict=True)
        assert all(start == then for (_, start), then in pairs if start is not None and start <= after)
    with pytest.raises(SessionError, match="no node"):
        lanes.whatif(0, "drain n9")


def test_a_change_may_follow_another(lanes: ClusterLanes) -> None:
    lane = lanes.whatif(0, "hold 3").lanes[1]
    both = lane.fork("", "limit 4 5m")
    both.go_end()
    kinds = [event.kind for event in both.events(1, 99)]
    assert kinds.count("change") == 2 and both.started_at(both.index_of(3)) is None
    last = both.index_of(4)
    began, ended = both.started_at(last), both.finished_at(last)
    assert began is not None and ended is not None and ended - began == 300


def test_later_captures_are_a_lane(tmp_path: Path, lanes: ClusterLanes) -> None:
    """Starts at the begins of their jobs, ends in the capture that lacks them."""
    with pytest.raises(SessionError, match="no later capture"):
        lanes.lockstep(("slurm", "captured"))
    begun = running(4, ("n1", "n2"), NOW + 320)
    write(tmp_path / "10", contents((RUNNING[1], begun, waiting(3), waiting(5), waiting(6)), 330))
    begun_3 = running(3, ("n3", "n4"), NOW + 545)
    write(tmp_path / "11", contents((begun, begun_3, waiting(5)), 600))
    lockstep = lanes.lockstep(("slurm", "captured"))
    lockstep.go_end()
    assert found(lockstep.lanes[1]) == {"3": 546, "4": 321, "5": None, "6": None}
    ended = [lockstep.lanes[1].finished_at(lockstep.lanes[1].index_of(job)) for job in (1, 2)]
    assert ended == [300 + 1, 540 + 1]


def test_waits_count_from_the_submission(lanes: ClusterLanes, capture: Capture) -> None:
    """Those of the queue before the capture are part of each; the machine is busy from the capture on."""
    lane = lanes.lockstep(("slurm", "slurm:bf_interval=600")).lanes[0]
    before = {job.shown: NOW - job.submit for job in capture.jobs if job.waiting}
    assert min(before.values()) > 0
    index = lane.index_of(3)
    assert lane.row(index).wait == before["3"]
    lane.go_end()
    started = lane.started_at(index)
    assert started is not None and lane.row(index).wait == started - 1 + before["3"]
    busy = lane.snapshot().metrics
    assert busy.utilization is not None and busy.utilization > 0.5


def test_nothing_is_known_after_the_last_capture(tmp_path: Path, lanes: ClusterLanes) -> None:
    """All lanes stand still there, and nothing that comes later in one of them counts."""
    begun = running(7, ("n1", "n2", "n3", "n4"), NOW + 320)
    write(tmp_path / "10", contents((begun, *(waiting(number) for number in (3, 4, 5, 6, 8))), 330))
    lockstep = known_through(lanes.lockstep(("slurm", "captured")))
    lockstep.go_end()
    it = standings(lockstep, 9)
    assert lockstep.over and lockstep.time == it.until == 331 and not lockstep.step()
    assert not lockstep.next_decision() and lockstep.time == 331
    assert all(lane.time <= 331 for lane in lockstep.lanes)
    assert it.partings is not None and it.partings.responses == (None, None)
    times = [time for starts in it.partings.starts for time in starts]
    assert max(times) <= 331
    known = {row.id for found in it.differing.jobs for row in found.rows if row.start is not None}
    assert {found.rows[0].id for found in it.differing.jobs} <= known
    alone = it.snapshots[1]
    assert alone.metrics.utilization_now == 1.0 and it.figures[1].metrics.utilization is None
    last = lockstep.lanes[1].events(alone.number, 1)[0]
    assert isinstance(last, Happened) and last.moment is not None and last.moment.subjects == ("8",)


def test_a_later_capture_that_cannot_be_read_is_refused_before_a_lane_is_made(
    tmp_path: Path, lanes: ClusterLanes
) -> None:
    folder = write(tmp_path / "10", contents(RUNNING, 330))
    (folder / "squeue.json").write_text("{")
    with pytest.raises(ScenarioError):
        lanes.lockstep(("slurm", "captured"))


def test_a_cluster_stands_beside_schedulers_of_the_papers(lanes: ClusterLanes) -> None:
    """On the jobs that those can run, at the same seconds."""
    lockstep = known_through(lanes.lockstep(lanes.texts("slurm easy")))
    slurm, easy = lockstep.lanes
    first = standings(lockstep, 9, True)
    assert all(figures.here is None or figures.here >= 0 for figures in first.figures)
    assert isinstance(easy, Session) and isinstance(slurm, ClusterLane)
    lockstep.go_end()
    it = standings(lockstep, 9, True)
    assert it.names == ("slurm", "easy") and it.differing.finished
    for index in range(6):
        assert slurm.id_of(index) == easy.id_of(index)
    running_ends = [(slurm.finished_at(index), easy.finished_at(index)) for index in range(2)]
    assert running_ends == [(301, 301), (541, 541)]


def test_a_live_cluster_is_compared_under_its_name(capture: Capture, tmp_path: Path) -> None:
    """Its folder is gone; a captured one has the name of its folder."""
    for folder, name in ((capture.folder, "9"), (str(tmp_path / "gone"), "test")):
        lanes = ClusterLanes(attrs.evolve(capture, folder=folder), NOW, None)
        (path,) = {lane.case.scenario.path for lane in lanes.lockstep(("slurm", "slurm")).lanes}
        assert path.name == name
    with pytest.raises(SessionError, match="shadowtime capture slurm -o"):
        lanes.lockstep(("slurm", "easy"))


def test_jobs_have_one_name_and_one_size_in_all_lanes() -> None:
    """Tasks of arrays, too: in rows, reasons, chains and places."""
    capture = read_capture(TIERS)
    lockstep = ClusterLanes(capture, capture.taken, None).lockstep(("slurm", "easy"))
    slurm, easy = lockstep.lanes
    assert isinstance(slurm, ClusterLane) and isinstance(easy, Session)
    named = {index: name for index, name in enumerate(slurm.jobs.names) if "_" in name}
    assert named
    lockstep.step()
    for index, name in enumerate(slurm.jobs.names):
        here, there = slurm.row(index), easy.row(index)
        assert (here.called, here.size) == (there.called, there.size) == (name, there.size)
    assert {unit_of(lane.case.scenario.machine) for lane in lockstep.lanes} == {CPUS}
    down = [list(memoryview(lane.snapshot().owners).cast("i")).count(DOWN) for lane in lockstep.lanes]
    assert down[0] == down[1] == sum(cpus_of(node) for node in capture.nodes if not node.up) > 0
    reasons = {row.reason.code for row in map(slurm.row, range(len(slurm.jobs.names))) if row.reason}
    assert {"Priority", "Resources"} <= reasons
    index, name = max(named.items())
    assert easy.go_place(AtJob(name, START)) and easy.started_at(index) == easy.time
    decision = easy.turned(easy.id_of(index))
    assert decision is not None and f"{decision.job}" == name
    with pytest.raises(SessionError, match="no job 46_99"):
        easy.go_place(AtJob("46_99", START))


@pytest.mark.parametrize(
    ("line", "wrong"),
    [("a=1 b=2 c=3 d=4 e=5", "5 cannot be compared"), ("slurm slurm", "1 cannot be compared")],
)
def test_lanes_are_two_to_four(lanes: ClusterLanes, line: str, wrong: str) -> None:
    with pytest.raises(SessionError, match=wrong):
        lanes.texts(line)


def test_a_job_has_the_size_of_the_plan(tmp_path: Path) -> None:
    """A job that asks for CPUs alone is as large in an impact and in a lane as in the plan."""
    few: dict[str, object] = {
        "node_count": number(1),
        "cpus": number(12),
        "tasks": number(3),
        "max_nodes": number(0),
    }
    few["tres_req_str"] = "cpu=12,mem=1000M,node=1,billing=8"
    jobs = *RUNNING, waiting(3, overlay=few), waiting(4, overlay=few)
    capture = read_capture(write(tmp_path / "cpus", contents(jobs)))
    plan = {row.job: row.size for row in board(Folder(tmp_path / "cpus").take()).rows}
    assert plan == {"3": 3, "4": 3}
    lane_jobs = ClusterLanes(capture, NOW, None).jobs()
    outlook = ClusterOutlook(capture, NOW)
    outlook.here(lambda: False)
    for name, size in plan.items():
        assert lane_jobs.case.columns.size[lane_jobs.places[name]] == size
        assert outlook.jobs.size[outlook.jobs.places[name]] == size
