"""The help, the footer, the palette and the bindings tell the same: none knows a key that others do not."""

import pytest

from shadowtime.console import keys
from shadowtime.console.screens.command_table import CONSOLE, commands_of
from shadowtime.console.screens.console import typed
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.help import help_lines
from shadowtime.console.screens.palette.provider import Everything
from shadowtime.console.widgets.frame.ink import texts, width_of
from shadowtime.console.words import NODES
from tests.console.operator import Operator, case, operate

PROMISED = (
    "n . p , } { N P Space r [ ] Backspace g Home End m ' 1 2 3 4 5 Tab Enter Esc + _"
    " a b B c C u U e / s S v z Z = D t y : Ctrl+P ? q"
)


def test_every_key_of_the_design_is_bound() -> None:
    bound = {key for entry in keys.KEYS for key in entry.keys}
    assert set(PROMISED.split()) <= bound


def test_every_key_and_every_id_stands_once() -> None:
    pressed = [key for entry in keys.KEYS for key in entry.pressed]
    assert len(pressed) == len(set(pressed))
    ids = [entry.id for entry in keys.KEYS]
    assert len(ids) == len(set(ids))


@pytest.mark.proof
def test_every_key_has_an_action_on_the_screen() -> None:
    async def story(operator: Operator) -> None:
        assert {entry.action.partition("(")[0] for entry in keys.KEYS} == set(operator.console.actions)

    operate(story)


def test_the_screen_binds_what_the_table_says_and_nothing_else() -> None:
    table = {(key, entry.action) for entry in keys.KEYS for key in entry.pressed}
    bound = {(key, binding.action) for binding in keys.bindings() for key in binding.key.split(",")}
    assert table == bound
    assert keys.bindings() == ConsoleScreen.BINDINGS


def test_help_shows_every_key_with_its_words() -> None:
    for width in (78, 116):
        text = "\n".join(texts(help_lines(width, NODES)))
        for entry in keys.KEYS:
            assert entry.shown in text and entry.help in text, (width, entry.id)


def test_help_shows_every_command_whole() -> None:
    for width in (58, 78, 116):
        lines = texts(help_lines(width, NODES))
        words = " ".join(" ".join(lines).split())
        assert max(map(len, lines)) <= width
        for command in commands_of(CONSOLE):
            assert command.help_with_key in words, (width, command.example)


def test_help_promises_no_key_that_is_not_bound() -> None:
    """Read back from the screen: what stands before the words of a line is a key of the table."""
    bound = {(entry.shown, entry.help) for entry in (*keys.KEYS, *keys.GANTT)}
    shown = "\n".join(texts(help_lines(78, NODES))).partition("COMMANDS")[0]
    found = {(line[2:13].strip(), line[13:].strip()) for line in shown.splitlines() if line.startswith("  ")}
    assert found == bound


def test_help_cuts_no_words_of_a_command_off() -> None:
    """A long example has a line of its own, and the words behind it are broken."""
    for width in (78, 116):
        text = " ".join("\n".join(texts(help_lines(width, NODES))).split())
        for command in commands_of(CONSOLE):
            assert f"{command.example} {command.help_with_key}" in text, (width, command.name)


@pytest.mark.proof
def test_help_lists_every_command_and_the_console_knows_each() -> None:
    text = "\n".join(texts(help_lines(116, NODES)))
    for command in commands_of(CONSOLE):
        assert command.example in text

    async def story(operator: Operator) -> None:
        assert set(operator.console.commands()) == set(typed.NAMES) - {"g"}

    operate(story)


def test_help_fits_into_small_and_usual_screens() -> None:
    for width in (78, 116, 196):
        assert all(width_of(line) <= width for line in help_lines(width, NODES))


@pytest.mark.proof
def test_the_palette_offers_every_action_and_command() -> None:
    async def story(operator: Operator) -> None:
        offered = list(Everything(operator.console).entries())
        for entry in keys.KEYS:
            assert entry.id == "palette" or any(it.help.startswith(entry.shown) for it in offered)
        for command in commands_of(CONSOLE):
            assert any(it.name == f":{command.usage}" for it in offered)

    operate(story, of=case())


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
