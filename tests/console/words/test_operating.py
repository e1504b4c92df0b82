"""The words of actions and failures: what was done, what came of it, why it cannot be."""

import string
from collections.abc import Mapping
from itertools import product

import attrs
import pytest

from shadowtime.console import words
from shadowtime.console.screens.command_table import COMMANDS
from shadowtime.console.session import Action
from shadowtime.console.session.facts import Decision, Event, Reason, Row
from shadowtime.console.session.operator.refusals import SENTENCES, next_step, refused
from shadowtime.console.session.values import Value
from shadowtime.console.words import operating
from shadowtime.kernels.core.decisions import REASONS
from shadowtime.scenarios import PolicyChoice
from tests.refusals import cannot

GIVEN = dict(REASONS)
NUMBERS: Mapping[str, Value] = {
    "needs": 32,
    "free": 14,
    "size": 32,
    "level": 3,
    "done": 1200,
    "lost": 600,
    "nodes": 16,
    "leaving": 4,
    "covered": 3,
    "block": 64,
    "since": 3600,
    "shadow": 7200,
    "extra": 2,
    "state": "R",
    "blocker": 7,
    "at": 3600,
    "service": "debug",
    "stored": 512,
    "storage": 768,
}


def reason(code: str, **others: Value) -> Reason:
    return Reason(code, {**{name: NUMBERS.get(name, 5) for name in GIVEN[code]}, **others})


def act(do: str, **given: object) -> Action:
    return Action(do, after=7, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (act("hold", job=31), "the operator holds job 31"),
        (act("class", job=31, to="debug"), "the operator makes job 31 one of class debug"),
        (act("priority", job=31, to=-3), "the operator gives job 31 the priority -3"),
        (act("drain", nodes=((3, 4),)), "the operator drains node 3"),
        (act("down", nodes=((0, 16), (20, 21))), "the operator takes nodes 0-15,20 down"),
        (act("up", nodes=((0, 16),)), "the operator brings nodes 0-15 up"),
        (
            act("policy", policy=PolicyChoice("easy", {"scan": "shortest"})),
            "the operator puts easy:scan=shortest in force",
        ),
        (act("parameter", key="alternate", value=False), "the operator changes alternate=false"),
    ],
)
def test_what_was_done(action: Action, sentence: str) -> None:
    """In the list of events, and in the line for messages."""
    assert words.did(action) == sentence
    assert words.event(Event(8, 60, "action", action.job, (), action), words.NODES) == sentence


def test_what_came_of_it() -> None:
    """A refusal is shown as one; jobs that were struck are named."""
    action = act("down", nodes=((0, 4),))
    struck = (
        Decision("switch", None, reason("nodes_down")),
        Decision("release", 5, reason("struck_killed")),
        Decision("release", 6, reason("struck_killed")),
    )
    assert words.event(Event(8, 60, "action", None, struck, action), words.NODES).endswith(
        "down: kills jobs 5, 6"
    )
    no = Decision("refuse", None, reason("all_down", text="nodes 0-3 are down already"))
    assert words.event(Event(8, 60, "action", None, (no,), action), words.NODES).endswith("down: refused")
    assert words.decision(no, words.NODES) == "refused: nodes 0-3 are down already"
    assert (
        words.decision(struck[0], words.NODES)
        == "16 nodes go out of service, 4 of them as soon as their jobs have left"
    )
    assert words.decision(struck[0], words.PE) == words.decision(struck[0], words.NODES), "whole nodes"
    assert words.event(Event(8, 60, "node_down", None, struck), words.NODES) == (
        "nodes go down: 16 nodes go out of service, 4 of them as soon as their jobs have left; "
        "kills jobs 5, 6"
    )


@pytest.mark.parametrize(
    ("kind", "code"), [(k, c) for k, codes in operating.DECISIONS.items() for c in codes]
)
def test_every_decision_is_a_sentence(kind: str, code: str) -> None:
    text = words.decision(Decision(kind, 31, reason(code)), words.NODES)
    assert "job 31" in text and "{" not in text and "none" not in text
    assert words.tally((Decision(kind, 31, reason(code)),), words.NODES).endswith(" 31")


@pytest.mark.parametrize("code", operating.POLICY)
def test_what_happens_to_the_machine_is_a_sentence(code: str) -> None:
    text = words.decision(Decision("switch", None, reason(code)), words.NODES)
    assert text and "{" not in text
    assert words.tally((Decision("switch", None, reason(code)),), words.NODES) == text


@pytest.mark.parametrize("code", operating.WAITING)
def test_why_a_job_waits_for_the_operator(code: str) -> None:
    for sentence in (operating.WAITING[code], operating.BRIEF[code], operating.ENDLESS.get(code, "")):
        asked = {field for _, field, _, _ in string.Formatter().parse(sentence) if field}
        assert asked <= {"job", "units", *GIVEN[code]}
    assert "job 31" in words.waits(31, reason(code), words.NODES)
    assert "{" not in words.brief(reason(code), 0, words.NODES)
    assert "never" not in words.waits(
        31, reason(code, **{"shadow": None} if "shadow" in GIVEN[code] else {}), words.NODES
    )


