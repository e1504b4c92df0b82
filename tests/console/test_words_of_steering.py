"""What is said of an operator's actions and of outages: one sentence each, with its numbers."""

import pytest

from console import words
from console.session import Decision, Reason, Value
from console.words import steering
from kernels.decisions import REASONS
from tests.console.test_words import asked

NUMBERS: dict[str, Value] = {
    "needs": 32,
    "size": 32,
    "free": 14,
    "nodes": 16,
    "leaving": 4,
    "shadow": 36_000,
    "extra": 2,
    "since": 3600,
    "level": -3,
    "done": 1200,
    "lost": 600,
    "state": "running",
    "blocker": 7,
}
DECIDED = [(kind, code) for kind, told in steering.DECISIONS.items() for code in told]
GIVEN = dict(REASONS)


def reason(code: str) -> Reason:
    return Reason(code, {name: NUMBERS[name] for name in GIVEN[code]})


@pytest.mark.parametrize(("kind", "code"), DECIDED)
def test_a_decision_is_one_sentence_about_its_job(kind: str, code: str) -> None:
    text = words.decision(Decision(kind, 31, reason(code)))
    assert text.startswith("job 31 ") and "32 nodes" in text and "{" not in text


@pytest.mark.parametrize("code", sorted(steering.WAITING))
def test_a_reason_to_wait_is_one_sentence(code: str) -> None:
    assert asked(steering.WAITING[code]) | asked(steering.BRIEF[code]) <= set(GIVEN[code])
    text, short = words.waits(31, reason(code)), words.brief(reason(code), 0)
    assert text.startswith("job 31 ") and "32 nodes" in text and "{" not in text + short and short


@pytest.mark.parametrize("code", sorted(steering.REFUSALS))
def test_a_refusal_says_what_stands_against_it(code: str) -> None:
    text = words.decision(Decision("refuse", 31, reason(code)))
    assert text.startswith("refused: ") and "{" not in text and "none" not in text.split()[2:]


def test_a_running_job_cannot_be_held() -> None:
    """The value that is wrong, then what was expected."""
    assert words.decision(Decision("refuse", 12, reason("only_waiting_held"))) == (
        "refused: job 12 is running; only a waiting job can be held"
    )


def test_the_machine_and_its_policy_are_told_without_a_job() -> None:
    down = words.decision(Decision("switch", None, reason("nodes_down")))
    assert down == "16 nodes out of service (4 of them when their jobs leave)"
    assert words.decision(Decision("switch", None, reason("nodes_back"))) == "16 nodes back in service"
    for code in ("policy_set", "parameter_set"):
        assert "from here on" in words.decision(Decision("switch", None, reason(code)))
