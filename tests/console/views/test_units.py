"""What the machine is counted in: consoles of both kinds one after the other, and one over the other."""

import re
from pathlib import Path

import pytest

from shadowtime.console import words
from shadowtime.console.screens.compare.makers import MachineLanes
from shadowtime.console.screens.compare.screen import CompareScreen
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.browser import Browser
from shadowtime.console.screens.pages.help import sign_lines
from shadowtime.console.screens.training.drill import DrillScreen
from shadowtime.console.session import Decision, Entry, Reason, load, open_session
from shadowtime.console.session.comparison.lockstep import Lockstep
from shadowtime.console.widgets.compare import text as wording
from shadowtime.console.widgets.frame.ink import texts
from shadowtime.console.words import training
from shadowtime.console.words.questions import cluster
from shadowtime.console.words.units import CPUS
from shadowtime.scenarios import Question
from shadowtime.scenarios.values import Machine
from tests.console.operator import STORIES, Operator, with_first
from tests.console.training.test_drills import past_examples

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
        # A list of nodes counts those that can be drained.
        said = re.sub(r"node maps?|NODE MAP|│ nodes +\d", "", operator.text)
        assert not wrong.search(said), (keys, wrong.search(said), operator.text)
        seen += said
    await operator.press("escape")
    assert right.search(seen)


@pytest.mark.proof
def test_one_console_after_another_of_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """From a torus to a flat machine and back."""
    entries = (Entry(TORUS, "torus", "paper", "One."), Entry(FLAT, "flat", "paper", "Two."))
    monkeypatch.setattr("shadowtime.console.screens.pages.browser.catalogue", lambda: entries)

    async def story(operator: Operator) -> None:
        for key, torus in (("home", True), ("end", False), ("home", True)):
            await operator.press(key, "enter")
            await operator.rest()
            assert ("32 PE" if torus else "128 nodes") in operator.title
            await operator.press(*"nnnnnn")
            await check(operator, torus)
            await operator.press("q")
            assert isinstance(operator.app.screen, Browser)

    with_first(story, Browser())


@pytest.mark.proof
@pytest.mark.parametrize("torus", [True, False], ids=["torus", "flat"])
def test_lessons_of_both_kinds_over_a_console(torus: bool, tmp_path: Path) -> None:
    """What comes from behind meanwhile is counted in the unit of the console that it belongs to."""
    folder = course(tmp_path / "course")

    async def story(operator: Operator) -> None:
        below = operator.console
        await operator.press(*"nnnnnn", "colon")
        await operator.type(f"train {folder}")
        for keys, lesson in (("home down", True), ("end", False)):
            await operator.press(*keys.split(), "enter")
            await operator.rest()
            assert isinstance(operator.app.screen_stack[-2], DrillScreen)
            await operator.press("enter")
            await past_examples(operator)
            below._surveyed()
            below._paint_predictions()
            text = operator.text
            assert ("32 PE" if lesson else "128 nodes") in operator.title
            assert not (NODES if lesson else PE).search(re.sub("NODE MAP|node map", "", text)), text
            await operator.press("i", "b", "enter")
            text = operator.text
            assert not (NODES if lesson else PE).search(re.sub("NODE MAP|node map", "", text)), text
            await operator.press("escape", "escape")
            below._surveyed()
            below._paint_predictions()
        await operator.press("escape")
        assert operator.app.screen is below
        assert ("32 PE" if torus else "128 nodes") in operator.title
        text = operator.text
        assert not (NODES if torus else PE).search(re.sub("NODE MAP|node map", "", text)), text
        await check(operator, torus)

    with_first(story, ConsoleScreen(open_session(load(TORUS if torus else FLAT))))


@pytest.mark.proof
def test_lanes_of_both_kinds_side_by_side(tmp_path: Path) -> None:
    """Each lane is counted in its own unit: its map, its queue, what happens and why."""
    flat = tmp_path / "flat.toml"
    machine = '[machine]\ntorus = [4, 2, 4]\nunit = "processor"\nper_node = 2\n'
    text = TORUS.read_text()
    assert machine in text
    flat.write_text(text.replace(machine, "[machine]\nnodes = 32\n"))
    lockstep = Lockstep([open_session(load(path)) for path in (TORUS, flat)])

    async def story(operator: Operator) -> None:
        screen = operator.app.screen
        assert isinstance(screen, CompareScreen)
        await operator.press(*"nnnnnn")
        for place, (wrong, right) in enumerate(((NODES, PE), (PE, NODES))):
            lane = [screen.views[place].map.caption, *screen._reasons(place, 2)]
            lane += [wording.happened(screen.standings, place), *wording.head(screen.standings, place, 80)]
            said = "\n".join(lane)
            assert right.search(said) and not wrong.search(said), said
        assert "32 PE" in operator.text and "32 nodes" in operator.text

    with_first(story, CompareScreen(lockstep, None, MachineLanes(ConsoleScreen)), size=(200, 50))


def test_two_units_in_one_process_do_not_mix() -> None:
    """The same reason, decision and state in one unit, in the other, and in the first again."""
    short = Reason("no_room_now", {"needs": 1, "free": 0})
    began = Decision("start", 7, Reason("head_fits", {"needs": 32, "free": 40}))
    for unit, one, many, assigned in (
        (words.NODES, "1 node", "32 nodes", " nodes "),
        (words.PE, "1 PE", "32 PE", " PE "),
        (words.NODES, "1 node", "32 nodes", " nodes "),
    ):
        assert f" {one}," in words.waits(7, short, unit)
        assert f" {many}," in words.decision(began, unit)
        assert assigned in words.state("W", unit)


def test_no_sentence_of_a_reason_has_a_unit_of_its_own() -> None:
    """A sentence has places for the words of the unit."""
    decisions = [sentence for kind in words.DECISIONS.values() for sentence in kind.values()]
    reasons = [*words.WAITING.values(), *words.ENDLESS.values(), *words.BRIEF.values()]
    for sentence in (*decisions, *reasons):
        assert not NODES.search(re.sub(r"{[^}]*}", "", sentence)), sentence


@pytest.mark.parametrize(
    ("sides", "unit", "found"),
    [
        (None, "node", words.NODES),
        (None, "processor", CPUS),
        ((4, 2, 4), "node", words.NODES),
        ((4, 2, 4), "processor", words.PE),
    ],
)
def test_a_machine_is_counted_in_what_its_jobs_ask_for(
    sides: tuple[int, int, int] | None, unit: str, found: words.Unit
) -> None:
    """A torus of the scenario counts in nodes or PEs, a flat machine in nodes or CPUs."""
    assert words.unit_of(Machine(32, sides, unit)) == found


def test_what_training_and_the_help_say_of_the_machine() -> None:
    """Every choice, hint and sign in PE where those are counted; a Slurm cluster always has nodes."""
    unit = words.PE
    texts_of_training = [training.choice("why", reason, unit) for reason in training.REASONS]
    texts_of_training += [training.choice("state", letter, unit) for letter in words.STATES]
    texts_of_training += [
        training.hinted(Question(0, ask), 0, unit) for ask in training.WORDINGS if ask not in cluster.WORDINGS
    ]
    texts_of_training += [*texts(sign_lines(200, unit))]
    said = "\n".join(texts_of_training)
    assert PE.search(said) and not NODES.search(said), NODES.search(said)
