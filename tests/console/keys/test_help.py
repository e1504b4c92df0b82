"""The help, the footer, the palette and the bindings tell the same: none knows a key that others do not."""

from datetime import UTC
from pathlib import Path

import pytest

from shadowtime.console import keys
from shadowtime.console.screens.command_table import CLUSTER, CONSOLE, commands_of
from shadowtime.console.screens.compare.keys import COMPARING
from shadowtime.console.screens.composed.screen import PanelScreen
from shadowtime.console.screens.console import typed
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.help import help_lines, key_lines
from shadowtime.console.screens.palette.provider import Everything
from shadowtime.console.screens.slurm.screen import ClusterScreen
from shadowtime.console.session import open_session
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.widgets.frame.ink import texts, width_of
from shadowtime.console.widgets.slurm.dates import Dates
from tests.console.operator import Operator, case, operate, with_first
from tests.scenarios.slurm.support import NOW, write
from tests.session.slurm.captures import contents, running, waiting


def first_over(over: str, folder: Path) -> PanelScreen:
    """A console over a small machine, or over a captured cluster."""
    if over == keys.MACHINE:
        return ConsoleScreen(open_session(case()))
    source = Folder(write(folder / "cluster", contents([running(1, ("n1", "n2"), NOW - 60), waiting(3)])))
    return ClusterScreen(source, board(source.take()), Dates(UTC))


PROMISED = (
    "n . p , } { N P Space r [ ] Backspace g Home End m ' 1 2 3 4 5 Tab Enter Esc + _"
    " 6 7 a b B c C u U e / s S v z Z = D t R y : Ctrl+P ? q"
)


def test_every_key_of_the_design_is_bound() -> None:
    bound = {key for entry in keys.KEYS for key in entry.keys}
    assert set(PROMISED.split()) <= bound


def test_every_key_and_every_id_stands_once() -> None:
    pressed = [key for entry in keys.KEYS for key in entry.pressed]
    assert len(pressed) == len(set(pressed))
    ids = [entry.id for entry in keys.KEYS]
    assert len(ids) == len(set(ids))


OVER = (keys.MACHINE, keys.CLUSTER)
SCREENS: dict[str, type[PanelScreen]] = {keys.MACHINE: ConsoleScreen, keys.CLUSTER: ClusterScreen}
VIEWS = {keys.MACHINE: CONSOLE, keys.CLUSTER: CLUSTER}


@pytest.mark.parametrize("over", OVER)
def test_every_key_has_an_action_on_the_screen(over: str, tmp_path: Path) -> None:
    async def story(operator: Operator) -> None:
        (screen,) = (each for each in operator.app.screen_stack if isinstance(each, PanelScreen))
        wanted = {key.action.partition("(")[0] for key in keys.USUAL.over(over)}
        assert wanted == set(screen.actions)
        assert keys.bindings(over) == SCREENS[over].BINDINGS

    with_first(story, first_over(over, tmp_path))


@pytest.mark.parametrize("over", OVER)
def test_an_absent_key_says_why(over: str, tmp_path: Path) -> None:
    """It is bound, and changes nothing but the message."""

    async def story(operator: Operator) -> None:
        (screen,) = (each for each in operator.app.screen_stack if isinstance(each, PanelScreen))
        absent = [key for key in keys.KEYS if key.absent(over)]
        assert absent and all(key.does(over) == key.absent(over) for key in absent)
        for key in absent:
            used = screen.panels.used
            await operator.press(key.pressed[0])
            assert operator.message == key.absent(over) and screen.panels.used == used, key.id

    with_first(story, first_over(over, tmp_path))


def test_a_key_is_absent_on_one_side_at_most() -> None:
    assert not [key.id for key in keys.KEYS if all(key.absent(over) for over in OVER)]


