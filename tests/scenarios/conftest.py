"""Fixtures of the tests of the readers."""

from pathlib import Path

import pytest

from tests.scenarios.support import Desk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """An empty desk; no log of the user's own is found from it."""
    monkeypatch.delenv("SHADOWTIME_TRACES", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return Desk(tmp_path)
