"""What a run came to: the report, the schedule, the events; files appear whole or not at all."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.files.report import REPORTED
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.session import Session
from tests.oracles.jobs import Job, Workload, workloads
from tests.parameters import easy
from tests.session.build import POLICIES, SOME, case_of, session_of
from tests.session.jobs.test_predictions import first_by_hand

STORY = Workload([Job(0, 10, 3, 12), Job(1, 5, 4, 5), Job(2, 3, 1, 4)], 4)
"""The first job runs, the second heads the queue, the third is backfilled under EASY."""

SCHEDULE = """\
job_id,submit,start,finish,size,runtime,estimate,preemptions,backfilled,first_predicted_start,nodes
100,0,0,10,3,10,12,0,0,{},0-2
101,1,10,15,4,5,5,0,0,{},0-3
102,2,2,5,1,3,4,0,1,{},3
"""


def saved(workload: Workload, policy: str, path: Path, until: int = 10**6, predictions: bool = False) -> str:
    """Return the schedule of a run up to an instant, as the session writes it."""
    session = session_of(workload, policy)
    session.go_time(until)
    session.save_schedule(path, predictions)
    return path.read_text()


def test_the_schedule_of_a_story(tmp_path: Path) -> None:
    """One row a job; the first predicted start only where it is asked for, or promised."""
    path = tmp_path / "out.csv"
    assert saved(STORY, "easy", path) == SCHEDULE.format("", "", "")
    assert saved(STORY, "easy", path, predictions=True) == SCHEDULE.format(0, 12, 2)
    assert saved(STORY, "conservative", path) == SCHEDULE.format(0, 12, 2)


def test_what_has_not_happened_yet_is_empty(tmp_path: Path) -> None:
    """In mid-run the cells of the future are empty."""
    rows = saved(STORY, "easy", tmp_path / "out.csv", until=3).splitlines()
    assert rows[1:] == ["100,0,0,,3,10,12,0,0,,0-2", "101,1,,,4,5,5,0,0,,", "102,2,2,,1,3,4,0,1,,3"]
    first = saved(STORY, "easy", tmp_path / "out.csv", until=1, predictions=True).splitlines()
    assert first[1:] == ["100,0,0,,3,10,12,0,0,0,0-2", "101,1,,,4,5,5,0,0,12,", "102,2,,,1,3,4,0,0,,"]


def test_rows_come_by_job_id(tmp_path: Path) -> None:
    """The schedule is ordered by id, not by submission."""
    case = case_of(STORY)
    ids = case.columns.id
    ids[0], ids[2] = ids[2], ids[0]
    session = Session(case)
    session.go_end()
    session.save_schedule(tmp_path / "out.csv")
    rows = (tmp_path / "out.csv").read_text().splitlines()
    assert [row.split(",")[:2] for row in rows[1:]] == [["100", "2"], ["101", "1"], ["102", "0"]]


def test_the_events_of_a_story(tmp_path: Path) -> None:
    """One JSON object an event, with the decisions and their reasons, up to where the session stands."""
    session = session_of(STORY)
    session.go_time(2)
    session.events_jsonl(tmp_path / "events.jsonl")
    lines = (tmp_path / "events.jsonl").read_text().splitlines()
    assert [json.loads(line)["n"] for line in lines] == [1, 2, 3, 4, 5, 6]
    assert lines[0] == '{"n":1,"time":0,"kind":"submit","job":100,"decisions":[]}'
    assert json.loads(lines[5]) == {
        "n": 6,
        "time": 2,
        "kind": "pass",
        "job": None,
        "decisions": [
            {
                "kind": "backfill",
                "job": 102,
                "reason": "ends_by_shadow",
                "numbers": {"needs": 1, "free": 1, "end": 6, "shadow": 12, "head": 101},
            }
        ],
    }


def test_the_report_names_everything() -> None:
    """The object of `run --json` has the keys and the metrics of its documentation, in their order."""
    session = session_of(STORY, "easy-shortest")
    session.go_end()
    report = session.report()
    metrics = report.pop("metrics")
    assert report == {
        "scenario": "a test",
        "policy": "easy",
        "parameters": easy("shortest"),
        "nodes": 4,
        "jobs": 3,
        "rows": 3,
        "dropped": {},
        "dropped_lines": {},
        "events": session.number,
        "span": 15,
    }
    assert isinstance(metrics, dict)
    assert tuple(metrics) == REPORTED
    assert metrics["mean_wait"] == 3
    assert metrics["mean_response"] == 9
    assert metrics["backfill_ratio"] == pytest.approx(1 / 3)
    assert metrics["utilization"] == (30 + 20 + 3) / (4 * 15)
    assert metrics["mean_prediction_error"] is None
    json.dumps(report, allow_nan=False)


def test_a_report_before_anything_has_ended() -> None:
    """Without a value there is None, never a made-up number."""
    report = session_of(STORY).report(predictions=True)
    assert report["span"] is None
    metrics = report["metrics"]
    assert isinstance(metrics, dict)
    assert metrics["mean_wait"] is None
    assert metrics["mean_prediction_error"] is None


@pytest.mark.parametrize(("policy", "error"), [("easy", 2 / 3), ("conservative", 2 / 3), ("fcfs", 4 / 3)])
def test_the_prediction_error_of_a_story(policy: str, error: float) -> None:
    """The mean distance of first predicted and actual start: job 101 was promised 12 and starts at 10."""
    session = session_of(STORY, policy)
    session.go_end()
    metrics = session.report(predictions=True)["metrics"]
    assert isinstance(metrics, dict)
    assert metrics["mean_prediction_error"] == pytest.approx(error)


@pytest.mark.proof
@pytest.mark.parametrize("policy", POLICIES)
@SOME
@given(workload=workloads(), data=st.data())
def test_first_predictions_of_a_run_are_those_of_the_session(
    policy: str, workload: Workload, data: st.DataObject
) -> None:
    """What `--predictions` fills in is what the console shows right after each job's submission."""
    whole = session_of(workload, policy)
    whole.go_end()
    first = whole.outcomes(predictions=True).first
    row = data.draw(st.integers(0, len(workload.jobs) - 1))
    assert first[row] == first_by_hand(workload, policy, row)


