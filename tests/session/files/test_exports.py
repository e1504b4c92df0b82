"""Ways out: each file says what the simulation did, in the words of the program that reads it."""

import csv
import io
import json
import os
import re
from pathlib import Path
from threading import Thread

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session import SessionError, load, open_session
from shadowtime.console.session.case import Case
from shadowtime.console.session.files.exports import WAYS, Export
from shadowtime.console.session.files.exports.batsim import interval_set
from shadowtime.console.session.files.exports.swf import lines
from shadowtime.console.session.files.replay import Held, Nodes
from shadowtime.console.session.session import Session
from shadowtime.console.session.work import Broken
from shadowtime.scenarios import Workload as Columns
from tests.oracles.jobs import Job, Workload, workloads
from tests.parameters import easy
from tests.scenarios.traces.reading import read_swf
from tests.session.build import POLICIES, SOME, case_of, case_under, session_of

STORY = Workload([Job(0, 10, 3, 12), Job(1, 5, 4, 5), Job(2, 3, 1, 4)], 4)
"""The first job runs, the second heads the queue, the third is backfilled under EASY."""
TURNING = {"gang": ("gang", {"quantum": 2}), **{name: POLICIES[name] for name in ("checkpoint", "easy")}}
"""Policies under which a job holds its nodes once, keeps them, or gets others."""


def written(session: Session, kind: str, folder: Path) -> str:
    """The text of an export of a session as it stands."""
    path = folder / f"out{WAYS[kind].ending}"
    Export(session, kind, path).run()
    return path.read_text(encoding="utf-8")


def ended(case: Case) -> Session:
    """A session of a case at its end."""
    session = open_session(case)
    session.go_end()
    return session


def rows_of(text: str) -> list[dict[str, str]]:
    """The lines of a CSV, by column."""
    return list(csv.DictReader(io.StringIO(text)))


def nodes_in(text: str) -> set[int]:
    """The nodes of an interval set."""
    parts = [part.split("-") for part in text.split()]
    return {node for part in parts for node in range(int(part[0]), int(part[-1]) + 1)}


def held_last(case: Case) -> dict[int, set[int]]:
    """The nodes that each job has when it holds any for the last time, looked up after every event."""
    simulation = case.simulation()
    held: dict[int, set[int]] = {}
    while simulation.step():
        for job in [*simulation.running(), *simulation.held()]:
            nodes = {n for first, count in simulation.nodes_of(job) for n in range(first, first + count)}
            held |= {job: nodes} if nodes else {}
    return held


@pytest.mark.parametrize("policy", TURNING)
def test_the_nodes_of_a_job_are_those_it_held_last(policy: str, tmp_path: Path) -> None:
    """Under every kind of sharing the allocated resources are the nodes that the kernel gave."""

    @SOME
    @given(workloads())
    def holds(naive: Workload) -> None:
        case = case_under(naive, *TURNING[policy])
        rows = rows_of(written(ended(case), "batsim", tmp_path))
        held = held_last(case)
        assert len(rows) == len(case.jobs)
        for row in rows:
            nodes = nodes_in(row["allocated_resources"])
            assert nodes == held[case.index_of(int(row["job_id"]))]
            assert len(nodes) == int(row["requested_number_of_resources"])

    holds()


def test_two_jobs_never_have_a_node_at_once_where_space_is_shared(tmp_path: Path) -> None:
    """A chart drawn from the file has no two jobs on top of each other."""

    @SOME
    @given(workloads())
    def apart(naive: Workload) -> None:
        rows = rows_of(written(ended(case_of(naive)), "batsim", tmp_path))
        spans = [
            (int(row["starting_time"]), int(row["finish_time"]), nodes_in(row["allocated_resources"]))
            for row in rows
        ]
        for place, (start, finish, nodes) in enumerate(spans):
            for other_start, other_finish, others in spans[:place]:
                assert finish <= other_start or other_finish <= start or not nodes & others

    apart()


