"""Theming: the colours that the operator chooses while the console is open."""

from typing import Protocol, runtime_checkable

from console.screens.console.session_screen import SessionScreen
from console.screens.console.typed import Unknown


@runtime_checkable
class Themed(Protocol):
    """An application that has themes."""

    themes: tuple[str, ...]

    def choose_theme(self, name: str) -> None:
        """Take on the theme of that name."""

    @property
    def theme_told(self) -> str:
        """Which theme is in force, in one line."""


class Theming(SessionScreen):
    """What `:theme` does."""

    @property
    def themes(self) -> tuple[str, ...]:
        """The themes there are, by name."""
        assert isinstance(self.app, Themed)
        return self.app.themes

    def theme(self, name: str) -> None:
        """Choose a theme for this run; without a name tell which is in force. Unknown where there is none."""
        assert isinstance(self.app, Themed)
        if name and name not in self.app.themes:
            raise Unknown(f"{name!r} is no theme; expected one of {', '.join(self.app.themes)}")
        if name:
            self.app.choose_theme(name)
        self.say(self.app.theme_told)