@pytest.mark.parametrize("code", SENTENCES)
def test_every_refusal_is_one_line_about_what_was_meant(code: str) -> None:
    """What is wrong with it, with the numbers that the kernel gives."""
    action = act("class", job=31, to="debug")
    if code in ("all_in_service", "all_down", "all_leaving"):
        action = act("up", nodes=((0, 4),))
    elif code in ("job_active", "other_policy", "other_machine"):
        action = act("policy", policy=PolicyChoice("t3d"))
    text = refused(action, code, reason(code).numbers, "easy")
    assert "\n" not in text and "None" not in text and "{" not in text, text
    assert any(word in text for word in ("job 31", "nodes 0-3", "t3d", "easy")), text
    assert (
        refused(act("hold", job=31), "no_such_code", {"x": 1}, "easy")
        == "job 31: refused, no such code (x 1)"
    )


def test_what_a_stop_takes_is_added_to_the_wait_of_the_head() -> None:
    numbers = {"needs": 26, "free": 2, "shadow": 7200, "blocker": 1, "delay": 300}
    assert words.waits(2, Reason("head_blocked", numbers), words.NODES).endswith(
        "of job 1; if jobs have to be stopped for it then, it runs at most 5m later, when they are saved"
    )


def test_nodes_that_fail_are_named() -> None:
    """Which they are, and how many; those of struck jobs are out at once."""
    down = Event(8, 60, "node_down", None, (), None, ((0, 4),))
    assert words.event(
        attrs.evolve(down, decisions=(Decision("switch", None, reason("nodes_down", leaving=0)),)),
        words.NODES,
    ) == ("nodes 0-3 go down: 16 nodes go out of service")
    assert words.occurred(attrs.evolve(down, kind="node_up", nodes=((3, 4),))) == "node 3 comes up"


def test_how_a_job_left_is_reported() -> None:
    """Cancelled before or after its start, or killed with a node."""
    row = Row(0, 31, "", "", "", "", "F", 4, 0, 60, 5, outcome="cancelled", now=90)
    assert words.standing(row, words.NODES) == "job 31 was cancelled by the operator, and never started"
    ran = attrs.evolve(row, start=10)
    assert words.standing(ran, words.NODES).endswith("and was cancelled by the operator")
    struck = attrs.evolve(ran, outcome="struck", end=60)
    assert words.standing(struck, words.NODES).endswith(
        "and was killed at 0d 00:01:00, when one of its nodes failed"
    )


def test_nodes_of_which_none_goes_or_comes() -> None:
    """They were out already, or another outage has them still."""
    gone = Decision("switch", None, Reason("nodes_down", {"nodes": 0, "leaving": 0}))
    back = Decision("switch", None, Reason("nodes_back", {"nodes": 0, "covered": 12}))
    assert words.decision(gone, words.NODES) == "all of the nodes were out of service or draining before"
    assert words.decision(back, words.NODES) == "0 nodes in service again; 12 stay out, by another outage"


def test_nothing_to_take_back() -> None:
    """What a file does at instants is the scenario's own."""
    text = "there is no action to take back"
    assert words.nothing_done(()) == text
    timed = (Action("hold", at=60, job=1),)
    assert words.nothing_done(timed) == f"{text}; the file's own actions, at instants, stay"


@pytest.mark.parametrize(
    ("kind", "code", "part"),
    [
        ("reserve", "head_shadow", "needs 32 nodes, 14 are free: when it can start is not known"),
        ("backfill", "ends_by_shadow", "and when job 7 before it can start is not known"),
        ("backfill", "predicted_by_shadow", "and when job 7 before it can start is not known"),
        ("backfill", "within_extra", "and when job 7 before it can start is not known"),
    ],
)
def test_a_shadow_time_that_never_comes(kind: str, code: str, part: str) -> None:
    """The head needs more nodes than are in service, and holds nobody back."""
    numbers = {"needs": 32, "free": 14, "extra": 2, "head": 7, "end": 3600, "limit": 7200, "shadow": None}
    sentence = words.decision(Decision(kind, 31, Reason(code, numbers)), words.NODES)
    assert part in sentence and "never" not in sentence


@pytest.mark.parametrize(
    ("do", "state", "words"),
    [
        ("hold", "R", "job 1 is running; only a waiting job can be held; suspend 1 or cancel 1"),
        ("release", "N", "job 1 is waiting; only a held job can be released; hold 1 or cancel 1"),
        ("suspend", "N", "job 1 is waiting; only a running job can be suspended; hold 1 or cancel 1"),
        ("resume", "R", "job 1 is running; only a suspended job can be resumed; suspend 1 or cancel 1"),
        (
            "start",
            "S",
            "job 1 is suspended; only a waiting job can be started; resume 1 returns it to the queue",
        ),
    ],
)
def test_a_refusal_says_what_is_wrong_and_what_can_be(do: str, state: str, words: str) -> None:
    """In one line."""
    assert cannot(do, 1, state) == words


def test_every_refusal_names_the_command_to_go_on_with() -> None:
    """Whatever the code and the state, the line ends with a command that is there."""
    typed = {command.name for command in COMMANDS}
    for code, state in product(SENTENCES, "NWioROSH"):
        action = Action("hold", job=1, nodes=((0, 4),))
        step = next_step(action, code, {"state": state, "blocker": 2})
        assert refused(action, code, {"state": state, "blocker": 2}, "easy").endswith(f"; {step}")
        assert typed & set(step.split()), step
