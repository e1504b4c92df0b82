"""`shadowtime keys`, and the options of keys and looks."""

from collections.abc import Callable
from pathlib import Path

import pytest

from shadowtime.console.keymap import OWN
from shadowtime.console.keys import KEYS
from tests.commandline import Shadowtime, loaded_by

Story = Callable[[str], Path]
DILEMMA = "fj97/dilemma.toml"


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder of settings of the test's own; returns the file that is read from it."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "shadowtime").mkdir()
    return tmp_path / "shadowtime" / "keys.toml"


def test_the_template_has_every_action_and_can_be_read_back(shadowtime: Shadowtime, settings: Path) -> None:
    """What is printed is a file that changes nothing."""
    printed = shadowtime("keys")
    assert (printed.code, printed.err) == (0, "")
    assert 'forward = ["n", "."]' in printed.out and str(settings) in printed.out
    lines = printed.out.partition("[keys]")[2].splitlines()
    listed = [line.split(" = ")[0] for line in lines if " = " in line]
    assert sorted(listed) == sorted(key.id for key in (*KEYS, *OWN))
    settings.write_text(printed.out)
    assert shadowtime("keys") == printed


def test_the_keys_in_force_are_printed(shadowtime: Shadowtime, settings: Path, tmp_path: Path) -> None:
    """Those of the usual file, of another one, and those that nobody changed."""
    settings.write_text('[keys]\nwhy = "w"\n')
    other = tmp_path / "other.toml"
    other.write_text('[keys]\nwhy = "W"\n')
    assert 'why = "w"' in shadowtime("keys").out
    assert 'why = "W"' in shadowtime("keys", "--keymap", other).out
    assert 'why = "e"' in shadowtime("keys", "--defaults").out
    assert '\ntheme = "light"' in shadowtime("keys", "--theme", "light").out
    assert "\nmouse = false" in shadowtime("keys", "--no-mouse").out


def test_a_bad_file_ends_with_2_and_a_line_a_fault(
    shadowtime: Shadowtime, story: Story, tmp_path: Path
) -> None:
    """With file, line and column; the template can be had all the same."""
    bad = tmp_path / "bad.toml"
    bad.write_text('[keys]\nwhi = "e"\nsort = "n"\n')
    for arguments in (("keys",), ("open", story(DILEMMA))):
        ended = shadowtime(*arguments, "--keymap", bad)
        assert (ended.code, ended.out) == (2, "")
        assert ended.complaints == [
            f"{bad}:2:1: unknown action whi; did you mean why?",
            f"{bad}:3:8: n cannot be both forward and sort, unless [keys] gives forward another one",
        ]
    assert shadowtime("keys", "--keymap", bad, "--defaults").code == 0


def test_settings_of_the_screen_do_not_disturb_who_has_none(
    shadowtime: Shadowtime, story: Story, settings: Path
) -> None:
    """The line mode has no keys to change."""
    settings.write_text("nonsense")
    assert shadowtime("open", story(DILEMMA), "--text").code == 0


def test_an_unknown_theme_is_one_line(shadowtime: Shadowtime, story: Story) -> None:
    """With the themes there are."""
    ended = shadowtime("open", story(DILEMMA), "--theme", "pink")
    assert ended.code == 2
    assert ended.complaints == [
        "shadowtime open: there is no theme 'pink'; expected one of dark, light (see shadowtime open --help)"
    ]


def test_options_of_the_browser_do_not_get_lost(shadowtime: Shadowtime, story: Story) -> None:
    """Before a command they are its own; a command that has none refuses them."""
    for options in (("--no-mouse", "--theme", "light"), ("--read-only", "--no-files")):
        ended = shadowtime(*options, "open", story(DILEMMA))
        assert (ended.code, ended.err) == (0, "") and ended.out.startswith("The dilemma")
    ended = shadowtime("--theme", "pink", "open", story(DILEMMA))
    assert ended.code == 2 and "there is no theme 'pink'" in ended.complaints[0]
    assert shadowtime("--theme", "pink", "open", story(DILEMMA), "--theme", "dark").code == 0
    for option, name in (("--no-mouse", "run"), ("--read-only", "check")):
        ended = shadowtime(option, name, story(DILEMMA))
        assert (ended.code, ended.out) == (2, "")
        assert ended.complaints == [f"shadowtime: {name} takes no {option} (see shadowtime --help)"]


def test_help_loads_no_settings() -> None:
    """It starts as quickly as before."""
    assert not {"shadowtime.console.keymap", "shadowtime.console.themes", "textual"} & loaded_by("--help")
