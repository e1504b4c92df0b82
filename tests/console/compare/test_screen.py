"""The compare view: two to four policies side by side in lockstep, each of its keys, and the ways back."""

from pathlib import Path
from time import sleep
from types import SimpleNamespace

import attrs
import pytest
from textual.widgets import Input

from shadowtime.console import keys, words
from shadowtime.console.screens.command_table import COMPARE, names_of
from shadowtime.console.screens.compare import keys as comparing_keys
from shadowtime.console.screens.compare.screen import CompareScreen
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.session import Case, Reason, load, open_session
from shadowtime.console.session.comparison.lockstep import Courses
from shadowtime.console.widgets.frame.looks import Depth
from shadowtime.console.words.moving import OF_LANES
from tests.console.operator import Operator, case, operate, with_first
from tests.console.views.test_screens import compare
from tests.session.comparison.lanes import states_of

SCENARIO = Path(__file__).parents[3] / "scenarios" / "fj97" / "dilemma.toml"
GOLDEN = Path(__file__).parent.parent / "golden"
AT = "0 00:20:00"


def dilemma() -> Case:
    return load(SCENARIO)


def view(operator: Operator) -> CompareScreen:
    """The compare view on top."""
    found = operator.app.screen
    assert isinstance(found, CompareScreen)
    return found


def clock(operator: Operator) -> str:
    """Where the lanes stand, as the title says."""
    return operator.title.split("PAUSED")[-1].split()[1] if "PAUSED  0d" in operator.title else operator.title


def names(operator: Operator) -> list[str]:
    return list(view(operator).lockstep.names)


async def enter(operator: Operator, text: str) -> None:
    """Type a line into the prompt of the view."""
    operator.app.screen.query_one(Input).value = text
    await operator.press("enter")


@pytest.mark.proof
@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize(("name", "pressed"), [("compare", ("equals_sign",)), ("compare-parted", ("D", "D"))])
def test_the_view_is_as_it_was(name: str, pressed: tuple[str, ...], size: tuple[int, int]) -> None:
    async def story(operator: Operator) -> None:
        await operator.press(*pressed)
        compare(operator.text, GOLDEN / f"{name}-{size[0]}x{size[1]}.txt")
        assert all(len(line) <= size[0] for line in operator.lines)

    operate(story, dilemma(), size, at=AT)


@pytest.mark.proof
def test_the_smallest_screen_shows_jobs_in_every_lane() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("equals_sign")
        for view_ in view(operator).views:
            assert view_.queue.in_sight

    operate(story, dilemma(), (60, 18), at=AT)


@pytest.mark.proof
@pytest.mark.parametrize("depth", [Depth.NONE, Depth.SIXTEEN])
def test_with_few_colours_it_says_the_same(depth: Depth) -> None:
    """Whatever is better or worse says so in a word."""

    async def story(operator: Operator) -> None:
        await operator.press("equals_sign")
        assert "util now 50.0 % 100.0 % +50.0 pt better" in " ".join(operator.text.split())
        await operator.press("end")
        assert "in system 3h30m 3h53m +23m20s worse" in " ".join(operator.text.split())

    with_first(story, ConsoleScreen(open_session(dilemma()), AT), depth=depth)


@pytest.mark.proof
def test_steps_go_from_instant_to_instant_of_any_lane() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("equals_sign")
        assert clock(operator) == "00:20:00"
        for key, at in (
            ("n", "00:30:00"),
            ("full_stop", "00:40:00"),
            ("p", "00:30:00"),
            ("comma", "00:20:00"),
            ("right_curly_bracket", "02:00:00"),
            ("left_curly_bracket", "00:20:00"),
            ("P", "00:00:00"),
            ("N", "00:20:00"),
        ):
            await operator.press(key)
            assert clock(operator) == at, key
        await operator.press("home")
        assert "before the first event" in operator.title
        await operator.press("p")
        assert operator.message == OF_LANES.back
        await operator.press("end", "n")
        assert clock(operator) == "07:00:00" and operator.message == OF_LANES.forward
        await operator.press("N")
        assert operator.message == OF_LANES.next_decision

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
def test_steps_pass_over_what_the_console_skips() -> None:
    """Slot switches are passed over as they are in the console, until the view is reported otherwise."""

    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type("skip switch_slot")
        await operator.press("equals_sign")
        assert "PAUSED skips" in operator.title
        await operator.press("n")
        assert "0d 01:00:00" in operator.title, "job 1 ends under fcfs"
        await operator.press("p")
        assert "0d 00:20:00" in operator.title
        await operator.press("colon")
        await enter(operator, "skip none")
        assert operator.message == words.skipped(())
        await operator.press("n")
        assert clock(operator) == "00:30:00"

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
def test_differences_are_gone_to_in_both_directions() -> None:
    """Lanes part at 20 minutes, agree again at 4:10, and part once more when gang is done at 6:20."""

    async def story(operator: Operator) -> None:
        await operator.press("equals_sign")
        assert "they agree so far; they part at 0d 00:20:00" in operator.text
        for key, at in (
            ("D", "00:20:00"),
            ("D", "06:20:00"),
            ("d", "00:20:00"),
            ("J", "00:30:00"),
            ("J", "01:00:00"),
            ("j", "00:30:00"),
        ):
            await operator.press(key)
            assert clock(operator) == at, key
        await operator.press("home", "d")
        assert operator.message == "they did not part before this; D looks the other way"
        await operator.press("end", "D")
        assert operator.message == "they do not part after this; d looks the other way"
        await operator.press("J")
        assert operator.message == "every job starts and ends alike after this; j looks the other way"

    operate(story, dilemma())


