"""Every scheduler on the screen: what it goes by, what it keeps for its jobs, whom it stops, and its name."""

import pytest

from shadowtime.console import words
from shadowtime.console.session import open_session
from shadowtime.console.widgets.frame.ink import plain
from shadowtime.console.widgets.frame.status import title_line
from tests.console import wording
from tests.console.operator import Operator, case, operate, under

SMALL, USUAL = (80, 24), (120, 36)
FACTS = {
    "dynp:threshold=1": ("in force", "ljf", "AERT", "3h00m of 1 job", "up to", "sjf 2h, fcfs 2h30m"),
    "ivs:utilized=0.1": (
        "in force",
        "interactive 0 wait",
        "batch 1 wait, delta 0",
        "utilized yes, from 10 %",
    ),
    'pbas:candidates=["flex","easy"],frame=1h': ("flex (reconstruction)", "easy", "next review"),
    "wbas:wide=flex,narrow=easy,frame=1h": ("AP last", "AP", "wide", "narrow", "next review"),
    "checkpoint": ("reserve time 0d 08:00:00", "of the head job 2"),
    "prime": ("period", "prime", "until", "0d 12:00:00"),
    "gang:quantum=10m": ("current row", "next switch", "row 0"),
}
"""What the metrics panel tells of each policy while job 2 of the dilemma waits."""


@pytest.mark.proof
@pytest.mark.parametrize("policy", FACTS)
def test_what_the_policy_goes_by_is_in_sight(policy: str) -> None:
    """At 120x36 beside everything else, at 80x24 in its panel with the whole screen."""

    async def beside(operator: Operator) -> None:
        shown = " ".join(operator.panel(5).split())
        assert all(fact in shown for fact in FACTS[policy]), operator.panel(5)

    async def alone(operator: Operator) -> None:
        await operator.press("5", "+", "+")
        shown = " ".join(operator.panel(5).split())
        assert all(fact in shown for fact in FACTS[policy]), operator.panel(5)

    operate(beside, of=under(policy), size=USUAL, at="0 00:15:00")
    operate(alone, of=under(policy), size=SMALL, at="0 00:15:00")


@pytest.mark.proof
def test_the_status_follows_the_clock() -> None:
    """One event on and one back: the facts of that moment, and the same again in the room that they had."""

    async def story(operator: Operator) -> None:
        await operator.press("n", "n", "p", "p")
        before = operator.panel(5)
        assert "in force    fcfs" in before and "8h00m of 1 job" in before
        await operator.press("n", "n")
        assert "in force    ljf" in operator.panel(5) and "no job waits" in operator.panel(5)
        await operator.press("p", "p")
        assert operator.panel(5) == before

    operate(story, of=under("dynp:threshold=1"), at="#1")


@pytest.mark.proof
def test_a_policy_without_a_status_leaves_the_panel_to_the_metrics() -> None:
    async def story(operator: Operator) -> None:
        assert operator.panel(5).splitlines()[1].startswith("│util")
        assert "preempted" not in operator.panel(5)

    operate(story, at="#6")


@pytest.mark.proof
def test_the_detail_and_the_policy_page_tell_it_in_full() -> None:
    """Enter on the metrics, or `:policy`: the facts now, the parameters as typed, the paper, the notes."""

    async def story(operator: Operator) -> None:
        await operator.press("5", "enter")
        assert "THE POLICY NOW" in operator.text and "AERT" in operator.text
        assert "preempt_ratio" in operator.text and "(pRatio)" in operator.text
        await operator.press("escape", "colon")
        await operator.type("policy")
        text = operator.text
        assert "dynp:threshold=1" in text and "Streit 2002" in text
        assert "lower             2h" in text and "threshold         1" in text
        assert "THE POLICY NOW" in text and "choice: " in text

    operate(story, of=under("dynp:threshold=1"), at="#6")


@pytest.mark.proof
def test_a_reconstruction_is_named_as_one_in_the_title() -> None:
    async def story(operator: Operator) -> None:
        assert "flex (reconstruction)" in operator.title

    operate(story, of=case(policy="flex"))

    async def other(operator: Operator) -> None:
        assert "reconstruction" not in operator.title

    operate(other, of=case(policy="dynp"))


@pytest.mark.proof
def test_flex_shows_slack_in_the_queue_and_the_deadline_in_the_detail() -> None:
    async def story(operator: Operator) -> None:
        queue = operator.panel(2)
        assert "SLACK" in queue and "0d 08:00:00 plan" in queue and " 1h00m" in queue
        why = " ".join(operator.panel(4).replace("│", "").split())
        session = operator.console.session
        assert wording.why(session, 2, "planned_by_deadline") in why and wording.expected(session, 2) in why
        await operator.press("enter")
        text = operator.text
        assert "deadline         0d 09:00:00" in text and "slack left       1h00m (3,600 s)" in text
        assert "start            0d 08:00:00 planned" in text
        assert "HOW ITS PREDICTED START MOVED" in text and "0d 08:00:00 planned" in text.split("MOVED")[1]

    operate(story, of=case(policy="flex"), at="#6")


