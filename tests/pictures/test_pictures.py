"""Pictures of pages: the table leads where it says, and a picture has the colours of its terminal."""

import asyncio
from pathlib import Path

import pytest

from tests.pictures.__main__ import pictures
from tests.pictures.themes import ASKED, LOOKS
from tests.pictures.tours import TOURS


def test_the_pages_of_a_tour_are_drawn_in_the_colours_of_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list of scenarios, filtered; without colours no hue is used."""
    for name in ASKED:
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    found = {
        kind: asyncio.run(pictures(TOURS["browser"], LOOKS[kind], (80, 24), tmp_path))
        for kind in ("none", "light")
    }
    assert list(found["none"]) == list(TOURS["browser"].pages)
    assert ">Case<" in found["none"]["filtered"] and ">Gangster" not in found["none"]["filtered"]
    assert 'rx="6" fill="#ffffff"' in found["light"]["list"]
    assert "#0f6ab4" in found["light"]["list"] and "#0f6ab4" not in found["none"]["list"]
