"""A screen that has its size is laid out once; another size lays it out anew."""

import asyncio

import pytest
from textual import events
from textual.app import App
from textual.geometry import Size
from textual.screen import Screen

from shadowtime.console.screens.pages.page import SteadyScreen


def test_a_screen_is_laid_out_once_for_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the framework would lay out again is counted."""
    again: list[Size] = []
    laid_out = Screen._screen_resized

    def counted(self: Screen[object], size: Size) -> None:
        if isinstance(self, SteadyScreen):
            again.append(size)
        laid_out(self, size)

    monkeypatch.setattr(Screen, "_screen_resized", counted)

    async def story() -> None:
        app = App[None]()
        async with app.run_test(size=(80, 24)) as pilot:
            await app.push_screen(SteadyScreen[None]())
            await pilot.pause()
            again.clear()
            app.screen.post_message(events.Resize(Size(80, 24), Size(80, 24)))
            await pilot.pause()
            assert again == [], "nothing is new"
            await pilot.resize_terminal(100, 30)
            await pilot.pause()
            assert again == [Size(100, 30)] and app.screen.size == Size(100, 30)

    asyncio.run(story())
