"""What the operator types: the command line, the palette, the help and the way out."""

import pytest
from textual.widgets import Input

from shadowtime.console import words
from shadowtime.console.session.course.places import EXPECTED
from tests.console.operator import Operator, operate

AT_SIX = "#6"


REFUSED = (
    ("12", "12 alone is no command; 12n goes forward, 12p back, #12 to that event"),
    ("dance", "unknown command 'dance'; expected one of n, p, goto"),
    ("inpact drain 0-3", "unknown command 'inpact'; expected impact, perhaps; help lists all"),
    ("sort shoe", "'shoe' is no column to sort by; expected one of order, starts"),
    ("speed fast", "'fast' is no speed; expected events a second, as in speed 8"),
    ("job x", "'x' is no job; expected a whole number"),
    ("job 99", "there is no job 99"),
    ("goto", f"go where? expected one of {EXPECTED}"),
    ("under chaos", "there is no policy 'chaos'; expected one of"),
    ("mark 12", "a mark is one letter"),
    ("undo x", "undo stands alone; 'x' is too much"),
    ("quit now", "quit stands alone; 'now' is too much"),
    ("9999n", "there is no event 10,005: event 12 is the last"),
    ("#9999", "there is no event 9,999: event 12 is the last"),
)
"""What is typed, and how the message begins."""


def test_a_command_that_is_none_is_one_clear_line() -> None:
    async def story(operator: Operator) -> None:
        for typed, wording in REFUSED:
            await operator.press("colon")
            await operator.type(typed)
            assert operator.message.startswith(wording)

    operate(story, at=AT_SIX)


def test_a_command_pasted_with_its_colon_is_taken() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type(":2n")
        assert "event 8/12" in operator.title

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_typed_commands_do_what_they_say() -> None:
    async def story(operator: Operator) -> None:
        async def command(text: str) -> None:
            await operator.press("colon")
            await operator.type(text)

        await command("goto 0 01:00:00")
        assert "event 8/12" in operator.title
        await command("#6")
        assert "event 6/12" in operator.title
        await command("why 3")
        assert operator.message.startswith(f"job 3 {words.VERBS['backfill']}")
        await command("sort size reverse")
        assert operator.jobs == [3, 1, 2]
        await command("filter ada")
        assert operator.jobs == [1]
        await command("filter")
        assert len(operator.jobs) == 3
        await command("speed 8")
        assert operator.title.endswith("x8")
        await command("mark k")
        assert operator.message.startswith("mark k is event 6")
        await command("policy")
        assert "POLICY" in operator.lines[0] and "scan" in operator.text and "arrival" in operator.text
        await operator.press("escape")
        await command("note")
        assert "NOTES" in operator.lines[0] and "Job 1 takes 64" in operator.text
        await operator.press("escape")
        await command("help")
        assert "HELP" in operator.lines[0]

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_the_same_workload_opens_under_another_policy_at_the_same_instant() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("colon")
        await operator.type("under fcfs")
        assert " fcfs " in operator.title and "0d 00:20:00" in operator.title
        assert "job 3" not in operator.panel(1) and operator.jobs == [2, 3, 1]

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_colon_completes_what_is_typed() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("colon", *"pol", "right")
        assert operator.console.query_one(Input).value == "policy"

    operate(story)


@pytest.mark.proof
def test_esc_leaves_a_question_without_an_answer() -> None:
    async def story(operator: Operator) -> None:
        for key in ("colon", "g", "slash"):
            await operator.press(key, "n", "escape")
        await operator.press("n")
        assert "event 7/12" in operator.title

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_control_p_searches_all_actions() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("ctrl+p")
        assert "Search" in operator.text
        await operator.press(*"beginning")
        await operator.until(lambda: "To the beginning" in operator.text)
        await operator.press("enter")
        await operator.until(lambda: operator.console.snapshot.number == 0)

    operate(story, at=AT_SIX)


@pytest.mark.proof
def test_question_mark_opens_the_help_and_closes_it() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("question_mark")
        assert "HELP" in operator.lines[0] and "one event forward" in operator.text
        await operator.press("question_mark")
        assert "|| PAUSED" in operator.title

    operate(story)


@pytest.mark.proof
def test_q_quits() -> None:
    async def story(operator: Operator) -> None:
        await operator.press_only("q")
        await operator.until(lambda: not operator.app.is_running)

    operate(story)


@pytest.mark.proof
def test_a_click_selects_a_job_and_points_in_time() -> None:
    async def story(operator: Operator) -> None:
        await operator._pilot.click("#queue", offset=(5, 3))
        await operator.rest()
        assert "WHY  job 3" in operator.panel(4)
        bar = operator.console.query_one("#timebar").region
        await operator._pilot.click("#timebar", offset=(operator.lines[bar.y].index("|") + 2 - bar.x, 0))
        await operator.rest()
        assert operator.console.snapshot.number < 6

    operate(story, at=AT_SIX)