def test_batsim_columns_stand_in_batsims_order(tmp_path: Path) -> None:
    """The story's three jobs, in order of their ends, with every time that evalys reads."""
    text = written(ended(case_of(STORY)), "batsim", tmp_path)
    assert text.splitlines() == [
        "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,success,"
        "final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch,"
        "allocated_resources,consumed_energy,metadata",
        "102,test,delay3,2,1,4,1,COMPLETED_SUCCESSFULLY,2,3,5,0,3,1.000000,3,-1,",
        "100,test,delay10,0,3,12,1,COMPLETED_SUCCESSFULLY,0,10,10,0,10,1.000000,0-2,-1,",
        "101,test,delay5,1,4,5,1,COMPLETED_SUCCESSFULLY,10,5,15,9,14,2.800000,0-3,-1,",
    ]


def test_a_job_that_is_cut_off_has_no_success(tmp_path: Path) -> None:
    """Who is killed at its estimate has reached its walltime, and has failed in the log."""
    case = case_of(STORY)
    killed = attrs.evolve(case.columns, killed=case.columns.killed[:1] * 2 + case.columns.killed[:1])
    killed.killed[0] = 1
    session = ended(attrs.evolve(case, scenario=attrs.evolve(case.scenario, workload=killed)))
    rows = {row["job_id"]: row for row in rows_of(written(session, "batsim", tmp_path))}
    assert (rows["100"]["success"], rows["100"]["final_state"]) == ("0", "COMPLETED_WALLTIME_REACHED")
    assert (rows["101"]["success"], rows["101"]["final_state"]) == ("1", "COMPLETED_SUCCESSFULLY")
    log = [line.split() for line in written(session, "swf", tmp_path).splitlines() if line[0] != ";"]
    assert [row[10] for row in log] == ["0", "1", "1"]


@pytest.mark.parametrize(
    ("nodes", "text"),
    [
        ([(0, 16)], "0-15"),
        ([(0, 16), (32, 1)], "0-15 32"),
        ([(3, 2), (5, 1), (7, 2)], "3-5 7-8"),
        ([(5, 1)], "5"),
    ],
)
def test_interval_sets(nodes: list[tuple[int, int]], text: str) -> None:
    """Ranges with their last node, blanks between them; what touches is one range."""
    assert interval_set(nodes) == text


def test_the_log_says_what_was_simulated(tmp_path: Path) -> None:
    """Waits, run times and statuses are the simulation's; the header names the policy and the version."""
    text = written(ended(case_of(STORY)), "swf", tmp_path)
    header = [line for line in text.splitlines() if line.startswith(";")]
    assert re.fullmatch(r"; Computer: none: simulated by shadowtime \d+\.\d+\.\d+", header[1])
    parameters = ", ".join(f"{name} = {value}" for name, value in easy("arrival").items())
    assert header[2] == f"; Information: policy easy ({parameters})"
    assert "; MaxProcs: 4" in header and "; MaxJobs: 3" in header
    assert [line for line in text.splitlines() if not line.startswith(";")] == [
        "100 0 0 10 3 -1 -1 3 12 -1 1 1 -1 -1 1 -1 -1 -1",
        "101 1 9 5 4 -1 -1 4 5 -1 1 2 -1 -1 2 -1 -1 -1",
        "102 2 0 3 1 -1 -1 1 4 -1 1 -1 -1 -1 1 -1 -1 -1",
    ]


def test_the_log_says_which_numbers_stand_for_which_names(tmp_path: Path) -> None:
    """Users and classes are names here and numbers there."""
    text = written(ended(case_of(STORY)), "swf", tmp_path)
    assert "; Note: user 1 is kim\n; Note: user 2 is ada\n" in text
    assert "; Queue: 1 batch\n; Queue: 2 debug\n" in text


def test_the_log_can_be_opened_again(tmp_path: Path) -> None:
    """Where nobody is preempted, the jobs that come back are the jobs that went out."""

    @SOME
    @given(workloads())
    def comes_back(naive: Workload) -> None:
        case = case_of(naive)
        path = tmp_path / "again.swf"
        Export(ended(case), "swf", path).run()
        again = read_swf(path)
        for name in ("id", "submit", "runtime", "estimate", "size"):
            assert getattr(again, name) == getattr(case.columns, name)
        assert load(path).nodes == case.nodes

    comes_back()


