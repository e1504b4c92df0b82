"""A session that is saved is a scenario file that reads well, and leads through the same events."""

import os
import tomllib
from datetime import datetime
from pathlib import Path

import pytest

from shadowtime.console.session.case import base_case, load
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.session import Session
from shadowtime.scenarios import Job, Machine, PolicyChoice, Scenario, ScenarioError, Workload
from shadowtime.scenarios.text.writing import MARK, stood_at

STORY = """\
# A comment of the author.
title = "The dilemma"

[machine]
nodes = 8                    # eight of them

[policy]
name = "easy"

[[job]]
id = 1
size = 6
submit = 0
runtime = "1h"
estimate = "2h"

[[job]]
id = 2
size = 4
submit = 60
runtime = "10m"

[[variant]]
name = "patient"
policy = {name = "conservative"}

[[action]]                   # the file's own
at = "0 00:05:00"
do = "priority"
job = 2
to = 1

[[expect]]
at = "0 00:01:00"
metric = "queue_length"
equals = 1
"""
WITHOUT_EXPECT = STORY[: STORY.index("\n[[expect]]")]
LOG = """\
; MaxProcs: 8
; UnixStartTime: 0
; TimeZoneString: UTC
1 0 -1 3600 6 -1 -1 6 7200 -1 1 1 -1 -1 -1 -1 -1 -1
2 60 -1 600 4 -1 -1 4 600 -1 1 1 -1 -1 -1 -1 -1 -1
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "story.toml").write_text(STORY)
    (tmp_path / "two.swf").write_text(LOG)
    return tmp_path


def steered(path: Path, **options: object) -> Session:
    """A session in which something was done."""
    session = Session(load(path, **options))  # type: ignore[arg-type]
    session.go_time(60)
    session.act("hold 2")
    session.go_time(600)
    session.act("release 2")
    session.act("drain 7")
    return session


def same(one: Session, other: Session) -> bool:
    """Whether two sessions show the same at every event."""
    one.go_start()
    other.go_start()
    while one.digest() == other.digest() and one.snapshot().last == other.snapshot().last:
        if not one.step() or not other.step():
            return one.over and other.over
    return False


def test_the_text_of_the_scenario_stays(folder: Path) -> None:
    """The actions follow it, each with its moment."""
    steered(folder / "story.toml").save(folder / "saved.toml")
    assert (
        (folder / "saved.toml").read_text()
        == WITHOUT_EXPECT
        + f"""
{MARK}
[[action]]
at = "#4"  # 0 00:01:00
do = "hold"
job = 2

[[action]]
at = "#8"  # 0 00:05:00
do = "release"
job = 2

[[action]]
at = "#9"  # 0 00:05:00
do = "drain"
nodes = "7"

# It stood after event 10.
"""
    )


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("story.toml", {}),
        ("story.toml", {"policy": "fcfs"}),
        ("story.toml", {"policy": "easy:scan=shortest"}),
        ("story.toml", {"settings": ("scan=widest",)}),
        ("story.toml", {"variant": "patient"}),
        ("story.toml", {"nodes": 9}),
        ("two.swf", {}),
        ("two.swf", {"nodes": 9, "policy": "dynp:lower=1h,threshold=2"}),
    ],
)
@pytest.mark.parametrize("where", [".", "elsewhere"])
def test_the_file_leads_through_the_same_events(
    folder: Path, name: str, options: dict[str, object], where: str
) -> None:
    """Whatever was named beside the file, and wherever it is saved; saved again it is the same file."""
    (folder / "elsewhere").mkdir()
    target = folder / where / "saved.toml"
    session = steered(folder / name, **options)
    session.save(target)
    again = Session(load(target))
    assert same(session, again)
    text = target.read_text()
    again.go_event(stood_at(text) or 0)
    again.save(target)
    assert target.read_text() == text
    again.go_end()
    again.act("up 7")
    again.save(target)
    assert target.read_text().startswith(text.partition("\n# It stood")[0])
    assert same(again, Session(load(target)))


def test_actions_that_are_taken_back_leave_the_file(folder: Path) -> None:
    """Undo works in a session that was loaded, too; what a person wrote beside an action stays."""
    target = folder / "saved.toml"
    steered(folder / "story.toml").save(target)
    target.write_text(target.read_text().replace('at = "#4"', '# to be sure\nat = "#4"'))
    again = Session(load(target))
    assert [action.do for action in again.journal] == ["hold", "release", "drain"]
    again.undo()
    again.undo()
    again.save(target)
    assert "# to be sure" in target.read_text()
    assert [action.do for action in Session(load(target)).journal] == ["hold"]
    assert again.redo() is not None
    again.keep()
    assert [action.do for action in Session(load(target)).journal] == ["hold", "release"]


def test_another_file_is_not_written_over(folder: Path) -> None:
    """A saved session is; all else, the scenario itself too, only where that is asked for."""
    session = steered(folder / "story.toml")
    other = folder / "other.toml"
    other.write_text("mine")
    with pytest.raises(SessionError, match="is there already, and is no saved session; save!"):
        session.save(other)
    assert other.read_text() == "mine"
    assert session.operator.saved_path is None
    session.save(other, force=True)
    assert session.operator.saved_path == other
    steered(folder / "two.swf").save(other)
    with pytest.raises(SessionError, match="is no saved session"):
        session.save(folder / "story.toml")
    assert (folder / "story.toml").read_text() == STORY
    session.save(folder / "story.toml", force=True)
    with pytest.raises(SessionError, match="is the session of another policy"):
        Session(load(folder / "story.toml", policy="fcfs")).save(folder / "story.toml")
    with pytest.raises(SessionError, match="is a folder"):
        session.save(folder, force=True)
    with pytest.raises(SessionError, match="is the name of a log"):
        session.save(folder / "two.swf", force=True)


def test_a_scenario_under_another_policy_does_not_replace_itself(folder: Path) -> None:
    """Its comments would be lost."""
    session = steered(folder / "story.toml", policy="fcfs")
    with pytest.raises(SessionError, match="is no saved session"):
        session.save(folder / "story.toml")
    assert (folder / "story.toml").read_text() == STORY


def test_a_disk_that_is_full_leaves_the_file_as_it_was(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file takes its name when all is written."""
    target = folder / "saved.toml"
    session = steered(folder / "story.toml")
    session.save(target)
    before = target.read_text()
    session.act("up 7")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        session.keep()
    assert target.read_text() == before
    assert len(list(folder.iterdir())) == 3


