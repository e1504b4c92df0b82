"""The terminal that the tests of the console take for granted, whatever the one they run in."""

from collections.abc import Iterator
from typing import Any

import pytest
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

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


@pytest.fixture(scope="session", autouse=True)
def styles_parsed_once() -> Iterator[None]:
    """Each style sheet is parsed once, not once an app: that is a seventh of what a start takes."""
    usual, known = Stylesheet._parse_rules, dict[object, list[RuleSet]]()

    def parsed(sheet: Stylesheet, *values: Any, **named: Any) -> list[RuleSet]:
        key = values, *named.items(), *sheet._variables.items()
        if key not in known:
            known[key] = usual(sheet, *values, **named)
        return known[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", parsed)
        yield
