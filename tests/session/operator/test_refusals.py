"""What was refused in a run, whose class is another one, and why who is suspended or held waits."""

import re
from itertools import product
from pathlib import Path

import pytest

from shadowtime.console.session.case import base_case
from shadowtime.console.session.comparison.lanes import by_clock
from shadowtime.console.session.session import Session
from shadowtime.kernels.policies.torus.torus import SIDES
from shadowtime.scenarios import Action, Job, Machine, PolicyChoice, Scenario, Workload
from tests.refusals import cannot
from tests.session.build import FIRST_ID
from tests.session.operator.test_steering import FIRST, SECOND, THIRD, THREE, session
from tests.session.steering import ON_JOBS, case_of


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


@pytest.mark.parametrize("policy", ["easy", "t3d"])
def test_the_step_that_a_refusal_names_can_be_done(policy: str) -> None:
    """Of every action on a job that waits, is loaded, runs, is suspended or held."""
    jobs = Workload.of([Job(job, 256, 0, 900, 900) for job in (FIRST, SECOND)])
    torus = Scenario("a test", Machine(128, SIDES, "processor", 2), PolicyChoice("t3d"), jobs, Path("t.toml"))
    here, times = (Session(base_case(torus)), (2, 300, 600)) if policy == "t3d" else (session(), (2,))
    followed: set[str] = set()
    for at, done in product(times, ("", f"hold {SECOND}", f"suspend {FIRST}")):
        here.go_time(at)
        if done and here.refusal(done) is None:
            here.act(done)
        for do, job in product(ON_JOBS, (FIRST, SECOND)):
            refusal = here.refusal(f"{do} {job}") or ""
            named = re.findall(rf"\b(?:{'|'.join(ON_JOBS)}) {job}", refusal.rpartition(";")[2])
            assert not [step for step in named if here.refusal(step)], refusal
            followed.update(step.split()[0] for step in named)
    assert followed == (
        {"suspend", "resume", "cancel"} | ({"hold", "release"} if policy == "easy" else set())
    )
