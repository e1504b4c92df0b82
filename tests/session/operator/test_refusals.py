"""What was refused in a run, whose class is another one, and why who is suspended or held waits."""

import pytest

from shadowtime.console.session.comparison.lanes import by_clock
from shadowtime.console.session.session import Session
from shadowtime.scenarios import Action
from tests.refusals import cannot
from tests.session.build import FIRST_ID
from tests.session.operator.test_steering import FIRST, SECOND, THIRD, THREE, session
from tests.session.steering import case_of


def with_actions(policy: str, *actions: Action) -> Session:
    """A session whose file has those actions, at its end."""
    made = Session(case_of(THREE, policy).steered(actions))
    made.go_end()
    return made


def test_a_class_that_was_refused_is_not_shown() -> None:
    """A policy that does not look at classes gives nobody another one; who is over keeps the one it had."""
    here = with_actions("fcfs", Action("class", at=2, job=SECOND, to="standby"))
    assert here.row(1).klass == "debug"
    late = (Action("class", at=2, job=FIRST, to="standby"), Action("class", at=11, job=FIRST, to="debug"))
    here = with_actions("ivs", *late)
    assert here.row(0).klass == "standby"


def test_the_class_is_that_of_the_last_action_that_was_done() -> None:
    """By the order of the events, not by that of the file, where timed actions come first."""
    actions = (
        Action("class", at=5, job=SECOND, to="standby"),
        Action("class", job=SECOND, to="production", after=3),
    )
    here = with_actions("ivs", *actions)
    assert here.row(1).klass == "standby"
    here.go_time(4)
    assert here.row(1).klass == "production"


def test_what_was_refused_is_known_from_then_on() -> None:
    """When, and why in words, as the operator would have been shown; not before, and not of what was done."""
    actions = (
        Action("release", at=1, job=FIRST),
        Action("hold", at=2, job=SECOND),
        Action("suspend", job=THIRD, after=100),
    )
    here = with_actions("easy", *actions)
    found = [(each.action, each.text) for each in here.refused]
    assert found == [(actions[0], cannot("release", FIRST, "R"))]
    event: int = here.refused[0].event
    [refused] = here.events(event, 1)
    assert (refused.kind, refused.action, refused.decisions[0].kind) == ("action", actions[0], "refuse")
    here.go_event(event - 1)
    assert not here.refused
    here.go_event(event)
    assert [each.event for each in here.refused] == [event]
    fork = here.fork("other", "drain 0")
    fork.go_end()
    assert [each.event for each in fork.refused] == [event]


def test_a_refusal_in_another_lane_is_known_there() -> None:
    """What was done here and cannot be done under another policy: with the policy in force by then."""
    here = session("easy", 2)
    here.act(f"priority {SECOND} 4")
    assert not here.refused
    lane = Session(by_clock(here).under("sjf"))
    lane.go_end()
    assert [(each.action.do, each.text) for each in lane.refused] == [
        (
            "priority",
            "the policy sjf orders the queue by itself: priorities do not count; under policy easy they do",
        )
    ]


@pytest.mark.parametrize(("do", "state"), [("suspend", "S"), ("hold", "H")])
@pytest.mark.parametrize("policy", ["easy", "gang", "flex"])
def test_who_is_suspended_or_held_is_shown_why(do: str, state: str, policy: str) -> None:
    """In the instant of the action, before its pass, and ever after."""
    here = session(policy)
    job = FIRST if do == "suspend" else SECOND
    if policy == "gang" and do == "hold":
        here.act(f"suspend {SECOND}")
        here.act(f"resume {SECOND}")
    here.act(f"{do} {job}")
    while True:
        reason = here.why(job)
        assert here.row(job - FIRST_ID).state == state and reason is not None and reason.code
        if not here.step():
            return
