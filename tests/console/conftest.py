"""The terminal that the tests of the console take for granted, whatever the one they run in."""

import pytest

from shadowtime.console.screens.console import background


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A terminal with all colours, and a data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
    for name in ("NO_COLOR", "TEXTUAL_THEME", "TEXTUAL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")


@pytest.fixture(autouse=True)
def no_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock never stands still for long enough: likely starts come when a test asks for them."""
    monkeypatch.setattr(background, "STILL", 3600)
