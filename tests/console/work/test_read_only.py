"""A console in which nothing can be done, and one that reads and writes no file."""

import io
from pathlib import Path

import pytest

from shadowtime.console.lines import tell
from shadowtime.console.screens.opening import Opening
from shadowtime.console.screens.pages.browser import Browser
from shadowtime.console.screens.palette.provider import Everything
from shadowtime.console.session import open_session
from shadowtime.console.session.operator.recovery import Recovery, left_behind
from shadowtime.console.session.permissions import ALL, Permissions
from shadowtime.console.session.training.progress import Record, Unkept
from tests.console.operator import STORIES, Operator, case, operate, with_first

READ_ONLY = Permissions(read_only=True)
NO_FILES = Permissions(no_files=True)
ACTING = "read-only: nothing can be acted on"
WRITING = "read-only: nothing can be saved or exported"
TYPED = (
    ("hold 2", ACTING),
    ("policy fcfs", ACTING),
    ("set scan=shortest", ACTING),
    ("drain 0-3", ACTING),
    ("undo", ACTING),
    ("redo", ACTING),
    ("save {file}", WRITING),
    ("save! {file}", WRITING),
    ("export svg {file}", WRITING),
    ("report {file}", WRITING),
    ("export swf! {file}", WRITING),
    ("copy panel {file}", WRITING),
    ("train", "read-only: there is no training"),
)


@pytest.mark.proof
def test_nothing_is_done_in_a_console_to_look_at(tmp_path: Path) -> None:
    """Each key and each command is refused in one line; going, comparing and what-if are not."""

    async def story(operator: Operator) -> None:
        assert "READ-ONLY" in operator.title
        assert "act" not in operator.lines[-1].split()
        for key, refusal in (("a", ACTING), ("u", ACTING), ("U", ACTING), ("t", "no training")):
            await operator.press(key)
            assert refusal in operator.message
            await operator.press("n", "p")
        for line, refusal in TYPED:
            await operator.press("colon")
            await operator.type(line.format(file=tmp_path / "out.toml"))
            assert refusal in operator.message, line
        assert not operator.console.session.journal
        await operator.press("colon")
        await operator.type("copy panel")
        assert "copied" in operator.message
        await operator.press("colon")
        await operator.type("whatif hold 2")
        assert "COMPARE" in operator.title and "READ-ONLY  ||" in operator.title

    operate(story, at="#6", permissions=READ_ONLY)
    assert not list(tmp_path.iterdir())


@pytest.mark.proof
@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 18)])
def test_the_title_shows_it_at_any_size(size: tuple[int, int]) -> None:
    """Beside whether the clock stands still."""

    async def story(operator: Operator) -> None:
        assert "READ-ONLY  ||" in operator.title

    operate(story, size=size, permissions=READ_ONLY)


