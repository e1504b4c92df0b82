"""The text of the events panel, as pure text."""

from typing import Any

import attrs
import pytest

from shadowtime.console import words
from shadowtime.console.session import Decision, Event, Prediction, Reason, Row, open_session
from shadowtime.console.session.jobs.chain import Chain, Link
from shadowtime.console.widgets.events import panel
from shadowtime.console.widgets.events.text import (
    MEDIANS,
    ChosenJob,
    chain_lines,
    decision_lines,
    first_lines,
    sentence_of,
    why_lines,
    why_text,
)
from shadowtime.console.widgets.frame.ink import Line, texts
from shadowtime.console.words import NODES
from tests.console.operator import case

FITS = Reason("head_fits", {"needs": 8, "free": 10})
STARTS = Decision("start", 3, FITS)
EXPECTED = Prediction(400, "guaranteed", 7)
WAITS = Row(
    index=2,
    id=3,
    user="",
    klass="",
    queue="",
    name="",
    state="N",
    size=8,
    submit=0,
    estimate=60,
    wait=100,
    predicted=EXPECTED,
    first_predicted=500,
)
NO_ROOM = Reason("no_room", {"needs": 8, "free": 4, "head": 1, "shadow": 300})


def test_what_lies_ahead_and_a_pass_without_decisions_stand_back() -> None:
    it, quiet = Event(7, 100, "submit", 3), Event(8, 100, "pass", None)
    found = panel.EventPanel(lambda first, count: (it, quiet), NODES)
    shot = open_session(case()).snapshot()
    for now, roles in ((6, ["dim", "dim"]), (7, ["strong", "dim"]), (8, ["text", "strong"])):
        found._snapshot = attrs.evolve(shot, number=now)
        assert [row.role for row in found._listed(7, 2)] == roles
    listed = found._listed(7, 1)[0]
    assert (listed.at, listed.text) == ("0d 00:01:40", words.happened("submit", 3))


def test_decisions_without_room_are_counted() -> None:
    it = Event(7, 100, "pass", None, tuple(Decision("start", job, FITS) for job in range(1, 6)))
    lines = texts(decision_lines(it, 80, 3, NODES))
    assert lines[:2] == [
        f"* {words.decision(Decision('start', 1, FITS), NODES)}",
        f"* {words.decision(Decision('start', 2, FITS), NODES)}",
    ]
    assert lines[2] == "  and 3 decisions more: Enter"
    assert len(decision_lines(it, 80, 5, NODES)) == 5
    assert texts(decision_lines(it, 80, 1, NODES)) == ["  5 decisions: Enter"], "more than none would be odd"


def test_before_the_first_event_the_panel_says_how_to_begin() -> None:
    assert texts(decision_lines(None, 80, 3, NODES)) == ["nothing has happened yet: n is the first event"]


def test_a_waiting_job_says_why_and_when() -> None:
    lines = texts(why_lines(ChosenJob(WAITS, NO_ROOM), 100, 7, 200, NODES))
    assert lines == [
        f"WHY  {words.waits(3, NO_ROOM, NODES)}",
        f"WHEN {words.prediction(3, EXPECTED, 100, NODES)};"
        f" that is {words.moved(-100)} than at its submission",
    ]


def test_a_reason_beside_other_idle_nodes_says_that_the_pass_comes_first() -> None:
    """At event 7 job 1 has just left the machine: job 2 starts in the pass, and job 3 waits behind it."""
    session = open_session(case("dilemma.toml", "fcfs"))
    for number, later in ((6, False), (7, True), (8, False)):
        session.go(f"#{number}")
        row = session.row(session.index_of(3))
        choice = ChosenJob.of(row, session.turned(3), session.snapshot())
        assert choice.later is later
        first = why_text(choice, session.time, number, NODES).splitlines()[0]
        assert first.endswith("; so it stands after the pass of this instant") is later
    session.go("#7")
    assert not ChosenJob.of(session.row(session.index_of(2)), None, session.snapshot()).later


def test_a_stale_prediction_names_its_event() -> None:
    assert why_text(ChosenJob(WAITS, NO_ROOM), 100, 9, NODES).endswith("(as of event 7)")


def test_a_started_job_says_why_it_started() -> None:
    runs = Row(2, 3, "", "", "", "", "R", 8, 0, 60, 100, start=100, end=160)
    assert why_text(ChosenJob(runs, None, STARTS), 120, 9, NODES).splitlines() == [
        words.decision(STARTS, NODES),
        words.standing(runs, NODES),
    ]


