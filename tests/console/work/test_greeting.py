"""The first start: the console greets once, until a key is pressed; the list says what a thing is."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from textual.screen import Screen

from shadowtime.console.app import Shadowtime
from shadowtime.console.screens.composed.greeting import KEYS, Greeting
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.browser import Browser
from shadowtime.console.screens.pages.browser_text import KINDS, SCENARIO, kind_of
from shadowtime.console.session import catalogue, open_session
from shadowtime.console.session.files.state import FirstStart
from tests.console.operator import Operator, case


def start(first: "Screen[None]", kept: Path, story: Callable[[Operator], Awaitable[None]]) -> None:
    """Open a first screen where it is kept whether somebody was here."""

    async def play() -> None:
        app = Shadowtime(first, greeting=Greeting(FirstStart(kept)))
        async with app.run_test(size=(80, 24)) as pilot:
            operator = Operator(app, pilot)
            await operator.rest()
            await story(operator)

    asyncio.run(play())


def test_the_first_console_greets_until_a_key_is_pressed(tmp_path: Path) -> None:
    """And never again, also where nothing of it was read."""
    kept = tmp_path / "states" / "greeted"

    async def greeted(operator: Operator) -> None:
        assert all(operator.console.key(id) in operator.message for id, _ in KEYS)
        assert kept.exists()
        await operator.press("down")
        assert not operator.message

    async def not_again(operator: Operator) -> None:
        assert not operator.message

    start(ConsoleScreen(open_session(case())), kept, greeted)
    start(ConsoleScreen(open_session(case())), kept, not_again)


def test_a_folder_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "states").write_text("a file, where a folder is wanted")

    async def greeted(operator: Operator) -> None:
        assert operator.message

    start(ConsoleScreen(open_session(case())), tmp_path / "states" / "greeted", greeted)


def test_the_list_leads_to_the_tour_until_a_console_was_open(tmp_path: Path) -> None:
    async def before(operator: Operator) -> None:
        assert "new here? t " in operator.title

    async def after(operator: Operator) -> None:
        assert "new here?" not in operator.title

    start(Browser(), tmp_path / "greeted", before)
    FirstStart(tmp_path / "greeted").over()
    start(Browser(), tmp_path / "greeted", after)


def test_every_kind_of_thing_says_what_it_is() -> None:
    """Each kind has its words, and no words are of nothing."""
    assert {kind_of(entry.path) for entry in catalogue()} == {SCENARIO, *KINDS.values()}