@pytest.mark.proof
def test_no_file_is_touched_without_permission(tmp_path: Path) -> None:
    """A saved session is not written when something is done, and training forgets its answers."""

    async def save(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type(f"save {tmp_path / 'session.toml'}")
        assert "saved to" in operator.message

    operate(save, at="#6")
    before = (tmp_path / "session.toml").read_bytes()

    async def story(operator: Operator) -> None:
        for line, refusal in (
            (f"save {tmp_path / 'other.toml'}", "no file can be written"),
            ("save", "no file can be written"),
            (f"export svg {tmp_path / 'out.svg'}", "no file can be written"),
            (f"copy panel {tmp_path / 'out.txt'}", "no file can be written"),
            (f"train {tmp_path}", "no other file can be read"),
        ):
            await operator.press("colon")
            await operator.type(line)
            assert refusal in operator.message, line
        await operator.press("colon")
        await operator.type("hold 2")
        assert "not saved" not in operator.message and len(operator.console.session.journal) == 1
        await operator.press("t")
        assert "TRAINING" in operator.text

    from shadowtime.console.session import load

    operate(story, load(tmp_path / "session.toml"), at="#6", permissions=NO_FILES)
    assert (tmp_path / "session.toml").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["session.toml"]


def test_progress_that_is_not_kept_is_progress_all_the_same() -> None:
    """The best of each question, as long as the console runs."""
    progress = Unkept()
    for question, verdict, points in ((1, "right", 1), (1, "right", 3), (1, "wrong", 0), (2, "skipped", 0)):
        progress.save(Record("kim", "now", "course", "one", question, "starts", verdict, points=points))
    assert progress.standing("kim", "course")["one"].best == {1: 3}
    assert not progress.standing("ada", "course") and len(progress.records()) == 4


@pytest.mark.proof
@pytest.mark.parametrize(
    ("permissions", "editing", "opening"),
    [
        (READ_ONLY, "read-only: no file can be edited", "read-only: no other file can be opened"),
        (NO_FILES, "no file can be edited from here", "no other file can be read from here"),
    ],
)
def test_files_are_neither_edited_nor_opened_nor_written_by_a_sweep(
    permissions: Permissions, editing: str, opening: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`E`, the palette and `s` on the page of a sweep."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDITOR", f"touch {tmp_path / 'edited'};")

    async def story(operator: Operator) -> None:
        await operator.press("E")
        assert operator.message.startswith(editing)
        palette = Everything(operator.app.screen)
        await palette.startup()
        names = [entry.name for entry in palette.entries()]
        assert any(name.startswith(":goto") for name in names)
        assert not [name for name in names if name.startswith(("Open", "Edit"))]
        for command in (":hold", ":priority"):
            assert any(name.startswith(command) for name in names) != permissions.read_only
        for command in (":save", ":export"):
            assert not any(name.startswith(command) for name in names)
        Opening(operator.app.screen).open(STORIES / "saving.toml")
        await operator.rest()
        assert operator.message.startswith(opening)
        operator.console.command("sweep fcfs")
        await operator.rest()
        await operator.until(lambda: "mean_wait" in operator.text)
        await operator.press("s")
        assert permissions.no_writing.split(" (")[0] in operator.text

    operate(story, at="#6", permissions=permissions)
    assert not list(tmp_path.iterdir())


@pytest.mark.proof
def test_unsaved_actions_without_files_are_asked_about_and_not_kept() -> None:
    """What another session left behind is neither read nor deleted."""

    session = open_session(case())
    session.act("drain 0-3")
    recovery = Recovery(session.operator, session.case)
    recovery.write()
    recovery._let_go()
    left = left_behind(case())
    assert len(left) == 1

    async def story(operator: Operator) -> None:
        assert "ACTIONS OF THE LAST SESSION" not in operator.text
        operator.console.command("hold 2")
        assert operator.console.session.operator.unsaved
        await operator.press("q")
        assert "UNSAVED ACTIONS" in operator.text and "save and leave" not in operator.text
        await operator.press_only("l")
        await operator.until(lambda: not operator.app.is_running)

    operate(story, at="#6", permissions=NO_FILES)
    assert left_behind(case()) == left


@pytest.mark.proof
def test_the_browser_shows_it_and_has_no_training() -> None:
    """The scenario that is opened from there is no other."""

    async def story(operator: Operator) -> None:
        assert "READ-ONLY" in operator.title
        await operator.press("t")
        assert "no training" in operator.text
        await operator.press("enter")
        assert "READ-ONLY" in operator.title

    with_first(story, Browser(), permissions=READ_ONLY)


def test_line_mode_refuses_the_same() -> None:
    """One line each; what can be looked at is."""
    out = io.StringIO()
    typed = "g #6\nhold 2\nundo\nredo\npolicy fcfs\nsave x.toml\nwhy 2\nq\n"
    assert tell(case(), None, io.StringIO(typed), out, True, READ_ONLY) == 0
    text = out.getvalue()
    assert text.count(ACTING) == 5 and text.count(WRITING) == 1 and "job 2 " in text


def test_permissions_are_options_of_a_command_line() -> None:
    """None by default."""
    assert Permissions() == ALL and ALL.arguments() == []
    assert Permissions(True, True).arguments() == ["--read-only", "--no-files"]
    assert not any((ALL.no_acting, ALL.no_writing, ALL.no_reading, ALL.no_training, ALL.unoffered))
