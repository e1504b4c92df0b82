"""`shadowtime run`: the report, the schedule, the events."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shadowtime.console.words.measures import MEASURES
from shadowtime.console.words.units import PE
from tests.commandline import Shadowtime, process
from tests.parameters import FCFS, easy
from tests.refusals import cannot

Story = Callable[[str], Path]
DILEMMA = "fj97/dilemma.toml"
METRICS = [
    *("mean_wait", "mean_response", "mean_slowdown", "mean_bounded_slowdown", "mean_bounded_slowdown_fw98"),
    *("mean_bounded_slowdown_n12", "utilization", "utilization_to_last_arrival", "mean_queue_length"),
    *("backfill_ratio", "preempt_ratio", "checkpoints_per_node_day", "wasted_ratio", "lost_capacity"),
    *("stability", "mean_prediction_error"),
]


def report(shadowtime: Shadowtime, *arguments: object) -> dict[str, Any]:
    """Return the object that `run --json` prints."""
    ended = shadowtime("run", *arguments, "--json")
    assert (ended.code, ended.err) == (0, "")
    found = json.loads(ended.out)
    assert isinstance(found, dict)
    return found


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a schedule."""
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_report_has_the_fields_of_the_specification(shadowtime: Shadowtime, story: Story) -> None:
    """Names and their order are the program's public face."""
    found = report(shadowtime, story(DILEMMA))
    assert list(found) == [
        *("scenario", "policy", "parameters", "nodes", "jobs", "rows", "dropped", "dropped_lines"),
        *("events", "span", "metrics"),
    ]
    assert list(found["metrics"]) == METRICS
    assert (found["policy"], found["parameters"], found["nodes"], found["jobs"]) == ("fcfs", FCFS, 128, 3)
    assert found["span"] == 7 * 3600
    assert found["metrics"]["mean_wait"] == 4200
    assert found["metrics"]["stability"] is None


def test_the_table_shows_the_same(shadowtime: Shadowtime, story: Story) -> None:
    """Without --json the same figures stand in a table, each with its unit."""
    ended = shadowtime("run", story(DILEMMA), "--variant", "easy")
    cells = {line.split()[0]: " ".join(line.split()[1:3]) for line in ended.out.splitlines() if line.strip()}
    assert ended.code == 0
    assert cells["mean_wait"] == "5,000.00 s"
    assert cells["utilization"] == "55.26 %"
    assert cells["policy"] == "easy (scan"


@pytest.mark.parametrize(
    ("arguments", "policy", "parameters", "wait"),
    [
        (["--policy", "easy"], "easy", easy("arrival"), 5000),
        (["--variant", "conservative"], "conservative", {"compress": "arrival"}, 5000),
        (
            ["--policy", "easy", "--set", "scan=shortest"],
            "easy",
            easy("shortest"),
            5000,
        ),
        (
            ["--policy", "easy", "--set", 'scan="widest"'],
            "easy",
            easy("widest"),
            5000,
        ),
        (["--nodes", "224"], "fcfs", FCFS, 0),
    ],
)
def test_options_settle_what_is_simulated(
    arguments: list[str],
    policy: str,
    parameters: dict[str, object],
    wait: float,
    shadowtime: Shadowtime,
    story: Story,
) -> None:
    """--policy, --variant, --set and --nodes change the policy, its parameters and the machine."""
    found = report(shadowtime, story(DILEMMA), *arguments)
    assert (found["policy"], found["parameters"]) == (policy, parameters)
    assert found["metrics"]["mean_wait"] == wait


def test_the_schedule_is_one_row_a_job(shadowtime: Shadowtime, story: Story, tmp_path: Path) -> None:
    """Columns and cells are as specified: first start, booleans 0 and 1, empty where it never happened."""
    path = tmp_path / "out.csv"
    ended = shadowtime("run", story(DILEMMA), "--policy", "easy", "--schedule", path)
    assert ended.code == 0
    assert path.read_text() == (
        "job_id,submit,start,finish,size,runtime,estimate,preemptions,backfilled,first_predicted_start,nodes\n"
        "1,0,0,3600,64,3600,28800,0,0,,0-63\n"
        "2,600,15600,22800,128,7200,10800,0,0,,0-127\n"
        "3,1200,1200,15600,32,14400,18000,0,1,,64-95\n"
    )


