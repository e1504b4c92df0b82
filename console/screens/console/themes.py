"""Themes: the colours that the operator chooses while the console is open."""

from typing import Protocol, runtime_checkable

from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.travel.view import View


@runtime_checkable
class Themed(Protocol):
    """An application that has themes."""

    themes: tuple[str, ...]

    def choose_theme(self, name: str) -> None:
        """Take on the theme of that name."""

    @property
    def theme_told(self) -> str:
        """Which theme is in force, in one line."""


class Themes:
    """Shows and chooses the theme of the application."""

    def __init__(self, view: View) -> None:
        self._view = view

    @property
    def _app(self) -> Themed:
        app: object = self._view.app
        assert isinstance(app, Themed)
        return app

    @property
    def names(self) -> tuple[str, ...]:
        return self._app.themes

    def choose(self, name: str) -> None:
        """Choose a theme for this run; without a name show which is in force. Unknown if there is no such."""
        if name and name not in self.names:
            raise Unknown(f"{name!r} is no theme; expected one of {', '.join(self.names)}")
        if name:
            self._app.choose_theme(name)
        self._view.say(self._app.theme_told)
