"""Notes are shown where they are true, and nowhere else."""

from pathlib import Path

import pytest

from shadowtime.console.session import Session, load, open_session

STORY = """
[machine]
nodes = 4
[policy]
name = "fcfs"
[[variant]]
name = "turns"
policy = { name = "gang", quantum = "10m" }
[[job]]
id = 1
size = 3
submit = 0
runtime = "1h"
[[job]]
id = 2
size = 4
submit = 60
runtime = "1h"
"""
NOTES = {
    "own": "",
    "turns": 'variant = "turns"',
    "both": 'variant = ["fcfs", "turns"]',
    "all": 'variant = "all"',
    "any": 'variant = "any"',
    "runs": 'variant = "any"\nwhen = { job = 2, state = "R" }',
    "waits": 'when = { job = 2, state = "N" }',
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    notes = (f'[[note]]\nat = 660\ntext = "{name}"\n{more}\n' for name, more in NOTES.items())
    path = tmp_path / "story.toml"
    path.write_text(STORY + "".join(notes))
    return path


def notes_of(session: Session) -> set[str]:
    session.go_end()
    return {note.text for note in session.notes(-1, session.time)}


@pytest.mark.parametrize(
    ("policy", "shown"),
    [
        (None, {"own", "both", "all", "any", "waits"}),
        ("fcfs", {"own", "both", "all", "any", "waits"}),
        ("gang:quantum=10m", {"turns", "both", "all", "any", "runs"}),
        ("gang:quantum=20m", {"any"}),
        ("gang:slots=3", {"any"}),
    ],
)
def test_a_note_belongs_to_the_courses_that_it_names(path: Path, policy: str | None, shown: set[str]) -> None:
    assert notes_of(open_session(load(path, policy=policy))) == shown


def test_a_variant_by_name_and_a_machine_of_another_size(path: Path) -> None:
    assert "turns" in notes_of(open_session(load(path, variant="turns")))
    assert notes_of(open_session(load(path, nodes=8))) == {"any", "runs"}


def test_from_an_action_of_the_operator_on_only_what_is_always_true_is_shown(
    path: Path, tmp_path: Path
) -> None:
    session = open_session(load(path))
    session.go_event(3)
    session.act("hold 2")
    assert notes_of(session) == {"any"}
    assert notes_of(session.fork("other")) == {"any"}
    session.save(tmp_path / "saved.toml")
    assert notes_of(open_session(load(tmp_path / "saved.toml"))) == {"any"}
    session.undo()
    assert notes_of(session) == {"own", "both", "all", "any", "waits"}


def test_a_note_from_before_the_action_stays(path: Path) -> None:
    session = open_session(load(path))
    session.go_time(3600)
    session.act("cancel 2")
    assert "own" in notes_of(session)