def test_jobs_are_in_the_report_with_their_nodes_if_they_are_asked_for(
    shadowtime: Shadowtime, story: Story
) -> None:
    """One object a job, by id; what has not happened is null."""
    usual = report(shadowtime, story(DILEMMA), "--policy", "easy")
    found = report(shadowtime, story(DILEMMA), "--policy", "easy", "--jobs", "--until", "20m")
    assert "schedule" not in usual
    assert found["schedule"] == [
        {"job": 1, "start": 0, "finish": None, "nodes": "0-63"},
        {"job": 2, "start": None, "finish": None, "nodes": None},
        {"job": 3, "start": 1200, "finish": None, "nodes": "64-95"},
    ]


def test_jobs_are_a_part_of_the_object_alone(shadowtime: Shadowtime, story: Story) -> None:
    """Without --json there is no object to put them in."""
    ended = shadowtime("run", story(DILEMMA), "--jobs")
    assert ended.code == 2 and ended.out == ""
    assert "--jobs adds the jobs to the object of --json; expected --json with it" in ended.err


def test_the_nodes_of_a_schedule_are_whole_nodes(
    shadowtime: Shadowtime, story: Story, tmp_path: Path
) -> None:
    """A torus whose jobs ask for processors lists nodes, as `drain` takes them; a comma is in quotes."""
    path = tmp_path / "out.csv"
    assert shadowtime("run", story("fj97/large-job.toml"), "--schedule", path).code == 0
    last = max(int(part.split("-")[-1]) for row in rows(path) for part in row["nodes"].split(",") if part)
    assert last == 127 and any("," in row["nodes"] for row in rows(path))


def test_promised_starts_are_always_in_the_schedule(
    shadowtime: Shadowtime, story: Story, tmp_path: Path
) -> None:
    """Conservative backfilling promised job 2 the end of job 1's estimate, and the error of that is known."""
    path = tmp_path / "out.csv"
    found = report(shadowtime, story(DILEMMA), "--policy", "conservative", "--schedule", path)
    assert [row["first_predicted_start"] for row in rows(path)] == ["0", "28800", "1200"]
    assert found["metrics"]["mean_prediction_error"] == (28800 - 15600) / 3


def test_predictions_fill_in_expected_starts(shadowtime: Shadowtime, story: Story, tmp_path: Path) -> None:
    """With --predictions EASY's expected start of each job at its submission is given too."""
    path = tmp_path / "out.csv"
    found = report(shadowtime, story(DILEMMA), "--policy", "easy", "--schedule", path, "--predictions")
    assert [row["first_predicted_start"] for row in rows(path)] == ["0", "28800", "1200"]
    assert found["metrics"]["mean_prediction_error"] == (28800 - 15600) / 3


def test_until_stops_after_the_instant(shadowtime: Shadowtime, story: Story, tmp_path: Path) -> None:
    """The state is that after the last event not later than the instant; what has not happened is empty."""
    path = tmp_path / "out.csv"
    found = report(shadowtime, story(DILEMMA), "--until", "0 01:00:00", "--schedule", path)
    assert [(row["start"], row["finish"]) for row in rows(path)] == [("0", "3600"), ("3600", ""), ("", "")]
    assert found["events"] == 8
    assert report(shadowtime, story(DILEMMA), "--until", "59m59s")["events"] == 6


def test_the_events_are_json_lines(shadowtime: Shadowtime, story: Story, tmp_path: Path) -> None:
    """One object an event, numbered from 1, with its decisions and their reasons."""
    path = tmp_path / "out.jsonl"
    ended = shadowtime("run", story(DILEMMA), "--policy", "easy", "--events", path)
    events = [json.loads(line) for line in path.read_text().splitlines()]
    assert ended.code == 0
    assert [event["n"] for event in events] == list(range(1, len(events) + 1))
    assert all(list(event) == ["n", "time", "kind", "job", "decisions"] for event in events)
    backfill = next(event for event in events if event["time"] == 1200 and event["kind"] == "pass")
    assert backfill["decisions"][-1]["kind"] == "backfill"
    assert backfill["decisions"][-1]["job"] == 3
    assert backfill["decisions"][-1]["reason"] == "ends_by_shadow"