@pytest.mark.proof
def test_big_d_in_the_console_opens_the_view_where_they_part() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("D")
        assert clock(operator) == "00:20:00"
        assert "apart since 0d 00:20:00 until 0d 04:10:00; 1 job differs by now" in operator.text

    operate(story, dilemma())


@pytest.mark.proof
def test_a_search_tells_how_far_it_is_and_esc_stops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked for before the lanes have been run ahead waits for that; then it is begun anew."""
    usual = Courses.run

    def run(self: Courses, events: int = 1) -> bool:
        sleep(0.01)
        return not self._cancelled

    monkeypatch.setattr(Courses, "run", run)

    async def story(operator: Operator) -> None:
        await operator.press_only("equals_sign", "D")
        await operator.until(lambda: operator.message.startswith("running easy ahead: event 0"))
        assert "Esc stops" in operator.message and "where they part is being found out" in operator.text
        await operator.press_only("escape")
        await operator.until(lambda: operator.message.startswith("stopped"))
        monkeypatch.setattr(Courses, "run", usual)
        await operator.press("D")
        assert view(operator).lockstep.begun and "apart since" in operator.text

    operate(story, case("busy.swf", None))


@pytest.mark.proof
def test_a_far_trip_may_be_stopped_and_leads_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shadowtime.console.screens.travel.journey.PATIENCE", 0.0)
    monkeypatch.setattr(
        "shadowtime.console.session.travel.moving.Travel.knows", lambda lane, place: lambda: False
    )

    async def story(operator: Operator) -> None:
        await operator.press("equals_sign")
        screen = view(operator)
        here = states_of(screen.lockstep)

        def slow(_: object, events: int) -> int:
            sleep(0.01)
            return events

        monkeypatch.setattr(type(screen.lockstep.lanes[0]), "step", slow)
        await operator.press_only("g")
        screen.query_one(Input).value = "90%"
        await operator.press_only("enter")
        await operator.until(lambda: screen.busy and "going to 90%" in operator.message)
        await operator.press_only("n", "D", "escape")
        await operator.until(lambda: not screen.busy)
        assert operator.message == "stopped, and back where you were" and states_of(screen.lockstep) == here

    operate(story, case("busy.swf", None))


def test_places_are_typed() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("equals_sign", "g")
        await enter(operator, "3 start")
        assert clock(operator) == "03:00:00", "of the lane in use"
        await operator.press("tab", "g")
        await enter(operator, "3 start")
        assert clock(operator) == "00:30:00"
        await operator.press("colon")
        await enter(operator, "3n")
        assert clock(operator) == "01:00:00"
        await operator.press("g")
        await enter(operator, "never")
        assert "'never' is no place in time" in operator.message
        await operator.press("g", "escape")
        assert isinstance(operator.app.screen, CompareScreen)

    operate(story, dilemma())


REFUSED = {
    "dance": "unknown command 'dance'",
    "sort wait": "sort is no command of this view; expected one of n, p, goto",
    "compare nope": "there is no policy 'nope'",
    "compare easy:scan=3": "scan",
    "compare fcfs fcfs": "fcfs cannot be compared with itself",
    "job 99": "there is no job 99",
    "goto": "go where?",
    "speed fast": "'fast' is no speed",
}


@pytest.mark.proof
def test_a_command_that_is_none_is_one_clear_line() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("equals_sign")
        for typed, wording in REFUSED.items():
            await operator.press("colon")
            await enter(operator, typed)
            assert wording in operator.message and names(operator) == ["fcfs", "gang"]

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
def test_a_job_is_looked_at_in_every_lane() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("equals_sign")
        assert ">3  32n" in operator.text, "the one that differs most"
        await operator.press("up", "down")
        assert view(operator).selected == 2
        assert operator.text.count(">c    3") == 2
        reason = Reason("behind_head", {"head": 2, "head_needs": 128, "free": 64, "shadow": 28_800})
        assert words.waits(3, reason, words.NODES)[:40] in operator.text
        await operator.press("e")
        assert isinstance(operator.app.screen, Page) and "WHY JOB 3" in operator.lines[0]
        text = operator.text
        assert 0 < text.index("fcfs") < text.index("gang"), "first the lane in use"
        await operator.press("escape", "2", "e")
        text = operator.text
        assert 0 < text.index("gang") < text.index("fcfs")
        await operator.press("escape", "y")
        assert "apart since 0d 00:20:00" in operator.app.clipboard
        assert "+50.0 pt better" in operator.app.clipboard
        await operator.press("v")
        assert operator.message == "node maps are coloured by job"

    operate(story, dilemma(), at=AT)


@pytest.mark.proof
def test_play_moves_both_ways_and_stops_at_the_ends() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("equals_sign", "right_square_bracket", "right_square_bracket")
        assert operator.title.endswith("x4")
        await operator.press("backspace", "left_square_bracket")
        assert operator.title.endswith("x1/2")
        await operator.press("colon")
        await enter(operator, "speed 5000")
        await operator.press_only("space")
        await operator.until(lambda: view(operator).lockstep.over and "PAUSED" in operator.title)
        assert operator.message == OF_LANES.forward
        await operator.press_only("r", "space")
        await operator.until(lambda: not view(operator).lockstep.begun and "PAUSED" in operator.title)
        assert operator.message == OF_LANES.back

    operate(story, dilemma())


@pytest.mark.proof
def test_the_ways_back_lead_to_the_console() -> None:
    async def story(operator: Operator) -> None:
        for key in ("q", "escape"):
            await operator.press("equals_sign", "n", key)
            assert isinstance(operator.app.screen, ConsoleScreen)

    operate(story, dilemma())


@pytest.mark.proof
def test_the_help_tells_every_key_and_every_key_is_bound() -> None:
    async def story(operator: Operator) -> None:
        await operator.resize(80, 24)
        await operator.press("equals_sign", "question_mark")
        page = operator.app.screen
        assert isinstance(page, Page)
        words = " ".join(page.text.split())
        for key in comparing_keys.COMPARING:
            assert f"{key.shown} {key.help}" in words
        await operator.press("escape")
        bound = {key.action.partition("(")[0] for key in comparing_keys.COMPARING}
        assert bound == set(view(operator).actions)
        assert set(names_of(COMPARE)) == set(view(operator).commands())

    operate(story, dilemma())


def test_no_key_has_two_meanings_in_the_view() -> None:
    pressed = [key for entry in comparing_keys.COMPARING for key in entry.pressed]
    assert len(pressed) == len(set(pressed))


def test_keys_that_the_operator_chose_hold_here_too() -> None:
    chosen = [attrs.evolve(key, keys=("F5",)) if key.id == "forward" else key for key in keys.KEYS]
    app = SimpleNamespace(keyboard=keys.Keyboard(tuple(chosen)))
    shown = {key.id: key.keys for key in comparing_keys.in_force(app)}
    assert shown["forward"] == ("F5",) and shown["back"] == ("p", ",") and shown["lanes"] == ("l",)
    assert comparing_keys.footer(app)[0].keys == ("F5",)


def test_a_job_keeps_the_letter_that_it_has_in_the_console() -> None:
    """Whatever lanes show, in whatever order, through whatever filter."""

    async def story(operator: Operator) -> None:
        await operator.press("p", "p", "n")
        # As if others had been there before.
        before = dict(zip(operator.console.letters.held, "zyx", strict=False))
        operator.console.letters.held = before
        await operator.press("equals_sign")
        assert before.items() <= view(operator).letters.held.items()
        view(operator).filter_by("size<64")
        await operator.press("n", "n")
        assert before.items() <= view(operator).letters.held.items()

    operate(story, dilemma(), at=AT)