def test_a_preempted_job_says_why_it_waits_why_it_was_stopped_and_when_it_goes_on() -> None:
    stopped = Row(
        *(2, 3, "", "", "", "", "O", 8, 0, 600, 40),
        start=10,
        since=60,
        preemptions=1,
        predicted=Prediction(400, "expected", 7),
        first_predicted=10,
        terms={"done": 50, "left": 550},
    )
    gave_way = Decision(
        "preempt",
        3,
        Reason("preempted_for", {"size": 8, "head": 1, "head_needs": 20, "done": 50, "left": 550}),
    )
    assert why_text(ChosenJob(stopped, NO_ROOM, gave_way), 100, 7, NODES).splitlines() == [
        words.waits(3, NO_ROOM, NODES),
        words.decision(gave_way, NODES),
        words.prediction(3, Prediction(400, "expected", 7), 100, NODES, verb="resume"),
    ]


def test_a_job_that_holds_its_nodes_says_so_once() -> None:
    about = Row(
        *(2, 3, "", "", "", "", "W", 8, 0, 600, 40), since=60, predicted=Prediction(400, "settled", 7)
    )
    runs_soon = Reason("about_to_run", {"needs": 8, "free": 4, "at": 400})
    assert why_text(ChosenJob(about, runs_soon, STARTS), 100, 7, NODES).splitlines() == [
        words.waits(3, runs_soon, NODES),
        words.decision(STARTS, NODES),
    ]


def test_a_planned_start_is_drawn_unlike_a_guaranteed_one() -> None:
    planned = attrs.evolve(WAITS, predicted=Prediction(400, "planned", 7), terms={"deadline": 900})
    roles = [
        {role for _, role in line[1:]} for line in why_lines(ChosenJob(planned, NO_ROOM), 100, 7, 300, NODES)
    ]
    assert roles[1] == {"plan"}
    assert [
        {role for _, role in line[1:]} for line in why_lines(ChosenJob(WAITS, NO_ROOM), 100, 7, 300, NODES)
    ][1] == {"promise"}


def test_the_first_decision_has_its_room() -> None:
    """However long its sentence is: the list of events gives way."""
    one = Event(7, 100, "pass", None, (STARTS,))
    assert first_lines(one, 80, NODES) == 1
    assert first_lines(one, 40, NODES) == 2
    assert first_lines(attrs.evolve(one, decisions=(STARTS, STARTS)), 80, NODES) == 2
    assert first_lines(None, 80, NODES) == first_lines(Event(7, 100, "pass", None), 80, NODES) == 1


def test_an_instant_is_never_broken_over_two_lines() -> None:
    for width in range(30, 100):
        assert "0d 00:05:00" in "\n".join(texts(why_lines(ChosenJob(WAITS, NO_ROOM), 100, 7, width, NODES)))


def test_a_long_chain_is_fitted_in_few_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many steps as there is room for: one more, and the lines are too many."""
    links = [Link(60 * n, "ends", 4, 4 * n, "7" * (90 if n % 3 else 5)) for n in range(1, 400)]
    made = Chain("3", 8, 0, 4, (*links, Link(24_000, "start", -8, 0, "3")))
    choice, tries = ChosenJob(WAITS, NO_ROOM, chain=made), []

    def counted(*asked: Any, **how: Any) -> list[Line]:
        tries.append(how)
        return why_lines(*asked, **how)

    monkeypatch.setattr(panel, "why_lines", counted)
    shot = open_session(case()).snapshot()
    found = panel.EventPanel(lambda first, count: (), NODES)
    found.choose(choice)
    room = 60 - panel.LEAST - 2
    lines = found._why(shot, 80, 60)
    best = max(most for most in range(3, 60) if len(why_lines(choice, 0, 0, 80, NODES, most)) <= room)
    assert lines == why_lines(choice, 0, 0, 80, NODES, best) and len(tries) < 9


def test_an_event_is_copied_with_all_its_decisions() -> None:
    assert sentence_of(Event(7, 100, "pass", None, (STARTS,)), NODES) == (
        f"0d 00:01:40  {words.happened('pass', None)}\n{words.decision(STARTS, NODES)}"
    )
    assert sentence_of(None, NODES) == "nothing has happened yet"


@pytest.mark.parametrize(("first", "second", "said"), [(20, 30, False), (30, 20, True), (61, 62, True)])
def test_likely_instants_in_another_order_are_explained(first: int, second: int, said: bool) -> None:
    """Medians of tries may stand in another order than the steps, and after the instants at the limits."""
    links = Link(60, "ends", 8, 12, "3", likely=first), Link(120, "ends", 4, 16, "5", likely=second)
    lines = texts(chain_lines(Chain("7", 20, 0, 4, links), 200, NODES))
    assert (len(lines) == 3) is said is (MEDIANS in lines[-1])
