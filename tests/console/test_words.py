"""Words: every code of the kernels has its sentence, with its numbers; times and counts read as English."""

import string

import pytest

from console import words
from console.session import Decision, Event, Prediction, Reason, Row
from kernels.clock import EVENT_NAMES
from kernels.decisions import REASONS

HOUR = 3600
NUMBERS = {
    "needs": 32,
    "free": 14,
    "end": 11 * HOUR + 2400,
    "shadow": 10 * HOUR + 1920,
    "extra": 14,
    "head": 28,
    "head_needs": 100,
    "blocker": 7,
    "at": 6 * HOUR,
    "was": 8 * HOUR,
    "reserved": 9 * HOUR,
    "planned": 9 * HOUR,
    "short_at": 5 * HOUR,
    "short_free": 3,
}
WAITING = {
    "head_blocked",
    "behind_head",
    "no_room",
    "would_delay_head",
    "reserved",
    "planned",
    "missed_turn",
    "pass_pending",
}
DECIDED = [(kind, code) for kind, sentences in words.DECISIONS.items() for code in sentences]


def reason(code: str) -> Reason:
    """A reason of a code with the numbers that the kernels give it."""
    return Reason(code, {name: NUMBERS[name] for name in dict(REASONS)[code]})


def asked(sentence: str) -> set[str]:
    """The numbers that a sentence asks for, but for those that it is always given."""
    fields = {field for _, field, _, _ in string.Formatter().parse(sentence) if field}
    return fields - {"job", "gain"}


def test_every_reason_of_the_kernels_has_a_sentence() -> None:
    """A code is worded as a reason to wait or of a decision; an unknown one is our own fault."""
    decided = {code for sentences in words.DECISIONS.values() for code in sentences}
    assert set(dict(REASONS)) == set(words.WAITING) | decided
    assert set(words.WAITING) == set(words.BRIEF) == WAITING


def test_sentences_ask_only_for_numbers_that_the_kernels_give() -> None:
    given = {code: set(names) for code, names in REASONS}
    for code, sentence in words.WAITING.items():
        assert asked(sentence) <= given[code], code
        assert asked(words.BRIEF[code]) <= given[code], code
    for kind, code in DECIDED:
        assert asked(words.DECISIONS[kind][code]) <= given[code], code


def test_the_main_numbers_of_a_reason_are_told() -> None:
    """How many nodes a job needs and how many are free or extra settle every reason to wait."""
    for code in WAITING:
        text = words.waits(31, reason(code))
        assert text.startswith("job 31 ") and text.count("{") == 0
        assert {"32", "14", "3", "28"} & set(text.replace(",", "").replace(";", "").split()), code


def test_a_job_that_is_not_backfilled_says_when_it_would_end_and_whom_it_would_delay() -> None:
    assert words.waits(31, reason("would_delay_head")) == (
        "job 31 is not backfilled: it would end at 0d 11:40:00, after the shadow time 0d 10:32:00 of job 28,"
        " and needs 32 nodes of the 14 extra"
    )


def test_a_head_says_which_end_it_waits_for() -> None:
    assert words.waits(31, reason("head_blocked")) == (
        "job 31 waits: it heads the queue and needs 32 nodes of the 14 free; enough are free at 0d 10:32:00,"
        " when job 7 ends at the latest"
    )


def test_fcfs_names_the_head_that_nobody_may_pass() -> None:
    assert words.waits(31, reason("behind_head")) == (
        "job 31 waits behind job 28: nobody may pass the head, which needs 100 nodes of the 14 free"
        " and can start at 0d 10:32:00"
    )


def test_a_reserved_job_says_when_its_nodes_would_be_short() -> None:
    assert words.waits(31, reason("reserved")) == (
        "job 31 waits for its reservation at 0d 09:00:00: it needs 32 nodes for its whole estimate,"
        " and only 3 are free at 0d 05:00:00"
    )


@pytest.mark.parametrize(("kind", "code"), DECIDED)
def test_every_decision_is_one_sentence_about_its_job(kind: str, code: str) -> None:
    text = words.decision(Decision(kind, 31, reason(code)))
    assert "job 31" in text and "{" not in text and "\n" not in text
    assert "32 nodes" in text


