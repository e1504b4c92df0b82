"""The reasons and the status of the torus schedulers in English: blocks, claims, limits and NQS."""

import pytest

from shadowtime.console import words
from shadowtime.console.session import Decision, Reason, StatusValue, Value
from shadowtime.console.words.t3d import reasons as torus
from shadowtime.kernels.core.decisions import REASONS
from tests.console.words.test_words import asked

HOUR = 3600
NUMBERS: dict[str, Value] = {
    "needs": 32,
    "size": 64,
    "free": 14,
    "limit": 192,
    "head": 28,
    "blocker": 7,
    "by": 9,
    "at": 6 * HOUR,
    "large": 24,
    "waited": 2 * HOUR,
    "base": 4 + 8 * 2 + 32 * 6,
    "in_use": 96,
    "service": "debug",
    "queue": "pe64_long",
    "level": 3,
    "head_level": 4,
    "blocker_level": 2,
    "sizes": 48,
    "longest": 4 * HOUR,
    "until": 7 * HOUR,
    "since": 5 * HOUR,
    "max_wait": HOUR,
    "enclosing": 128,
    "wire": 2,
    "stored": 700,
    "storage": 768,
    "estimate": 5 * HOUR,
    "processors": 256,
}
GIVEN = {code: set(names) for code, names in REASONS}
DECIDED = [(kind, code) for kind, codes in torus.DECISIONS.items() for code in codes]
LOADED = [(kind, code) for kind in ("start", "resume") for code in torus.CLAUSES]


def reason(code: str) -> Reason:
    """A reason of a code with the numbers that the kernels give it."""
    return Reason(code, {name: NUMBERS.get(name, 5) for name in dict(REASONS)[code]})


def test_sentences_ask_only_for_numbers_that_the_kernels_give() -> None:
    for code in torus.WAITING:
        assert asked(torus.WAITING[code]) | asked(torus.BRIEF[code]) <= GIVEN[code], code
    for kind, code in DECIDED:
        assert asked(torus.DECISIONS[kind][code]) <= GIVEN[code], code
    for code, clause in torus.CLAUSES.items():
        assert asked(clause) <= GIVEN[code], code
    assert set(torus.WAITING) == set(torus.BRIEF)


@pytest.mark.parametrize("code", sorted(torus.WAITING))
def test_a_reason_to_wait_is_one_sentence(code: str) -> None:
    """With the job in front, and a few words of it for the queue."""
    text, short = words.waits(31, reason(code), words.NODES), words.brief(reason(code), 0, words.NODES)
    assert text.startswith("job 31 ") and "{" not in text + short and "none" not in text + short
    assert short and len(short) <= 32


@pytest.mark.parametrize(("kind", "code"), [*DECIDED, *LOADED])
def test_a_decision_is_one_sentence_about_its_job(kind: str, code: str) -> None:
    text = words.decision(Decision(kind, 31, reason(code)), words.NODES)
    assert text.startswith("job 31 ") and "{" not in text and "none" not in text


def test_a_block_is_reported_by_its_base() -> None:
    """Z, Y, X in processors, as its operators read it."""
    assert words.waits(31, reason("block_reserved"), words.NODES) == (
        "job 31 has the reservation, of the block of 32 at 624: it may be clear at 0d 06:00:00, when job 7"
        " has left it; it has waited 2h00m"
    )
    assert words.decision(Decision("preempt", 31, reason("saved_for")), words.NODES) == (
        "job 31 of priority 3 is preempted at 624 for job 28 of priority 4; its 64 PE are saved"
        " until 0d 07:00:00"
    )
    assert words.decision(Decision("reserve", 31, reason("least_cost")), words.NODES) == (
        "job 31 reserves the block of 32 at 624, the cheapest to clear: the highest priority in it is 3,"
        " jobs of 48 PE leave it, and it may be clear in 4h00m; the job has waited 2h00m"
    )
    assert words.waits(31, reason("nqs_queue_user"), words.NODES) == (
        "job 31 is held by NQS: the scheduler has 96 jobs of its user from pe64_long, and the limit is 192"
    )


def test_who_stays_whatever_the_priority_is_distinguished() -> None:
    """A benchmark of priority 2 is in the way of a job of priority 3; of equals the priority is given."""
    stays, equal = reason("nothing_lower"), {**reason("nothing_lower").numbers, "blocker_level": 3}
    assert words.waits(31, stays, words.NODES).endswith(
        "even in the cheapest, at 624, is job 7, which is never preempted"
    )
    assert words.brief(stays, 0, words.NODES) == "7 is never preempted"
    assert words.brief(Reason("nothing_lower", equal), 0, words.NODES) == "7 is worth 3"


def test_a_queue_that_lets_nobody_through_is_closed() -> None:
    closed = Reason("nqs_queue_user", {**reason("nqs_queue_user").numbers, "queue": "pe128", "limit": 0})
    assert (
        words.waits(6, closed, words.NODES)
        == "job 6 is held by NQS: pe128 lets no job through at this time of the day"
    )
    assert words.brief(closed, 0, words.NODES) == "pe128 is closed"


def test_the_status_of_the_scheduler_is_reported_fact_by_fact() -> None:
    """The table, the reservation, and what the limits, the wires, the storage and NQS have to bear."""
    values: dict[str, StatusValue] = {
        "table": "day",
        "until": 10 * HOUR,
        "reservation": {"job": 5, "base": 16, "size": 8, "clear_at": 1030},
        "blocks": (),
        "wires": (2, 1, 1, 1),
        "processors": {"interactive": 40, "debug": 0, "production": 224},
        "large": 192,
        "system": 264,
        "stored": 32,
        "large_limit": 192,
        "system_limit": 576,
        "storage": 768,
        "relocations": 3,
        "nqs": {
            "until": 11 * HOUR,
            "held": 1,
            "released": 2,
            "queues": {"pe32": {"held": 1, "released": 2}, "pe64": {"held": 0, "released": 0}},
        },
    }
    assert words.status(values, 1000, 256, words.NODES) == [
        ("table", "day until 0d 10:00:00"),
        ("reservation", "job 5: 8 at 020, clear at 0d 00:17:10 or later"),
        ("system", "264 of 576 PE"),
        ("large jobs", "192 of 192 PE"),
        ("interactive", "40 PE"),
        ("production", "224 PE"),
        ("wires", "2, 1, 1, 1 jobs"),
        ("stored", "32 of 768 PE"),
        ("relocated", "3"),
        ("NQS holds", "1 job"),
        ("NQS released", "2 jobs"),
        ("NQS limits", "the same until 0d 11:00:00"),
        ("pe32", "1 held, 2 released"),
    ]
