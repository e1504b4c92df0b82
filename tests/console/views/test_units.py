"""What the machine is counted in: consoles of both kinds one after the other, and one over the other."""

import re
from pathlib import Path

import pytest

from console import words
from console.screens.console.screen import ConsoleScreen
from console.screens.pages.browser import Browser
from console.screens.pages.help import help_lines
from console.screens.training.drill import DrillScreen
from console.session import Entry, load, open_session
from console.widgets.frame.ink import texts
from console.words import duty, training
from scenarios import Question
from tests.console.operator import STORIES, Operator, with_first

NODES = re.compile(r"\bnodes?\b(?! map)|\d+n\b")
PE = re.compile(r"\bPE\b")
TORUS, FLAT = STORIES / "torus.toml", STORIES / "dilemma.toml"
COURSE = 'title = "Both"\nabout = "Both."\naudience = "All"\nlessons = ["01-torus.toml", "02-flat.toml"]\n'
QUESTION = '\n[[question]]\nat = "20m"\nask = "why"\njob = {job}\n'


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of the test's own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("SHADOWTIME_OPERATOR", "kim")


def course(folder: Path) -> Path:
    """A course of two lessons, the first on a torus, the second on a flat machine."""
    folder.mkdir()
    for name, path, job in (("01-torus", TORUS, 13), ("02-flat", FLAT, 2)):
        (folder / f"{name}.toml").write_text(path.read_text() + QUESTION.format(job=job))
    (folder / "course.toml").write_text(COURSE)
    return folder


async def check(operator: Operator, torus: bool) -> None:
    """Whatever is looked at in the console at the front counts in its own unit, and in no other."""
    wrong, right = (NODES, PE) if torus else (PE, NODES)
    seen = ""
    for keys in ("1", "3", "4", "5", "2 enter", "escape v", "a"):
        await operator.press(*keys.split())
        said = re.sub(r"node maps?|NODE MAP", "", operator.text)
        assert not wrong.search(said), (keys, wrong.search(said), operator.text)
        seen += said
    await operator.press("escape")
    assert right.search(seen)


def test_one_console_after_another_of_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """From a torus to a flat machine and back; the browser between them counts nodes."""
    entries = (Entry(TORUS, "torus", "paper", "One."), Entry(FLAT, "flat", "paper", "Two."))
    monkeypatch.setattr("console.screens.pages.browser.catalogue", lambda: entries)

    async def story(operator: Operator) -> None:
        for key, torus in (("home", True), ("end", False), ("home", True)):
            await operator.press(key, "enter")
            await operator.rest()
            assert words.sized(2) == ("2 PE" if torus else "2 nodes")
            assert ("32 PE" if torus else "128 nodes") in operator.title
            await operator.press(*"nnnnnn")
            await check(operator, torus)
            await operator.press("q")
            assert isinstance(operator.app.screen, Browser)
            assert words.sized(2) == "2 nodes"

    with_first(story, Browser())


@pytest.mark.parametrize("torus", [True, False], ids=["torus", "flat"])
def test_lessons_of_both_kinds_over_a_console(torus: bool, tmp_path: Path) -> None:
    """What comes from behind meanwhile is counted in the unit of the console that it belongs to."""
    folder = course(tmp_path / "course")

    async def story(operator: Operator) -> None:
        below = operator.console
        await operator.press(*"nnnnnn", "colon")
        await operator.type(f"train {folder}")
        for key, lesson in (("home", True), ("end", False)):
            await operator.press(key, "enter")
            await operator.rest()
            assert isinstance(operator.app.screen_stack[-2], DrillScreen)
            await operator.press("enter")
            below._surveyed()
            below._paint_predictions()
            text = operator.text
            assert ("32 PE" if lesson else "128 nodes") in operator.title
            assert not (NODES if lesson else PE).search(re.sub("NODE MAP|node map", "", text)), text
            await operator.press("t", "b", "enter")
            text = operator.text
            assert not (NODES if lesson else PE).search(re.sub("NODE MAP|node map", "", text)), text
            await operator.press("escape", "escape")
            assert words.sized(2) == "2 nodes"
            below._surveyed()
            below._paint_predictions()
        await operator.press("escape")
        assert operator.app.screen is below
        assert ("32 PE" if torus else "128 nodes") in operator.title
        text = operator.text
        assert not (NODES if torus else PE).search(re.sub("NODE MAP|node map", "", text)), text
        await check(operator, torus)

    with_first(story, ConsoleScreen(open_session(load(TORUS if torus else FLAT))))


def test_what_training_and_the_help_say_of_the_machine() -> None:
    """Every choice, hint and sign in PE where those are counted."""
    with words.counted_in("PE"):
        texts_of_training = [training.choice("why", reason) for reason in training.REASONS]
        texts_of_training += [training.choice("state", letter) for letter in words.STATES]
        texts_of_training += [training.hinted(Question(0, ask), 0) for ask in training.HINTED]
        texts_of_training += [duty.gap(None), *texts(help_lines(200))[-30:]]
    said = "\n".join(texts_of_training)
    assert PE.search(said) and not NODES.search(said), NODES.search(said)