def test_a_moved_reservation_says_how_far() -> None:
    assert words.decision(Decision("move", 2, reason("compressed"))) == (
        "the reservation of job 2 moves 2h00m earlier, from 0d 08:00:00 to 0d 06:00:00:"
        " its 32 nodes are free from then on"
    )


def test_one_node_is_singular_and_thousands_have_commas() -> None:
    one = Reason("head_fits", {"needs": 1, "free": 4096})
    assert words.decision(Decision("start", 5, one)).endswith("needs 1 node of the 4,096 free")


def test_a_reason_from_outside_keeps_its_code_and_numbers() -> None:
    """A policy that somebody else wrote has codes of its own: they are shown, not lost."""
    foreign = Reason("lottery_lost", {"ticket": 4711})
    assert words.waits(3, foreign) == "job 3 waits: lottery lost (ticket 4,711)"
    assert words.brief(foreign, 0) == "lottery lost"
    assert (
        words.decision(Decision("preempt", 3, foreign)) == "job 3 is preempted: lottery lost (ticket 4,711)"
    )


def test_the_brief_reason_counts_what_is_short_now() -> None:
    """A reservation that is short of nodes already says so like the others; a later one has its instant."""
    short = reason("reserved")
    assert words.brief(short, 5 * HOUR) == "3 of 32 free"
    assert words.brief(short, 4 * HOUR) == "only 3 at 0d 05:00:00"
    assert words.brief(None, 0) == ""


@pytest.mark.parametrize("kind", EVENT_NAMES)
def test_every_kind_of_event_has_words(kind: str) -> None:
    assert kind in words.EVENTS
    assert "{" not in words.happened(kind, 7) and "{" not in words.happened(kind, None)


def test_a_pass_tells_what_it_decided() -> None:
    fits, late = reason("head_fits"), reason("ends_by_shadow")
    made = (Decision("start", 1, fits), Decision("start", 2, fits), Decision("backfill", 4, late))
    assert words.event(Event(8, 0, "pass", None, made)) == "scheduling pass: starts 1, 2; backfills 4"
    assert words.event(Event(9, 0, "pass", None)) == "scheduling pass: nothing starts"
    assert words.event(Event(7, 0, "submit", 4)) == "job 4 is submitted"


def test_a_long_list_of_jobs_is_counted() -> None:
    made = tuple(Decision("start", job, reason("head_fits")) for job in range(1, 10))
    assert words.tally(made) == "starts 1, 2, 3, 4, 5, 6 and 3 more"


def test_a_prediction_says_how_sure_it_is() -> None:
    assert words.prediction(3, Prediction(7200, "guaranteed", 5), 3600) == (
        "job 3 is guaranteed to start at 0d 02:00:00 (in 1h00m) or earlier"
    )
    assert words.prediction(3, Prediction(7200, "expected", 5), 7200) == (
        "job 3 is expected to start at 0d 02:00:00 (now)"
        " if every job runs to its estimate and nothing else comes"
    )


@pytest.mark.parametrize(
    ("seconds", "text"), [(None, ""), (0, "0"), (720, "+12m00s"), (-5, "-5s"), (90_000, "+1d1h")]
)
def test_slip_has_a_sign(seconds: int | None, text: str) -> None:
    assert words.slip(seconds) == text


def test_where_a_job_stands() -> None:
    row = Row(0, 3, "", "", "", "", "", 4, 600, 3600, 0)
    assert words.standing(row) == "job 3 is not submitted before 0d 00:10:00"
    waits = Row(0, 3, "", "", "", "", "N", 4, 600, 3600, 60)
    assert words.standing(waits) == "job 3 is waiting since 0d 00:10:00, for 1m00s so far"
    runs = Row(0, 3, "", "", "", "", "R", 4, 600, 3600, 60, start=660, end=4260)
    assert words.standing(runs) == (
        "job 3 started at 0d 00:11:00, after a wait of 1m00s; by its estimate it ends at 0d 01:11:00"
    )
    over = Row(0, 3, "", "", "", "", "F", 4, 600, 3600, 0, start=600, end=900)
    assert words.standing(over) == "job 3 started at 0d 00:10:00, at once, and ended at 0d 00:15:00"
