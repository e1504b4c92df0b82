"""The keys of time: each does what the help says, seen on the screen."""

from time import sleep

import pytest

from shadowtime.console import words
from shadowtime.console.session.course.places import EXPECTED
from shadowtime.console.words.moving import ENDS
from tests.console.operator import Operator, case, operate

BEFORE = "event 0/12"


def event(operator: Operator) -> str:
    """The position in the title: `event 6/12`."""
    words = operator.title.split()
    return " ".join(words[words.index("event") : words.index("event") + 2])


@pytest.mark.proof
@pytest.mark.parametrize("key", ["n", "full_stop"])
def test_n_steps_one_event_forward(key: str) -> None:
    async def story(operator: Operator) -> None:
        assert event(operator) == BEFORE
        await operator.press(key)
        assert event(operator) == "event 1/12"
        assert words.happened("submit", 1) in operator.panel(4)

    operate(story)


@pytest.mark.proof
@pytest.mark.parametrize("key", ["p", "comma"])
def test_p_steps_one_event_back(key: str) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("n", "n", "n", key)
        assert event(operator) == "event 2/12"
        assert "> " in operator.panel(4) and "job 1 starts" in operator.panel(4)

    operate(story)


@pytest.mark.proof
def test_back_and_forward_shows_the_same_screen() -> None:
    """The step that leads to event 4 moves no start, from before or from after: it has no CHANGE.

    Panels keep the room that they have had, and the chart its window: the way was gone once before.
    """

    async def story(operator: Operator) -> None:
        await operator.press(*"nnnnnnnnn", *"ppppp")
        fourth = operator.lines
        await operator.press(*"nn")
        sixth = operator.lines
        await operator.press(*"nnnppppp")
        assert operator.lines == fourth
        await operator.press(*"nn")
        assert operator.lines == sixth

    operate(story)


@pytest.mark.proof
def test_the_ends_of_time_say_so() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("p")
        assert operator.message == ENDS.back
        await operator.press("end", "n")
        assert operator.message == ENDS.forward
        assert event(operator) == "event 12/12"

    operate(story)


@pytest.mark.proof
def test_braces_step_ten_events() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("right_curly_bracket")
        assert event(operator) == "event 10/12"
        await operator.press("left_curly_bracket")
        assert event(operator) == BEFORE

    operate(story)


@pytest.mark.proof
def test_a_counted_step_is_typed() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type("7n")
        assert event(operator) == "event 7/12"
        await operator.press("colon")
        await operator.type("3p")
        assert event(operator) == "event 4/12"

    operate(story)


@pytest.mark.proof
def test_capital_n_and_p_go_to_the_decisions() -> None:
    """Under EASY jobs start in events 2, 6, 10: the passes between decide nothing of that kind."""

    async def story(operator: Operator) -> None:
        found = []
        for _ in range(3):
            await operator.press("N")
            found.append(event(operator))
        assert found == ["event 2/12", "event 6/12", "event 10/12"]
        await operator.press("N")
        assert operator.message == ENDS.next_decision
        await operator.press("P")
        assert event(operator) == "event 6/12"
        await operator.press("P", "P")
        assert operator.message == ENDS.previous_decision

    operate(story)


@pytest.mark.proof
def test_space_plays_and_pauses() -> None:
    async def story(operator: Operator) -> None:
        assert "|| PAUSED" in operator.title
        await operator.press("right_square_bracket", "right_square_bracket", "space")
        assert ">> PLAYING" in operator.title
        await operator.until(lambda: operator.console.snapshot.number >= 2)
        await operator.press("space")
        assert "|| PAUSED" in operator.title
        assert 2 <= operator.console.snapshot.number < 12

    operate(story)


@pytest.mark.proof
def test_play_runs_to_the_end_and_pauses_there() -> None:
    async def story(operator: Operator) -> None:
        for _ in range(8):
            await operator.press("right_square_bracket")
        await operator.press("space")
        await operator.until(lambda: not operator.console.player.playing)
        assert event(operator) == "event 12/12" and "|| PAUSED" in operator.title
        assert operator.message == ENDS.forward

    operate(story)


@pytest.mark.proof
def test_r_turns_the_direction_of_play() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("end", "r")
        assert "|| PAUSED <" in operator.title
        for _ in range(8):
            await operator.press("right_square_bracket")
        await operator.press("space")
        await operator.until(lambda: not operator.console.player.playing)
        assert event(operator) == BEFORE
        assert operator.message == ENDS.back
        await operator.press("r")
        assert "|| PAUSED <" not in operator.title

    operate(story)


@pytest.mark.proof
def test_brackets_and_backspace_set_the_speed() -> None:
    async def story(operator: Operator) -> None:
        assert operator.title.endswith("x1")
        await operator.press("right_square_bracket", "right_square_bracket")
        assert operator.title.endswith("x4")
        await operator.press("left_square_bracket")
        assert operator.title.endswith("x2")
        await operator.press("left_square_bracket", "left_square_bracket")
        assert operator.title.endswith("x1/2")
        await operator.press("backspace")
        assert operator.title.endswith("x1")

    operate(story)


