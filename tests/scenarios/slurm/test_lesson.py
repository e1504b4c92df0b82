"""Lessons on captured clusters, and the changes that questions suppose: what is read and what is refused."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from shadowtime.console.session import load
from shadowtime.scenarios import ScenarioError, cluster_folders
from shadowtime.scenarios.slurm import read_capture
from shadowtime.scenarios.slurm.changes import Change, changed, parse_change
from shadowtime.scenarios.slurm.lesson import instant_after, supposed_change
from tests.scenarios.slurm.support import files, write

HEAD = 'title = "T"\nabout = "A"\ncluster = "{}"\n'
QUESTION = '\n[[question]]\nask = "{}"\n'
CLUSTER = read_capture(cluster_folders()[0])


def lesson(folder: Path, text: str, cluster: str = "here") -> Path:
    """A lesson with a captured folder beside it."""
    write(folder / "here", files(42))
    path = folder / "lesson.toml"
    path.write_text(HEAD.format(cluster) + text)
    return path


def test_a_lesson_is_about_the_folder_beside_it_or_a_shipped_one(tmp_path: Path) -> None:
    """Its questions are in the order of the file, at the one instant that there is."""
    text = QUESTION.format("not_running") + "job = 2\n" + QUESTION.format("planned_start") + "pick = 1\n"
    scenario = load(lesson(tmp_path, text)).scenario
    assert scenario.cluster is not None and len(scenario.cluster.jobs) == 2
    assert [(it.ask, it.job, it.pick, it.at) for it in scenario.questions] == [
        ("not_running", 2, 0, 0), ("planned_start", None, 1, 0),
    ]  # fmt: skip
    shipped = load(lesson(tmp_path, QUESTION.format("planned_nodes") + "job = 77\n", "two-tiers")).scenario
    assert shipped.cluster is not None and len(shipped.cluster.nodes) == 64


@pytest.mark.parametrize(
    ("text", "cluster", "words"),
    [
        ("", "nowhere", 'cluster is "nowhere"; expected the folder of a captured cluster'),
        ("", "a\\u0000b", "expected the folder of a captured cluster"),
        (QUESTION.format("why"), "here", "not_running"),
        (QUESTION.format("not_running"), "here", "job"),
        (QUESTION.format("not_running") + "job = 1\n", "here", "no job of that number waits"),
        (QUESTION.format("sooner") + 'job = 2\namong = ["cancel 1"]\n', "here", "two to four changes"),
        (QUESTION.format("sooner") + 'job = 2\namong = ["cancel 1", "burn 2"]\n', "here", "is no change"),
        (QUESTION.format("put_off") + 'pick = 1\ndo = "cancel 1"\n', "here", "do does not go with pick"),
        (QUESTION.format("put_off"), "here", "do"),
        (QUESTION.format("put_off") + 'do = "drain n1 at 22:00"\n', "here", "is not made at the instant"),
        (QUESTION.format("put_off") + 'do = "reserve n1 monday 4h"\n', "here", "'monday' is no instant"),
        (QUESTION.format("put_off") + 'do = "set bf_nothing=3"\n', "here", "there is no number bf_nothing"),
        (QUESTION.format("not_running") + "job = 2\nwithin = 3\n", "here", "within does not go with"),
        ("[machine]\nnodes = 3\n", "here", "machine"),
    ],
)
def test_a_fault_has_its_place(tmp_path: Path, text: str, cluster: str, words: str) -> None:
    """The file and the line."""
    path = lesson(tmp_path, text, cluster)
    with pytest.raises(ScenarioError) as caught:
        load(path)
    fault = str(caught.value.faults[0])
    assert words in fault and fault.startswith(f"{path}:"), fault


@pytest.mark.parametrize(
    ("line", "change"),
    [
        ("job 31  limit=30m", Change("limit", "31", "30m")),
        ("cancel 31", Change("cancel", "31")),
        ("limit 31 +1h", Change("limit", "31", "+1h")),
        ("drain 0-3", Change("drain", "0-3")),
        ("up n05", Change("resume", "n05")),
        ("resume n05", Change("resume", "n05")),
        ("set bf_max_job_test=5", Change("set", "max_job_test", "5")),
    ],
)
def test_a_change_is_a_line(line: str, change: Change) -> None:
    """As an operator would type it."""
    assert parse_change(line) == change


@pytest.mark.parametrize(
    "line",
    [
        "", "job x limit=1", "cancel n05", "set bf_busy_nodes=1", "set max_job_test=1", "job 1 size=3",
        "cancel 99999", "job 64 limit=90s", "job 64 limit=x", "job 64 nodes=0", "job 64 nodes=65",
        "job 64 partition=none", "job 64 partition=batch,batch", "job 64 partition=short",
        "job 64 priority=-1",
        "job 1 priority=5", "hold 1", "release 64", "drain nowhere", "drain 64", "hold n01",
        "resume n01", "resume nowhere", "unreserve nobody",
        "requeue 1", "drain n01 at 18:00", "reserve n01 18:00 4h",
    ],
)  # fmt: skip
def test_what_cannot_be_changed_is_one_line(line: str) -> None:
    """Whether it is no change, or none of this cluster."""
    with pytest.raises(ValueError) as caught:
        changed(CLUSTER, parse_change(line))
    assert str(caught.value) and "\n" not in str(caught.value)


def test_an_instant_is_the_next_one_that_the_clock_shows() -> None:
    """Of the same day, of the next one, and of a date; a reservation begins there."""
    taken = int(datetime(2026, 12, 31, 20, 30, tzinfo=UTC).timestamp())
    assert [instant_after(taken, text) - taken for text in ("20:30", "21:00:05", "20:00")] == [0, 1805, 84600]
    assert instant_after(taken, "01-02 20:30") - taken == 2 * 86400
    assert instant_after(taken, "2031-11-24 01:30") == datetime(2031, 11, 24, 1, 30, tzinfo=UTC).timestamp()
    leap = datetime(2027, 3, 1, tzinfo=UTC).timestamp()
    assert instant_after(int(leap), "02-29 00:00") == datetime(2028, 2, 29, tzinfo=UTC).timestamp()
    for wrong in ("02-29 01:00", "2026-11-24 01:30", "25:00", "0000-01-01 00:00", "soon"):
        with pytest.raises(ValueError, match="is no instant"):
            instant_after(taken, wrong)
    change = supposed_change("reserve n[1-2] 01-01 00:30 2h", taken)
    assert (change.what, change.at, change.value) == ("reserve", taken + 4 * 3600, "2h")


def test_a_shift_has_the_machine_and_the_jobs_of_its_cluster_beside_its_own(tmp_path: Path) -> None:
    """Its own job comes to those that run and wait; what it says of the machine counts, too."""
    own = '[machine]\non_failure = "requeue"\n[shift]\nkind = "incident"\ngoal = "x"\n'
    job = '[[job]]\nid = 99\nsize = 1\nsubmit = "1h"\nruntime = 60\n'
    path = lesson(tmp_path, own + job)
    case, alone = load(path), load(tmp_path / "here")
    assert case.scenario.shift is not None and case.scenario.cluster is None
    assert case.nodes == alone.nodes and case.scenario.machine.on_failure == "requeue"
    assert sorted(case.columns.id) == sorted([*alone.columns.id, 99])
    path.write_text(HEAD.format("nowhere") + own)
    with pytest.raises(ScenarioError, match="expected the folder of a captured cluster"):
        load(path)
    path.write_text(
        HEAD.format("here") + own.replace("[machine]\non_failure", "machine = 3\n[x]\non_failure")
    )
    with pytest.raises(ScenarioError, match="machine is 3"):
        load(path)