def test_interactive_jobs_come_back_as_such(tmp_path: Path) -> None:
    """By the format queue 0 is the interactive one."""
    case = case_of(STORY)
    klass = ("batch", "interactive", "batch")
    columns: Columns = attrs.evolve(case.columns, klass=klass)
    session = ended(attrs.evolve(case, scenario=attrs.evolve(case.scenario, workload=columns)))
    path = tmp_path / "again.swf"
    Export(session, "swf", path).run()
    assert tuple(read_swf(path).klass) == klass


def test_what_has_not_happened_is_not_written(tmp_path: Path) -> None:
    """In the middle of a run a job that runs has no end, and one that waits has no start."""
    session = session_of(STORY)
    session.go_time(2)
    number = session.number
    log = [line.split() for line in written(session, "swf", tmp_path).splitlines() if line[0] != ";"]
    assert [row[2:5] + row[10:11] for row in log] == [
        ["0", "-1", "3", "-1"],
        ["-1", "-1", "-1", "-1"],
        ["0", "-1", "1", "-1"],
    ]
    assert rows_of(written(session, "batsim", tmp_path)) == []
    assert len(written(session, "events", tmp_path).splitlines()) == number
    assert session.number == number


def test_events_and_schedule_are_those_of_the_session(tmp_path: Path) -> None:
    """The ways out write what the session itself writes."""
    session = ended(case_of(STORY))
    session.save_schedule(tmp_path / "schedule.csv")
    session.events_jsonl(tmp_path / "events.jsonl")
    assert written(session, "schedule", tmp_path) == (tmp_path / "schedule.csv").read_text()
    assert written(session, "events", tmp_path) == (tmp_path / "events.jsonl").read_text()
    assert all(json.loads(line) for line in written(session, "events", tmp_path).splitlines())


def test_a_stopped_export_leaves_what_was_there(tmp_path: Path) -> None:
    """Neither a part of the new file nor a trace of it."""
    path = tmp_path / "out.swf"
    path.write_text("mine\n")
    export = Export(ended(case_of(STORY)), "swf", path)

    def stop(done: int, total: int) -> None:
        raise Broken

    with pytest.raises(Broken):
        export.run(stop)
    assert path.read_text() == "mine\n" and [file.name for file in tmp_path.iterdir()] == ["out.swf"]


def test_progress_is_reported(tmp_path: Path) -> None:
    """Jobs written, of how many."""
    for kind in ("swf", "batsim", "schedule"):
        reported: list[tuple[int, int]] = []
        export = Export(ended(case_of(STORY)), kind, tmp_path / kind)
        export.run(lambda done, total, to=reported: to.append((done, total)))  # type: ignore[misc]
        assert reported == [(0, 3), (3, 3)]


def test_bad_ways_out_are_refused(tmp_path: Path) -> None:
    """An unknown way, an archive's name, a folder that is not there: one line each."""
    session = ended(case_of(STORY))
    with pytest.raises(SessionError, match="'png' is no way out; expected one of events, schedule"):
        Export(session, "png", tmp_path / "out")
    with pytest.raises(SessionError, match="would be an archive"):
        Export(session, "swf", tmp_path / "out.swf.gz").run()
    with pytest.raises(FileNotFoundError):
        Export(session, "batsim", tmp_path / "nowhere" / "out.csv").run()
    assert not list(tmp_path.iterdir())


def test_a_title_cannot_break_the_header() -> None:
    """What is written on two lines is read on one."""
    case = case_of(STORY)
    case = attrs.evolve(case, scenario=attrs.evolve(case.scenario, title="one\n1 2 3"))
    assert r"; Information: scenario one\x0a1 2 3" in list(lines(case, case.simulation()))


STEERED = """title = "steered"
[machine]
nodes = 4
[policy]
name = "easy"
[[job]]
id = 1
size = 2
submit = 0
runtime = 100
[[job]]
id = 2
size = 4
submit = 0
runtime = 100
[[job]]
id = 3
size = 2
submit = 0
runtime = 50
[[job]]
id = 4
size = 4
submit = 5
runtime = 10
[[action]]
at = 10
do = "cancel"
job = 2
[[outage]]
nodes = "0-1"
from = 20
until = 30
kill = true
"""