@pytest.mark.proof
def test_a_step_pauses_play() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("space", "n")
        assert "|| PAUSED" in operator.title

    operate(story)


@pytest.mark.proof
@pytest.mark.parametrize(
    ("place", "where"),
    [
        ("#5", "event 5/12"),
        ("0 00:20:00", "event 6/12"),
        ("50%", "event 6/12"),
        ("3 start", "event 6/12"),
        ("2 end", "event 11/12"),
        ("3 submit", "event 5/12"),
    ],
)
def test_g_goes_to_a_place(place: str, where: str) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("g")
        assert "go to" in operator.lines[-2] and EXPECTED in operator.lines[-2]
        await operator.type(place)
        assert event(operator) == where
        assert operator.message.startswith(f"came to {place}")

    operate(story)


@pytest.mark.proof
@pytest.mark.parametrize("place", ["nowhere", "31 start", "200%", "#x"])
def test_g_says_what_is_no_place_and_stays(place: str) -> None:
    async def story(operator: Operator) -> None:
        await operator.press("n", "g")
        await operator.type(place)
        assert event(operator) == "event 1/12"
        assert len(operator.message) > 20 and "came" not in operator.message

    operate(story)


@pytest.mark.proof
def test_home_and_end_go_to_both_ends() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("end")
        assert event(operator) == "event 12/12"
        await operator.press("home")
        assert event(operator) == BEFORE

    operate(story)


@pytest.mark.proof
@pytest.mark.parametrize("panel", ["1", "2", "4", "5"])
def test_home_and_end_mean_time_in_every_panel(panel: str) -> None:
    async def story(operator: Operator) -> None:
        await operator.press(panel, "end")
        assert event(operator) == "event 12/12"
        await operator.press("home")
        assert event(operator) == BEFORE

    operate(story)


@pytest.mark.proof
def test_marks_are_set_and_returned_to() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("n", "n", "n", "m")
        assert operator.message == "mark event 3 with which letter?"
        await operator.press("a")
        assert operator.message == "mark a is event 3; ' a comes back here"
        assert "a" in operator.lines[1], "the mark stands on the time bar"
        await operator.press("end", "apostrophe")
        assert operator.message.startswith("to which mark? a")
        await operator.press("a")
        assert event(operator) == "event 3/12"

    operate(story)


@pytest.mark.proof
def test_two_quotes_go_back_to_where_the_jump_began() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("n", "n", "end", "apostrophe", "apostrophe")
        assert event(operator) == "event 2/12"
        await operator.press("apostrophe", "apostrophe")
        assert event(operator) == "event 12/12", "and there again: a jump back is a jump"

    operate(story)


@pytest.mark.proof
def test_a_missing_mark_and_a_missing_jump_say_so() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("apostrophe", "apostrophe")
        assert operator.message == "no jump has been made yet"
        await operator.press("apostrophe", "z")
        assert operator.message == "no mark z; set one with m z"
        await operator.press("m", "7")
        assert operator.message == "a mark is one letter"

    operate(story)


def test_esc_forgets_a_mark_that_was_begun() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("m", "escape", "n")
        assert event(operator) == "event 1/12"

    operate(story)


@pytest.mark.proof
def test_it_begins_where_it_was_asked_to() -> None:
    async def story(operator: Operator) -> None:
        assert event(operator) == "event 6/12"

    operate(story, at="0 00:20:00")


@pytest.mark.proof
def test_a_long_jump_leaves_the_screen_free_and_esc_stops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A jump that takes longer than a frame is made in a worker, reported on the way, and stopped by Esc."""
    monkeypatch.setattr("shadowtime.console.screens.travel.journey.PATIENCE", 0.0)
    monkeypatch.setattr("shadowtime.console.session.course.pace.FIRST", 1)
    monkeypatch.setattr("shadowtime.console.session.course.pace.MOST", 1)
    monkeypatch.setattr("shadowtime.console.screens.travel.journey.REPORT_EVERY", 0.01)

    async def story(operator: Operator) -> None:
        console = operator.console
        console.session.run.trajectory.total = None
        quick = console.session.step

        def slow(n: int = 1) -> int:
            sleep(0.01)
            return quick(n)

        monkeypatch.setattr(console.session, "step", slow)
        console.jumps.go("#1600")
        await operator.until(lambda: "Esc stops here" in operator.message)
        assert operator.message.startswith("going to #1600: event ")
        await operator.press_only("n", "s", "5")
        assert operator.console.panels.used == 5, "what does not move works meanwhile"
        await operator.press_only("escape")
        await operator.until(lambda: not console.busy)
        await operator.rest()
        assert operator.message.startswith("stopped at event ")
        assert 0 < console.snapshot.number < 1600
        assert event(operator).startswith(f"event {console.snapshot.number:,}")
        await operator.press("apostrophe", "apostrophe")
        assert console.snapshot.number == 0

    operate(story, of=case("busy.swf"))