@pytest.mark.parametrize("policy", ["fcfs", "conservative", "sjf"])
def test_a_parameter_that_the_run_refuses_is_no_fault_of_the_saved_file(folder: Path, policy: str) -> None:
    """In a file of one's own it is; under the policy that was named beside that file it is only refused."""
    path, target = folder / "story.toml", folder / "saved.toml"
    path.write_text(
        f'{STORY}\n[[action]]\nat = "0 00:06:00"\ndo = "parameter"\nkey = "scan"\nvalue = "shortest"\n'
    )
    session = steered(path, policy=policy)
    session.save(target)
    again = Session(load(target))
    assert same(session, again)
    saved = target.read_text()
    again.go_event(stood_at(saved) or 0)
    again.save(target)
    assert target.read_text() == saved
    target.write_text("\n".join(line for line in saved.splitlines() if line != MARK))
    with pytest.raises(ScenarioError, match='key is "scan"; the policy is'):
        load(target)


def test_only_parameters_that_are_not_the_defaults_are_written(folder: Path) -> None:
    """A file that is made anew names what was chosen, and the rest follows the program."""
    session = Session(load(folder / "two.swf", policy="dynp:lower=1h,threshold=2"))
    session.save(folder / "saved.toml")
    written = tomllib.loads((folder / "saved.toml").read_text())["policy"]
    assert written == {"name": "dynp", "lower": 3600, "threshold": 2}


def test_a_case_that_was_made_without_a_file_is_written_whole(folder: Path) -> None:
    """The machine with all that it has, and the jobs; whoever opens it has the same before them."""
    machine = Machine(
        nodes=4,
        unit="processor",
        per_node=2,
        epoch=datetime(1996, 6, 3, 8, 30),
        on_failure="checkpoint",
        checkpoint_interval=90,
    )
    jobs = [Job(7, 8, 0, 60, 100, user="kim", klass="debug"), Job(9, 2, 5, 30, 30, name="last")]
    scenario = Scenario("Made", machine, PolicyChoice("easy"), Workload.of(jobs), folder / "none.toml")
    session = Session(base_case(scenario))
    session.go_time(5)
    session.act("hold 9")
    session.save(folder / "saved.toml")
    again = Session(load(folder / "saved.toml"))
    assert again.case.scenario.machine == machine
    for name in ("id", "size", "submit", "runtime", "estimate", "user", "klass", "queue", "name"):
        assert list(getattr(again.case.columns, name)) == list(getattr(scenario.workload, name))
    assert same(session, again)


def test_what_goes_leaves_no_gap(folder: Path) -> None:
    """An expectation in the middle goes with its empty line; an action whose last key is `do` stays."""
    action = f'{MARK}\n[[action]]\nat = "#4"\njob = 2\ndo = "hold"\n'
    title, rest = WITHOUT_EXPECT.split("\n[machine]")
    middle = '\n[[expect]]\nmetric = "queue_length"\nequals = 0\n'
    path = folder / "middle.toml"
    path.write_text(f"{title}{middle}\n[machine]{rest}\n{action}")
    session = Session(load(path))
    assert [made.do for made in session.journal] == ["hold"]
    session.save(path)
    assert path.read_text() == f"{WITHOUT_EXPECT}\n{action}"
