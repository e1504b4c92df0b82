"""The operator's settings: read with every fault at once, and shown wherever keys are reported."""

import asyncio
import os
import re
from pathlib import Path

import pytest
from textual.pilot import Pilot

from shadowtime.console.app import Shadowtime
from shadowtime.console.keymap import KEPT, SENT_AS, Settings, read_settings, template, usual_file, written
from shadowtime.console.keys import CHART, KEYS, MACHINE, USUAL, Keyboard
from shadowtime.console.screens.compare.keys import COMPARING
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.help import help_lines
from shadowtime.console.session import ScenarioError, open_session
from shadowtime.console.widgets.frame.ink import texts
from shadowtime.console.widgets.gantt.panel import GanttPanel
from tests.console.operator import Operator, Story, case


def given(folder: Path, text: str) -> Settings:
    """The settings that a text makes."""
    path = folder / "keys.toml"
    path.write_text(text, encoding="utf-8")
    return read_settings(path)


def faults(folder: Path, text: str) -> list[str]:
    """What is wrong with a text, without the folder."""
    with pytest.raises(ScenarioError) as caught:
        given(folder, text)
    return [str(fault).removeprefix(f"{folder}/") for fault in caught.value.faults]


def keys_of(keyboard: Keyboard, id: str) -> tuple[str, ...]:
    """The keys of an action."""
    return next(key.keys for key in keyboard.keys if key.id == id)


def test_what_is_left_out_keeps_its_keys(tmp_path: Path) -> None:
    """A file changes what it names, and nothing else."""
    keyboard = given(tmp_path, '[keys]\nforward = ["i", "F5"]\nwhy = "w"\n').keyboard
    assert keys_of(keyboard, "forward") == ("i", "F5")
    assert keyboard.changed() == {"forward": "i,f5", "why": "w"}
    assert given(tmp_path, "") == Settings()


def test_two_actions_may_change_places(tmp_path: Path) -> None:
    """What both give away, both may take."""
    keyboard = given(tmp_path, '[keys]\nforward = "p"\nback = "n"\n').keyboard
    assert (keys_of(keyboard, "forward"), keys_of(keyboard, "back")) == (("p",), ("n",))


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("space", "Space"),
        ("ESC", "Esc"),
        ("escape", "Esc"),
        ("f12", "F12"),
        ("ctrl+k", "Ctrl+K"),
        ("Alt+x", "Alt+x"),
        ("Shift+F3", "Shift+F3"),
        ("shift+tab", "Shift+Tab"),
        ("full_stop", "."),
        ("ä", "ä"),
        (" ", "Space"),
        ("F25", None),
        ("Ctrl+", None),
        ("", None),
        ("nn", None),
        ("\t", None),
    ],
)
def test_keys_are_known_however_they_are_written(name: str, key: str | None) -> None:
    """Small or capital letters, our names and Textual's."""
    assert written(name) == key


def test_all_faults_are_told_at_once_each_with_its_place(tmp_path: Path) -> None:
    """Unknown settings, unknown actions and keys with the nearest known one, clashes, keys that are taken."""
    text = """theme = "ligt"
mouse = 1
colours = 2
[keys]
forwrd = "j"
forward = ["i", "Spce"]
why = "p"
last = "Ctrl+M"
first = ["Up", 3]
escape = "F4"
goto = "Ctrl+P"
zoom_in = "h"
zoom_out = "h"
help = []
"""
    assert faults(tmp_path, text) == [
        'keys.toml:1:9: theme is "ligt"; did you mean light?',
        "keys.toml:2:9: mouse is 1; expected true or false",
        "keys.toml:3:1: unknown key colours; expected theme, mouse, clock or keys",
        "keys.toml:5:1: unknown action forwrd; did you mean forward?",
        'keys.toml:6:17: there is no key "Spce"; did you mean Space?',
        "keys.toml:7:7: p cannot be both back and why, unless [keys] gives back another one",
        "keys.toml:8:8: Ctrl+M is Enter to a terminal; expected another key for last",
        "keys.toml:9:10: Up moves in every panel, and cannot be given to first",
        'keys.toml:9:16: first is 3; expected a key, such as "n", "F5" or "Ctrl+K", or a list of keys',
        'keys.toml:10:10: escape is "F4"; expected Esc among its keys',
        "keys.toml:11:8: Ctrl+P belongs to palette, and cannot be given to goto",
        "keys.toml:13:12: h cannot be both zoom_in and zoom_out",
        'keys.toml:14:8: help is []; expected a key, such as "n", "F5" or "Ctrl+K", or a list of keys',
    ]