@pytest.mark.parametrize("over", OVER)
def test_the_screen_binds_what_the_table_says_and_nothing_else(over: str) -> None:
    table = {
        (pressed, f"absent('{key.id}')" if key.absent(over) else key.action)
        for key in keys.KEYS
        for pressed in key.pressed
    }
    bound = {(key, binding.action) for binding in keys.bindings(over) for key in binding.key.split(",")}
    assert table == bound


@pytest.mark.parametrize("over", OVER)
def test_help_shows_every_key_and_command_whole(over: str) -> None:
    """With its words, within the width; a long example has a line of its own."""
    words = " ".join(" ".join(texts(help_lines(58, over))).split())
    for command in commands_of(VIEWS[over]):
        assert f"{command.example} {command.help_with_key}" in words, command.name
    for key in keys.USUAL.over(over):
        assert f"{key.shown} {key.help}" in words, key.id
    for width in (78, 116, 196, 246):
        # Side by side, what is broken has the other columns between its lines.
        lines = help_lines(width, over)
        assert all(width_of(line) <= width for line in lines)
        assert sorted(" ".join(texts(lines)).split()) == sorted(words.split()), width


def test_a_wider_help_is_shorter_and_begins_with_the_same_lines() -> None:
    heights = [len(help_lines(width, keys.MACHINE)) for width in (58, 78, 116, 196, 246)]
    assert heights == sorted(set(heights), reverse=True)
    for compared in (COMPARING[:9], COMPARING):
        one, two = key_lines({"keys": compared}, 76), key_lines({"keys": compared, "more": compared}, 116)
        assert len(two) <= len(one) + len(compared) and texts(two)[0].split() == ["KEYS", "MORE"]


@pytest.mark.parametrize("over", OVER)
def test_help_promises_no_key_that_is_not_bound(over: str) -> None:
    """Read back from the screen: what stands before the words of a line is a key of the table."""
    charted = keys.GANTT if not keys.absence("panel3", over) else ()
    charted += keys.ROWS if over == keys.CLUSTER else ()
    bound = {entry.shown for entry in (*keys.USUAL.over(over), *charted)}
    shown = "\n".join(texts(help_lines(78, over))).partition("COMMANDS")[0]
    found = {line[2:13].strip() for line in shown.splitlines() if line.startswith("  ")} - {""}
    assert found == bound


def test_the_console_knows_every_command() -> None:
    async def story(operator: Operator) -> None:
        assert set(operator.console.commands()) == set(typed.NAMES)

    operate(story)


@pytest.mark.proof
@pytest.mark.parametrize("over", OVER)
def test_the_palette_offers_every_action_and_command(over: str, tmp_path: Path) -> None:
    async def story(operator: Operator) -> None:
        offered = list(Everything(operator.app.screen).entries())
        for entry in keys.USUAL.over(over):
            assert entry.id == "palette" or any(it.help.startswith(entry.shown) for it in offered)
        for command in commands_of(VIEWS[over]):
            assert any(it.name == f":{command.usage}" for it in offered)

    with_first(story, first_over(over, tmp_path))


@pytest.mark.proof
def test_the_footer_shows_the_keys_that_are_wanted_most() -> None:
    async def story(operator: Operator) -> None:
        wide = operator.lines[-1]
        assert wide.split()[:4] == ["n", "step", "p", "back"] and wide.endswith("? help  q quit")
        await operator.resize(80, 24)
        narrow = operator.lines[-1]
        assert len(narrow) <= 80 and narrow.split()[:2] == ["n", "step"] and narrow.endswith("q quit")

    operate(story)


@pytest.mark.proof
def test_a_click_on_the_footer_is_its_key() -> None:
    async def story(operator: Operator) -> None:
        await operator._pilot.click("#keys", offset=(2, 0))
        await operator.rest()
        assert "event 1/12" in operator.title
        await operator._pilot.click("#keys", offset=(operator.lines[-1].index("? help"), 0))
        await operator.rest()
        assert "HELP" in operator.lines[0]

    operate(story)