def test_dropped_jobs_are_counted_and_notes_reported(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Rows of a log that cannot run are counted by reason; rows out of order are sorted, and said so."""
    log = tmp_path / "log.swf"
    row = "{} {} 0 {} {} -1 -1 {} 10 -1 1 1 1 1 1 1 -1 -1\n"
    lines = [(1, 9, 10, 2), (2, 0, 10, 2), (3, 9, 0, 2), (4, 9, 10, 9)]
    log.write_text("; MaxProcs: 4\n" + "".join(row.format(i, at, run, n, n) for i, at, run, n in lines))
    found = report(shadowtime, log)
    table = shadowtime("run", log).out
    assert (found["jobs"], found["dropped"]) == (2, {"runtime": 1, "larger_than_machine": 1})
    assert (found["rows"], found["dropped_lines"]) == (4, {"runtime": 4, "larger_than_machine": 5})
    assert "dropped: 1 runtime (from line 4), 1 larger_than_machine (from line 5)" in table
    assert "out of order" in table


def test_the_same_command_gives_the_same_bytes(story: Story, tmp_path: Path) -> None:
    """Everything is deterministic: two processes with other hash seeds write the same."""
    written = []
    for seed in ("1", "2"):
        schedule, events = tmp_path / f"{seed}.csv", tmp_path / f"{seed}.jsonl"
        outputs = ["--json", "--schedule", schedule, "--events", events]
        path = story("generated/day-1024.toml")
        ended = process("run", path, *outputs, environment={"PYTHONHASHSEED": seed})
        assert (ended.code, ended.err) == (0, "")
        written.append((ended.out, schedule.read_bytes(), events.read_bytes()))
    assert written[0] == written[1]


SAVING = Path(__file__).parent.parent / "console/stories/saving.toml"
"""A story in which one job of four is preempted, once."""


def test_the_table_shows_of_preemption_where_there_was_any(shadowtime: Shadowtime, story: Story) -> None:
    """How many jobs and how often, and the three figures with their units; nothing of it elsewhere."""
    printed = " ".join(shadowtime("run", SAVING).out.split())
    assert "preempted 1 job, 1 time in all" in printed
    assert f"preempt_ratio 25.00 % {MEASURES['preempt_ratio'][1]}" in printed
    assert "wasted_ratio" in printed and MEASURES["wasted_ratio"][1] in printed
    assert "(p = 0.5, threshold = 0s, delay = 5m, extend = 5m, limit = 0, " in printed
    plain = shadowtime("run", story(DILEMMA)).out
    assert not any(word in plain for word in ("preempt", "checkpoints", "wasted"))
    assert "preempt_ratio" in report(shadowtime, story(DILEMMA))["metrics"], "the object has all of them"


def test_the_table_marks_a_reconstruction(shadowtime: Shadowtime, story: Story) -> None:
    """The policy's name, and its parameters as they are typed."""
    printed = " ".join(shadowtime("run", story(DILEMMA), "--policy", "flex").out.split())
    assert (
        "policy flex (reconstruction; slack = 1h, slack_factor = not set, cost = wait, heavy = false)"
        in printed
    )


def test_a_policy_that_changes_its_mind_writes_events_without_a_job(
    shadowtime: Shadowtime, story: Story, tmp_path: Path
) -> None:
    """In --events the job of such a decision is null, and the orders have their names."""
    path = tmp_path / "events.jsonl"
    ended = shadowtime("run", story(DILEMMA), "--policy", "dynp:threshold=1", "--events", path)
    assert ended.code == 0
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    switches = [line for line in lines if line["kind"] == "switch_policy"]
    assert switches[0]["job"] is None
    made = switches[0]["decisions"][0]
    assert (made["kind"], made["job"], made["reason"]) == ("switch", None, "aert")
    assert (made["numbers"]["was"], made["numbers"]["becomes"]) == ("fcfs", "ljf")


@pytest.mark.parametrize("option", ["--schedule", "--events", "--swf", "--batsim"])
def test_nothing_is_written_over_what_is_simulated(
    option: str, shadowtime: Shadowtime, story: Story, tmp_path: Path
) -> None:
    """One line, and the scenario, or the log, is as it was."""
    path = tmp_path / "mine.toml"
    path.write_bytes(story(DILEMMA).read_bytes())
    ended = shadowtime("run", path, option, tmp_path / "." / path.name)
    assert (ended.code, len(ended.complaints)) == (2, 1)
    assert path.read_bytes() == story(DILEMMA).read_bytes()


def test_what_the_operator_did_is_reported(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """How many actions, the policy in force at the end, who was cancelled and who never ran."""
    job = '[[job]]\nid = {}\nsize = 4\nsubmit = {}\nruntime = "1h"\n'
    text = 'title = "steered"\n[machine]\nnodes = 4\n[policy]\nname = "easy"\n'
    text += "".join(job.format(number, number) for number in (1, 2, 3))
    plain, path = tmp_path / "plain.toml", tmp_path / "steered.toml"
    plain.write_text(text)
    text += '[[action]]\nat = 5\ndo = "hold"\njob = 2\n[[action]]\nat = 6\ndo = "cancel"\njob = 3\n'
    text += '[[action]]\nat = 7\ndo = "policy"\npolicy = {name = "fcfs"}\n'
    path.write_text(text + '[[action]]\nat = 8\ndo = "hold"\njob = 1\n')
    table = shadowtime("run", path).out
    for label, fact in (
        ("actions", "3"),
        ("refused", cannot("hold", 1, "R")),
        ("in force", "fcfs, began as easy, at the end"),
        ("of the jobs", "1 cancelled, 1 not started"),
    ):
        assert any(line.split() == [*label.split(), *fact.split()] for line in table.splitlines()), label
    assert json.loads(shadowtime("run", path, "--json").out)["steered"] == {
        "actions": 3, "refused": [cannot("hold", 1, "R")],
        "policy": "fcfs", "parameters": FCFS, "cancelled": 1, "struck": 0, "not_started": 1,
    }  # fmt: skip
    assert "steered" not in json.loads(shadowtime("run", plain, "--json").out)
    assert "in force" not in shadowtime("run", plain).out


@pytest.mark.parametrize(
    ("name", "unit"), [("fj97/do-not-disturb.toml", "PE"), ("small/06-scan-order.toml", "nodes")]
)
def test_the_machine_is_counted_in_what_its_jobs_ask_for(
    shadowtime: Shadowtime, story: Story, name: str, unit: str
) -> None:
    """A torus in PE, and nowhere in nodes; any other machine in nodes. The JSON has its fixed names."""
    table = shadowtime("run", story(name)).out
    counted = dict(line.split(maxsplit=1) for line in table.splitlines() if line[:1].isalpha())
    assert counted["machine"].split()[1] == unit
    assert "nodes" not in table or unit == "nodes"
    assert PE.fill(MEASURES["checkpoints_per_node_day"][1]) in table or unit == "nodes"
    assert int(counted["machine"].split()[0]) == report(shadowtime, story(name))["nodes"]


def test_an_epoch_is_reported_and_read_if_it_is_known(shadowtime: Shadowtime, story: Story) -> None:
    """Everything else of the report stays in seconds."""
    day = story("fj97/t3d-day.toml")
    assert report(shadowtime, day)["epoch"] == "1996-06-04T06:00:00"
    assert "epoch" not in report(shadowtime, story(DILEMMA))
    early = report(shadowtime, day, "--until", "1996-06-04 08:00")
    assert early == report(shadowtime, day, "--until", "2h")
    assert "1996-06-04 06:00:00 to 1996-06-" in shadowtime("run", day, "--clock", "calendar").out


def test_a_calendar_that_is_not_known_gives_one_line(shadowtime: Shadowtime, story: Story) -> None:
    ended = shadowtime("run", story(DILEMMA), "--clock", "calendar")
    assert ended.code == 0 and ended.complaints == [
        "elapsed time: the calendar is not known here: a log gives it as UnixStartTime, a scenario as epoch"
        " of its machine"
    ]
    assert shadowtime("run", story(DILEMMA), "--until", "2000-06-01 14:00").code == 2
