"""What docs/exports.md and docs/keys.md show is what happens."""

import re
import shutil
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from shadowtime.console.keymap import read_settings
from shadowtime.console.screens.composed.copies import COPIES
from shadowtime.console.screens.console.exports import KINDS
from shadowtime.console.screens.pages.page import LEAST
from shadowtime.console.session import ScenarioError
from shadowtime.console.session.files.exports import WAYS
from shadowtime.console.themes import THEMES
from tests.pages.shown import as_pattern, run

TOP = Path(__file__).parents[2]
EXPORTS = (TOP / "docs/exports.md").read_text(encoding="utf-8")
KEYS = (TOP / "docs/keys.md").read_text(encoding="utf-8")


def block(page: str, language: str) -> str:
    """The fenced block of a language."""
    found = re.search(rf"```{language}\n(.*?)```", page, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.proof
def test_the_commands_of_the_page_write_what_it_shows(tmp_path: Path) -> None:
    """One after the other, in a folder of their own."""
    shutil.copytree(TOP / "scenarios/fj97", tmp_path / "scenarios/fj97")
    for part in block(EXPORTS, "console").split("$ ")[1:]:
        command, *lines = part.rstrip("\n").split("\n")
        printed = run(f"cd {tmp_path} && {command}", tmp_path)
        assert fnmatchcase(printed.strip("\n"), as_pattern(lines)), printed


def test_the_page_shows_every_export_and_every_copy() -> None:
    """And no other."""
    assert re.findall(r"^\| `(\w+)` \|", EXPORTS, re.MULTILINE) == list(KINDS)
    assert f":export {'|'.join(KINDS)} PATH" in EXPORTS
    assert f":copy {'|'.join(COPIES)}`" in EXPORTS
    for name, way in WAYS.items():
        assert f"`--{name} OUT{way.ending}`" in EXPORTS


def test_the_file_of_keys_has_the_fault_that_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That one alone; without it the file is good."""
    monkeypatch.chdir(tmp_path)
    Path("keys.toml").write_text(block(KEYS, "toml"))
    with pytest.raises(ScenarioError) as caught:
        read_settings("keys.toml")
    assert block(KEYS, "console").splitlines()[1:] == [str(caught.value)]
    Path("keys.toml").write_text(block(KEYS, "toml").replace("Right Bracket", "Ctrl+L"))
    settings = read_settings("keys.toml")
    assert (settings.theme, settings.mouse) == ("light", False)


def test_sizes_and_themes_are_those_of_the_page() -> None:
    """The figures that it names."""
    assert f"The minimum size is {LEAST.width}x{LEAST.height}." in KEYS
    assert KEYS.count(" and ".join(f"`{name}`" for name in THEMES)) == 1