@pytest.mark.proof
def test_a_switch_of_the_policy_is_an_event_with_its_reason() -> None:
    async def story(operator: Operator) -> None:
        shown = " ".join(operator.panel(4).replace("│", "").split())
        (event,) = operator.console.session.events(2, 1)
        assert event.kind == "switch_policy" and words.event(event, words.NODES) in shown
        assert f"* {words.decision(event.decisions[0], words.NODES)}"[:80] in shown
        await operator.press("4", "enter")
        assert "decisions        1" in operator.text and words.occurred(event) in operator.text

    operate(story, of=under("dynp:threshold=1"), size=(120, 35), at="#2")


@pytest.mark.proof
@pytest.mark.parametrize("size", [SMALL, USUAL], ids=str)
def test_a_preempted_job_and_the_one_it_made_room_for(size: tuple[int, int]) -> None:
    """O with its progress and why it was stopped; W with when it runs; both in the queue, W on the map."""

    async def story(operator: Operator) -> None:
        await operator.press("2")
        assert "3 waiting, 0 running" in operator.panel(2)
        assert operator.jobs == [3, 4, 2]
        rows = [" ".join(line.split()) for line in operator.panel(2).splitlines()[2:5]]
        assert " 3 " in rows[0] and " O " in rows[0] and " 52% " in rows[0]
        assert " W " in rows[2] and "0d 02:05:00 set" in rows[2]
        await operator.press("1")
        assert operator.panel(1).count("W") > 8 and "128 held" in operator.panel(1)
        await operator.press("2", "enter")
        text = " ".join(operator.text.replace("│", "").split())
        await operator.press("end")
        text += " ".join(operator.text.replace("│", "").split())
        assert "3 swapped out (O)" in text and "preempted once" in text
        assert "progress 1h50m (6,600 s)" in text and "estimate left 1h40m (6,000 s)" in text
        session = operator.console.session
        assert wording.turned(session, 3, "preempted_for") in text
        assert wording.expected(session, 3, "resume")[:40] in text

    operate(story, of=case("saving.toml", None), size=size, at="0 02:00:00")


@pytest.mark.proof
def test_the_detail_of_a_job_about_to_run() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("down", "down", "e")
        session = operator.console.session
        assert operator.message.startswith(wording.why(session, 2, "about_to_run"))
        await operator.press("2", "enter")
        text = " ".join(operator.text.replace("│", "").split())
        assert "2 waiting with nodes assigned (W)" in text and "start 0d 02:05:00 settled" in text
        assert "in this state since 0d 02:00:00" in text
        assert wording.turned(session, 2, "after_preemption") in text

    operate(story, of=case("saving.toml", None), at="0 02:00:00")


@pytest.mark.proof
def test_what_preemption_costs_is_measured_where_there_is_any() -> None:
    """Its three figures come as soon as it is known that jobs are preempted, and stay on the way back."""

    async def story(operator: Operator) -> None:
        assert "preempted" in operator.panel(5) and "checkpoints/day" in operator.panel(5)
        before = operator.panel(5)
        await operator.press("home")
        assert "preempted" in operator.panel(5)
        await operator.press("end")
        assert "33.3 %" not in before and "25.0 %" in operator.panel(5), operator.panel(5)

    operate(story, of=case("saving.toml", None), size=(200, 50), at="0 02:00:00")


@pytest.mark.proof
def test_the_signs_and_the_states_are_explained_in_the_help() -> None:
    async def story(operator: Operator) -> None:
        await operator.press("question_mark")
        for _ in range(4):
            await operator.press("pagedown")
        for sign in ("plan ", "set ", "SLACK", "DONE", "PRIO", "O          swapped out"):
            assert sign in operator.text, sign

    operate(story, size=(120, 36))


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (120, " day.toml  flex (reconstruction)  128 nodes  A story"),
        (65, " day.toml  flex (reconstruc… "),
        (50, " day.toml "),
    ],
)
def test_a_narrow_title_cuts_the_policy_before_it_drops_it(width: int, shown: str) -> None:
    names = ("day.toml", "flex (reconstruction)", "128 nodes")
    snapshot = open_session(case()).snapshot()
    title = plain(title_line(names, "A story", "|| PAUSED", snapshot, "x1", width))
    assert title.startswith(shown) and len(title) == width
