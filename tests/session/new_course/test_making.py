"""A course and a shift out of a log and of a captured cluster: sound and whole, or not there."""

from pathlib import Path
from random import Random

import pytest

from shadowtime.console.commands.training.soundness import spoken
from shadowtime.console.session import ScenarioError, SessionError, load
from shadowtime.console.session.new_course.making import Made, new_course
from shadowtime.console.session.new_course.stretches import starts_of, stretches, values_of
from shadowtime.console.session.shift.soundness import examine_shift
from shadowtime.console.session.training.soundness import examine
from shadowtime.scenarios import cluster_folders, read_course
from tests.scenarios.support import log

HEAD = "; MaxProcs: 32\n; UnixStartTime: 893466664\n; TimeZone: 0\n"


def busy_log(folder: Path) -> Path:
    """Half a day on 32 nodes: more work than fits, with recorded waits, and users by number."""
    random, path = Random(5), folder / "busy.swf"
    rows = [
        f"{job} {at} {random.choice((0, 600, 7200))} {random.randint(600, 20000)} -1 -1 -1"
        f" {random.choice((1, 2, 4, 8, 16, 30))} 21600 -1 1 {random.randint(40, 49)} -1 -1 3 -1 -1 -1"
        for job, at in enumerate(sorted(random.sample(range(40000), 50)), 1)
    ]
    path.write_text(log(*rows, header=HEAD))
    return path


def made(folder: Path, source: Path, **given: bool) -> Made:
    """A course beside its source."""
    return new_course(folder / "course", source, spoken, **given)


def test_a_stretch_begins_in_the_midst_of_what_was_recorded(tmp_path: Path) -> None:
    """What runs has its rest before it; what waits comes a second later; all else when it came."""
    path = tmp_path / "a.swf"
    row = "{} {} {} {} -1 -1 -1 {} {} -1 1 7 -1 -1 3 -1 -1 -1"
    jobs = [(1, 40000, 10, 9000, 20, 9999), (2, 41000, 5000, 100, 20, 200), (3, 43300, 0, 50, 1, 60)]
    more = [(job, 43201 + job, 30, 60, 1, 60) for job in range(4, 24)]
    path.write_text(log(*(row.format(*job) for job in (*jobs, *more)), header=HEAD))
    case = load(path)
    starts = starts_of(case, path)
    (stretch, *_) = stretches(case, starts)
    assert (stretch.begin, stretch.length, len(stretch.rows)) == (43200, 43200, 23)
    values = values_of(case, starts, stretch, anonymous=False)
    assert values["machine"] == {"nodes": 32, "epoch": "1998-04-25 13:11:04"}
    hidden = values_of(case, starts, stretch, anonymous=True)["job"]
    assert {row["user"] for row in hidden} == {"user1"}  # type: ignore[attr-defined]
    found = {row["id"]: row for row in values["job"]}  # type: ignore[attr-defined]
    # Job 1 began at 40010, and has run for 3190 s.
    assert [found[1][key] for key in ("submit", "runtime", "estimate")] == [0, 9000 - 3190, 9999 - 3190]
    assert [found[2][key] for key in ("submit", "runtime", "estimate")] == [1, 100, 200]
    assert [found[3][key] for key in ("submit", "runtime", "user")] == [101, 50, "7"]


def test_a_log_without_waits_begins_as_easy_has_it(tmp_path: Path) -> None:
    path = tmp_path / "a.swf"
    path.write_text(log("1 0 -1 50 -1 -1 -1 32 60 -1 1 7 -1 -1 3 -1 -1 -1",
                        "2 5 -1 50 -1 -1 -1 32 60 -1 1 7 -1 -1 3 -1 -1 -1", header=HEAD))  # fmt: skip
    assert list(starts_of(load(path), path)) == [0, 50]


@pytest.mark.parametrize(("wait", "runtime"), [(2**61, 50), (-1, 2**60)])
def test_a_wait_of_ages_takes_no_ages(tmp_path: Path, wait: int, runtime: int) -> None:
    """A recorded start that nothing else reaches is not used; a wait behind a long job ends in a year."""
    path = tmp_path / "a.swf"
    path.write_text(log(f"1 0 -1 {runtime} -1 -1 -1 32 {runtime} -1 1 7 -1 -1 3 -1 -1 -1",
                        f"2 5 {wait} 50 -1 -1 -1 32 60 -1 1 7 -1 -1 3 -1 -1 -1", header=HEAD))  # fmt: skip
    case = load(path)
    starts = starts_of(case, path)
    assert list(starts) == [0, runtime] and not list(stretches(case, starts))


def test_a_course_and_a_shift_out_of_a_log(tmp_path: Path) -> None:
    """Both are sound when they are checked again; nothing is made over it."""
    source = busy_log(tmp_path)
    report = made(tmp_path, source)
    folder = tmp_path / "course"
    assert not report.course.flaws and report.has_shift and not report.shift.flaws
    assert not examine(read_course(folder), spoken).flaws
    shift = load(folder / "shift.toml")
    assert examine_shift(shift).reached == 100
    assert set(shift.columns.user) <= {str(user) for user in range(40, 50)}
    asked = [
        question.ask for path in read_course(folder).lessons for question in load(path).scenario.questions
    ]
    assert {"next_start", "why", "start_time", "delayed", "remedy"} == set(asked)
    with pytest.raises(SessionError, match="is there already"):
        made(tmp_path, source)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (log("1 0 0 50 -1 -1 -1 32 60 -1 1 7 -1 -1 3 -1 -1 -1", header=HEAD), "expected a busier log"),
        ("", "is empty"),
    ],
)
def test_what_gives_no_course_leaves_nothing(tmp_path: Path, text: str, words: str) -> None:
    source = tmp_path / "a.swf"
    source.write_text(text)
    with pytest.raises(ScenarioError, match=words):
        made(tmp_path, source)
    with pytest.raises(ScenarioError, match=words):
        made(tmp_path / "new" / "deep", source)
    with pytest.raises(SessionError, match="is no name of a folder"):
        new_course(tmp_path / "new" / "..", source, spoken)
    assert [path.name for path in tmp_path.iterdir()] == ["a.swf"]
    with pytest.raises(ScenarioError, match="is no log and no captured cluster"):
        made(tmp_path, tmp_path)


@pytest.mark.proof
def test_a_course_and_a_shift_out_of_a_capture(tmp_path: Path) -> None:
    """The capture is copied, without names if that is asked for; the shift is played on its machine."""
    source = cluster_folders()[0]
    report = made(tmp_path, source, anonymous=True)
    folder = tmp_path / "course"
    assert not report.course.flaws and report.has_shift and not report.shift.flaws
    assert (folder / "cluster" / "squeue.json").exists() and not (folder / "cluster" / "plan.csv").exists()
    shift = load(folder / "shift.toml")
    assert shift.nodes == load(source).nodes and len(shift.jobs) == len(load(source).jobs)
    assert examine_shift(shift).reached == 100
    kinds = {
        question.ask for path in read_course(folder).lessons for question in load(path).scenario.questions
    }
    assert {"not_running", "planned_start", "planned_nodes", "sooner", "put_off"} >= kinds >= {"sooner"}