def test_views_with_keys_of_their_own_have_a_say(tmp_path: Path) -> None:
    """A key that the console has free may be taken in the compare view, whose keys can be chosen too."""
    assert faults(tmp_path, '[keys]\nforward = "l"\nsort = "o"\nrow_up = "j"\nrow_down = "F2"\n') == [
        "keys.toml:2:11: l cannot be both lanes and forward in the compare view, "
        "unless [keys] gives lanes another one",
    ]
    keyboard = given(tmp_path, '[keys]\nforward = "l"\nlanes = "k"\n').keyboard
    assert keyboard.changed() == {"forward": "l", "lanes": "k"}
    assert keys_of(Keyboard(keyboard.of(COMPARING)), "lanes") == ("k",)


@pytest.mark.proof
def test_the_keys_of_the_gantt_chart_can_be_chosen(tmp_path: Path) -> None:
    """They go before those of the console, but not before one another; the help tells them."""
    text = '[keys]\ngantt_shorter = "d"\ngantt_longer = "Enter"\ngantt_fit = "n"\ndetail = "F2"\n'
    assert faults(tmp_path, text) == [
        "keys.toml:2:17: d cannot be both gantt_later and gantt_shorter in the Gantt chart, "
        "unless [keys] gives gantt_later another one",
    ]
    settings = given(tmp_path, '[keys]\ngantt_shorter = "i"\ngantt_fit = ["F7", "n"]\n')

    async def story(operator: Operator) -> None:
        chart = operator.app.screen.query_one(GanttPanel)
        await operator.press("n", "n", "3", "plus", "plus")
        before = chart.window
        assert "i s zoom  a d pan  F7 fit  z Z nodes" in operator.panel(3)
        await operator.press("w")
        assert chart.window == before
        await operator.press("i")
        assert chart.window is not None and before is not None and chart.window.span < before.span
        await operator.press("f7")
        assert operator.console.snapshot.number == 2
        await operator.press("question_mark")
        assert CHART.upper() in operator.text and "  i          show less time" in operator.text

    operate_with(settings, story)


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    """No file, a folder, a pipe, a device, no text, no TOML, no end."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large.toml").write_text("#" * 1_000_001)
    for path, message in (
        (tmp_path / "none.toml", "no such file; expected a TOML file of keys"),
        (tmp_path, "is a folder; expected a TOML file of keys"),
        (tmp_path / "pipe", "is a pipe; expected a TOML file of keys"),
        (Path("/dev/zero"), "is a device; expected a TOML file of keys"),
        (tmp_path / "large.toml", "is larger than 1,000,000 bytes; expected a TOML file of keys"),
    ):
        with pytest.raises(ScenarioError) as caught:
            read_settings(path)
        assert str(caught.value) == f"{path}: {message}"
    assert re.fullmatch(r"keys\.toml:1:8: not TOML: .*", faults(tmp_path, "[keys] x")[0])
    (tmp_path / "keys.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(ScenarioError, match="is no text in UTF-8"):
        read_settings(tmp_path / "keys.toml")


def test_the_usual_file_need_not_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It lies in the folder of settings, and is read where it is."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert usual_file() == tmp_path / "shadowtime" / "keys.toml"
    assert read_settings() == Settings()
    usual_file().parent.mkdir()
    usual_file().write_text('theme = "light"\nmouse = false\n')
    assert read_settings() == Settings(theme="light", mouse=False)


def test_the_template_is_what_is_in_force(tmp_path: Path) -> None:
    """Read back it gives the same settings, whatever they are; every action has its line."""
    text = "theme = 'dark'\nmouse = false\n[keys]\nlanes = 'k'\nsort = ['\"', '\\']\n"
    changed = given(tmp_path, text)
    for settings in (Settings(theme="light"), changed):
        text = "\n".join(template(settings))
        assert given(tmp_path, text) == settings
        assert all(re.search(rf"^{key.id} = ", text, re.M) for key in KEYS)
    assert given(tmp_path, "\n".join(template(Settings()))) == Settings()


def test_nobody_has_a_key_that_cannot_be_given() -> None:
    """The usual keys obey the rules that those of an operator do."""
    for key in KEYS:
        assert [written(name) for name in key.keys] == list(key.keys)
        assert not {name.lower() for name in key.keys} & set(KEPT)
        assert not set(key.keys) & set(SENT_AS)


def operate_with(settings: Settings, story: Story) -> None:
    """Open a story of the tests with these settings and let the operator follow another."""

    async def play() -> None:
        app = Shadowtime(ConsoleScreen(open_session(case())), settings=settings)
        async with app.run_test(size=(120, 36)) as pilot:
            assert isinstance(pilot, Pilot)
            operator = Operator(app, pilot)
            await operator.rest()
            await story(operator)

    asyncio.run(play())


@pytest.mark.proof
def test_chosen_keys_work_and_the_usual_ones_no_more(tmp_path: Path) -> None:
    """On the console, on pages over it, and in every line that tells of a key."""
    text = 'forward = "i"\nback = "F6"\nquit = "Q"\nhelp = "h"\nto_mark = "F7"\nzoom_in = "o"\ncopy = "F8"'
    settings = given(tmp_path, f"[keys]\n{text}")

    async def story(operator: Operator) -> None:
        await operator.press("n")
        assert "event 0" in operator.title
        await operator.press("i", "i")
        assert "event 2" in operator.title
        await operator.press("f6")
        assert "event 1" in operator.title
        assert operator.lines[-1].split()[:4] == ["i", "step", "F6", "back"]
        assert operator.lines[-1].endswith("h help  Q quit")
        await operator.press("escape")
        assert operator.message == "Q quits"
        await operator.press("f7", "f7")
        assert operator.message == "no jump has been made yet"
        await operator.press("o")
        assert operator.message.startswith("node map:")
        await operator.press("2", "enter", "i")
        assert "i step" in operator.lines[-1] and "F8 copy" in operator.lines[-1]
        assert operator.console.snapshot.number == 2
        await operator.press("Q", "h")
        assert "HELP" in operator.lines[0]
        assert "  i          one event forward" in operator.text
        await operator.press("h")
        assert "HELP" not in operator.lines[0]

    operate_with(settings, story)


@pytest.mark.proof
def test_two_actions_change_places_on_the_keyboard_too(tmp_path: Path) -> None:
    """Each does what the other did, under both of its keys."""

    async def story(operator: Operator) -> None:
        await operator.press("p", "p", "comma")
        assert operator.console.snapshot.number == 3
        await operator.press("n", "full_stop")
        assert operator.console.snapshot.number == 1

    text = '[keys]\nback = ["n", "."]\nforward = ["p", ","]\n'
    operate_with(given(tmp_path, text), story)


def test_the_help_tells_the_keys_in_force(tmp_path: Path) -> None:
    """Every one of them, at any width."""
    keyboard = given(tmp_path, '[keys]\nsort = "F9"\nsort_reverse = "Shift+F9"\n').keyboard
    for width in (78, 116):
        text = "\n".join(texts(help_lines(width, MACHINE, keyboard)))
        assert "  F9         sort the queue by the next column" in text
        assert all(key.shown in text and key.help in text for key in keyboard.over(MACHINE))
    assert "F9" not in "\n".join(texts(help_lines(116, MACHINE, USUAL)))


@pytest.mark.proof
def test_the_palette_tells_the_keys_in_force(tmp_path: Path) -> None:
    """The second line of an entry begins with its keys."""

    async def story(operator: Operator) -> None:
        await operator.press("ctrl+p")
        await operator._pilot.press(*"one event forward")
        await operator.until(lambda: "i   " in operator.text and "One event forward" in operator.text)

    operate_with(given(tmp_path, '[keys]\nforward = "i"\n'), story)