def test_an_interrupt_leaves_nothing_and_keeps_what_was_there(tmp_path: Path) -> None:
    """A file that was there stays as it was, and no part of the new one is left beside it."""
    path = tmp_path / "out.csv"
    path.write_text("before")
    with pytest.raises(KeyboardInterrupt), written_whole(path) as stream:
        stream.write("half")
        stream.flush()
        raise KeyboardInterrupt
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_rename_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the text cannot take its name the error gives the name that was asked for."""
    path = tmp_path / "out.csv"

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device", "x", None, "y")

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(OSError, match="No space left") as failed, written_whole(path) as stream:
        stream.write("text")
    assert failed.value.filename == str(path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["nowhere/out.csv", "file/out.csv", "."])
def test_where_nothing_can_be_written(tmp_path: Path, name: str) -> None:
    """A folder that is missing, is a file, or stands in the way: an OSError that names the path."""
    (tmp_path / "file").write_text("")
    path = tmp_path / name
    with pytest.raises(OSError, match=r"\w") as failed, written_whole(path):
        pass
    assert failed.value.filename == str(path)


def test_a_device_is_written_to_and_stays_a_device() -> None:
    """What is no plain file is not replaced by one."""
    with written_whole("/dev/null") as stream:
        stream.write("text")
    assert Path("/dev/null").is_char_device()


def test_a_link_is_followed(tmp_path: Path) -> None:
    """The file that a link points to is replaced, the link stays."""
    link, target = tmp_path / "link", tmp_path / "target"
    target.write_text("before")
    link.symlink_to(target)
    with written_whole(link) as stream:
        stream.write("after")
    assert link.is_symlink()
    assert target.read_text() == "after"


def test_the_span_is_from_the_first_submission_to_the_last_end(tmp_path: Path) -> None:
    """Nothing of the time before the first job; none before the first end."""
    session = session_of(Workload([Job(1000, 10, 3, 12), Job(1001, 5, 4, 5)], 4), "easy")
    assert session.report()["span"] is None
    session.go_time(1010)
    assert session.report()["span"] == 10
    session.go_end()
    assert session.report()["span"] == 15