def test_what_an_operator_and_failures_did_is_written(tmp_path: Path) -> None:
    """A cancelled job is 5 in the log, and has no line of Batsim's; a struck one has failed in both."""
    path = tmp_path / "steered.toml"
    path.write_text(STEERED)
    session = ended(load(path))
    log = [line.split() for line in written(session, "swf", tmp_path).splitlines() if line[0] != ";"]
    assert [(row[0], row[2], row[3], row[10]) for row in log] == [
        ("1", "0", "20", "0"),
        ("2", "-1", "-1", "5"),
        ("3", "0", "50", "1"),
        ("4", "45", "10", "1"),
    ]
    rows = {row["job_id"]: row for row in rows_of(written(session, "batsim", tmp_path))}
    assert list(rows) == ["1", "3", "4"]
    assert [row["final_state"] for row in rows.values()] == [
        "COMPLETED_FAILED",
        "COMPLETED_SUCCESSFULLY",
        "COMPLETED_SUCCESSFULLY",
    ]
    assert (rows["1"]["success"], rows["1"]["execution_time"], rows["1"]["allocated_resources"]) == (
        "0",
        "20",
        "0-1",
    )


def test_other_classes_are_counted_after_the_two_of_the_format(tmp_path: Path) -> None:
    """Queue 0 is interactive and queue 1 batch, whatever else there is."""
    case = case_of(STORY)
    columns: Columns = attrs.evolve(case.columns, klass=("debug", "interactive", "batch"))
    session = ended(attrs.evolve(case, scenario=attrs.evolve(case.scenario, workload=columns)))
    text = written(session, "swf", tmp_path)
    assert "; Queue: 0 interactive\n; Queue: 1 batch\n; Queue: 2 debug\n" in text


def test_a_job_that_is_cancelled_while_it_runs_has_no_line_of_batsims(tmp_path: Path) -> None:
    """It has not come to its end; the log says when it began, and that it was cancelled."""
    session = Session(case_of(STORY))
    session.go_time(4)
    session.act("cancel 100")
    session.go_end()
    assert [row["job_id"] for row in rows_of(written(session, "batsim", tmp_path))] == ["102", "101"]
    log = [line.split() for line in written(session, "swf", tmp_path).splitlines() if line[0] != ";"]
    assert (log[0][2], log[0][3], log[0][10]) == ("0", "-1", "5")


def test_a_pipe_is_written_to_and_not_read_from(tmp_path: Path) -> None:
    """Whoever reads at its other end gets the file, and nothing waits for more."""
    pipe, heard = tmp_path / "pipe", list[str]()
    os.mkfifo(pipe)
    reader = Thread(target=lambda: heard.append(pipe.read_text()), daemon=True)
    reader.start()
    export = Export(ended(case_of(STORY)), "batsim", pipe)
    writer = Thread(target=export.run, daemon=True)
    writer.start()
    writer.join(20)
    assert not writer.is_alive()
    reader.join(20)
    assert heard[0].startswith("job_id,") and heard[0].count("\n") == 4
    assert export.remark == ""


@given(
    st.lists(st.tuples(st.integers(0, 4), st.sets(st.integers(0, 30), max_size=6)), max_size=60),
    st.sampled_from((31, 70_000)),
)
def test_nodes_that_are_kept_are_those_of_the_last_time(moves: list[tuple[int, set[int]]], size: int) -> None:
    """However often a job moves: the room for a job only grows with the most stretches that it had."""
    held, plain, most = Held(5, size), dict[int, Nodes](), dict[int, int]()
    for job, nodes in moves:
        stretches = [(node * (size // 31), 1 + node) for node in sorted(nodes)]
        held.keep(job, stretches)
        plain[job] = stretches
        most[job] = max(most.get(job, 0), len(stretches))
    assert [held.of(job) for job in range(5)] == [plain.get(job, []) for job in range(5)]
    assert len(held) <= sum(count * (count + 1) // 2 for count in most.values())
