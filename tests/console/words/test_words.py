"""Words: every code of the kernels has its sentence, with its numbers; times and counts read as English."""

import string
from datetime import datetime

import attrs
import pytest

from shadowtime.console import words
from shadowtime.console.session import Decision, Event, Prediction, Reason, Row, Value
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.impact.advice import Advice
from shadowtime.console.session.shift.debrief import Moment
from shadowtime.console.session.training import LeftOut, lessons_of, letter_of, open_lesson, read_course
from shadowtime.console.words import impact, operating, training
from shadowtime.console.words.measures import never_started
from shadowtime.console.words.shift import moment_of
from shadowtime.console.words.t3d.reasons import CODES
from shadowtime.console.words.t3d.reasons import WAITING as ON_TORUS
from shadowtime.console.words.units import NODES
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.decisions import DECISION_NAMES, REASONS
from shadowtime.scenarios.shift import Shift
from tests.commandline import ROOT

HOUR = 3600
NUMBERS: dict[str, Value] = {
    "needs": 32,
    "size": 32,
    "free": 14,
    "end": 11 * HOUR + 2400,
    "limit": 13 * HOUR,
    "shadow": 10 * HOUR + 1920,
    "extra": 14,
    "head": 28,
    "head_needs": 100,
    "blocker": 7,
    "blocker_needs": 96,
    "by": 9,
    "at": 6 * HOUR,
    "was": 8 * HOUR,
    "earliest": 7 * HOUR,
    "deadline": 9 * HOUR,
    "reserved": 9 * HOUR,
    "planned": 9 * HOUR,
    "boundary": 12 * HOUR,
    "short_at": 5 * HOUR,
    "short_free": 3,
    "place": 4,
    "stopped": 2,
    "freed": 40,
    "stoppable": 8,
    "done": 1200,
    "left": 2400,
    "large": 24,
    "reserve": 20,
    "short": 600,
    "long": 4 * HOUR,
    "runtime": 5 * HOUR,
    "waited": 2 * HOUR,
    "ahead_of": 3,
    "waiting": 5,
    "row": 1,
    "rows": 3,
    "base": 64,
    "current": 2,
    "turn": 6 * HOUR,
    "slots": 3,
    "load": 2,
}
"""The reasons that the kernels may give for jobs, as facts hold them."""
POLICYS: dict[str, dict[str, Value]] = {
    "aert": {"was": "fcfs", "becomes": "ljf", "total": 45_001, "waiting": 5, "lower": 7200, "upper": 9000},
    "classes_waiting": {
        "was": "fcfs",
        "becomes": "sjf",
        "interactive": 12,
        "batch": 3,
        "busy": 90,
        "nodes": 128,
    },
    "scores": {
        "was": "flex",
        "becomes": "maui:windows=widest",
        "score_was": 0.851,
        "score_becomes": 0.872,
        "metric": "utilization",
        "frame": 7200,
    },
    "nobody_completed": {"was": "easy", "becomes": "easy", "metric": "response", "frame": 7200},
    "sizes": {
        "was": "easy",
        "becomes": "flex",
        "average": 37.25,
        "recent": 41.9,
        "arrivals": 310,
        "frame": 86_400,
    },
    "next_row": {"was": 0, "becomes": 1, "rows": 3, "quantum": 10},
    "row_empty": {"was": 0, "becomes": 1, "rows": 3},
    "no_arrivals": {"was": "easy", "becomes": "easy", "average": 37.25, "frame": 86_400},
}
OWN = {"left_waiting", "own_words"}
"""Reasons of policies in Python, which stand in no table of the kernel."""
WAITING = set(words.WAITING) - OWN - set(ON_TORUS) - set(operating.WAITING)
DECIDED = [
    (kind, code)
    for kind, codes in words.DECISIONS.items()
    for code in codes
    if code not in CODES | operating.CODES
]
REVIEWED = [
    (kind, code) for kind, sayings in words.POLICY.items() for code in sayings if code not in operating.CODES
]


def reason(code: str, **others: Value) -> Reason:
    """A reason of a code with the numbers that the kernels give it."""
    known = POLICYS.get(code, NUMBERS)
    return Reason(code, {**{name: known.get(name, 5) for name in dict(REASONS)[code]}, **others})


def asked(sentence: str) -> set[str]:
    """The numbers that a sentence asks for, but for those that it is always given."""
    fields = {field for _, field, _, _ in string.Formatter().parse(sentence) if field}
    return fields - {"job", "gain", "loss", "unit", "units"}


def test_one_node_goes_and_more_go() -> None:
    made = Reason("preempted_for", {"head": 2, "head_needs": 9, "done": 60, "left": 60, "size": 1})
    assert "its 1 node goes to job 2" in words.decision(Decision("preempt", 3, made), words.NODES)


def test_every_reason_of_the_kernels_has_a_sentence() -> None:
    """A code is worded as a reason to wait, of a decision about a job, or of one about the policy."""
    decided = {code for _, code in [*DECIDED, *REVIEWED]}
    assert {code for code, _ in REASONS} == WAITING | decided | CODES | operating.CODES
    assert set(words.WAITING) == set(words.BRIEF)
    assert set(words.ENDLESS) <= WAITING | set(operating.ENDLESS)


def test_every_kind_of_decision_has_words() -> None:
    assert set(DECISION_NAMES) == set(words.VERBS)
    assert set(DECISION_NAMES) - {"switch", "keep"} <= set(words.TALLIES)
    assert set(words.POLICY) == {"switch", "keep"}


def test_sentences_ask_only_for_numbers_that_the_kernels_give() -> None:
    given = {code: set(names) for code, names in REASONS}
    for code in WAITING:
        assert asked(words.WAITING[code]) <= given[code], code
        assert asked(words.BRIEF[code]) - {"lacks"} <= given[code], code
        assert "lacks" not in asked(words.BRIEF[code]) or {"needs", "free"} <= given[code], code
        assert asked(words.ENDLESS.get(code, "")) <= given[code], code
    for kind, code in DECIDED:
        assert asked(words.DECISIONS[kind][code]) <= given[code], code


@pytest.mark.parametrize("code", sorted(WAITING))
def test_the_main_numbers_of_a_reason_are_reported(code: str) -> None:
    """How many nodes a job needs and how many are free or extra settle most reasons to wait."""
    text = words.waits(31, reason(code), words.NODES)
    assert text.startswith("job 31 ") and "{" not in text and "none" not in text
    tokens = set(text.replace(",", "").replace(";", "").replace(":", "").split())
    assert {"32", "14", "3", "28", "5h00m"} & tokens, code


@pytest.mark.parametrize("code", sorted(set(words.ENDLESS) - set(operating.ENDLESS)))
def test_what_never_comes_is_not_given_an_instant(code: str) -> None:
    """Where no end of a running job frees enough, the sentence names no instant and no job for it."""
    missing = {"shadow", "blocker", "planned", "deadline", "short_at"} & set(dict(REASONS)[code])
    text = words.waits(31, reason(code, **dict.fromkeys(missing)), words.NODES)
    assert "never" not in text and "none" not in text and "0d" not in text


def test_a_job_that_is_not_backfilled_says_when_it_would_end_and_whom_it_would_delay() -> None:
    assert words.waits(31, reason("would_delay_head"), words.NODES) == (
        "job 31 is not backfilled: it would end at 0d 11:40:00, after the shadow time 0d 10:32:00 of job 28,"
        " and needs 32 nodes of the 14 extra"
    )


def test_a_head_says_which_end_it_waits_for() -> None:
    assert words.waits(31, reason("head_blocked"), words.NODES) == (
        "job 31 waits: it heads the queue and needs 32 nodes, 14 are free; enough are free at 0d 10:32:00,"
        " the predicted end of job 7"
    )


def test_fcfs_names_the_head_that_nobody_may_pass() -> None:
    assert words.waits(31, reason("behind_head"), words.NODES) == (
        "job 31 waits behind job 28: nobody may pass the head, which needs 100 nodes; 14 are free,"
        " and job 28 can start at 0d 10:32:00"
    )


def test_a_reserved_job_says_when_its_nodes_would_be_short() -> None:
    assert words.waits(31, reason("reserved"), words.NODES) == (
        "job 31 waits for its reservation at 0d 09:00:00: it needs 32 nodes for its whole estimate,"
        " and only 3 are free at 0d 05:00:00"
    )


@pytest.mark.parametrize(("kind", "code"), DECIDED)
def test_every_decision_is_one_sentence_about_its_job(kind: str, code: str) -> None:
    text = words.decision(Decision(kind, 31, reason(code)), words.NODES)
    assert "job 31" in text and "{" not in text and "\n" not in text and "none" not in text
    assert "32 nodes" in text or code in ("pushed_back", "outlived")


def test_a_moved_reservation_says_how_far() -> None:
    assert words.decision(Decision("move", 2, reason("compressed")), words.NODES) == (
        "the reservation of job 2 moves 2h00m earlier, from 0d 08:00:00 to 0d 06:00:00:"
        " its 32 nodes are free from then on"
    )


def test_flex_shows_planned_starts_and_deadlines() -> None:
    assert words.waits(31, reason("planned_by_deadline"), words.NODES) == (
        "job 31 waits: it is planned to start at 0d 09:00:00, by 0d 09:00:00 at the latest; it needs 32 nodes"
        " for its whole estimate, and only 3 are free at 0d 05:00:00"
    )
    assert words.decision(Decision("reserve", 31, reason("inserted")), words.NODES) == (
        "job 31 is planned to start at 0d 06:00:00, by 0d 09:00:00 at the latest: it goes before 3 of the"
        " 5 in the plan, and behind all of them its 32 nodes would be free at 0d 07:00:00"
    )
    assert words.decision(Decision("reserve", 31, reason("inserted", ahead_of=0)), words.NODES) == (
        "job 31 is planned to start at 0d 06:00:00, by 0d 09:00:00 at the latest: the first time at which"
        " 32 nodes can be had for its whole estimate"
    )
    assert words.decision(Decision("move", 31, reason("pushed_back", at=10 * HOUR)), words.NODES) == (
        "job 31 is moved back by 2h00m, from 0d 08:00:00 to 0d 10:00:00, for job 9: the plan costs less so,"
        " and its deadline is 0d 09:00:00"
    )


def test_preemption_is_reported_in_each_direction() -> None:
    """Who made room, for whom, what he keeps; who started by it; and who runs again."""
    assert words.decision(Decision("preempt", 31, reason("preempted_for")), words.NODES) == (
        "job 31 is preempted: its 32 nodes go to job 28, which needs 100 nodes; it has done 20m00s, and"
        " 40m00s of its estimate are left"
    )
    assert words.decision(Decision("start", 28, reason("after_preemption")), words.NODES) == (
        "job 28 starts: 2 jobs preempted for it gave back 40 nodes; it needs 32 nodes, 14 are free, and it"
        " runs from 0d 06:00:00"
    )
    assert words.decision(Decision("resume", 31, reason("head_fits")), words.NODES) == (
        "job 31 resumes: it heads the queue and needs 32 nodes, 14 are free"
    )
    assert words.waits(28, reason("about_to_run"), words.NODES) == (
        "job 28 holds its 32 nodes and runs from 0d 06:00:00, when the jobs preempted for it are saved"
    )


def test_one_node_is_singular_and_thousands_have_commas() -> None:
    one = Reason("head_fits", {"needs": 1, "free": 4096})
    assert words.decision(Decision("start", 5, one), words.NODES).endswith("needs 1 node, 4,096 are free")


def test_a_reason_from_outside_keeps_its_code_and_numbers() -> None:
    """A policy that somebody else wrote has codes of its own: they are shown, not lost."""
    foreign = Reason("lottery_lost", {"ticket": 4711})
    assert words.waits(3, foreign, words.NODES) == "job 3 waits: lottery lost (ticket 4,711)"
    assert words.brief(foreign, 0, words.NODES) == "lottery lost"
    assert (
        words.decision(Decision("preempt", 3, foreign), words.NODES)
        == "job 3 is preempted: lottery lost (ticket 4,711)"
    )
    assert words.decision(Decision("switch", None, foreign), words.NODES) == (
        "the policy switches: lottery lost (ticket 4,711)"
    )


def test_a_policy_in_python_speaks_for_itself() -> None:
    spoken = Reason("own_words", {"needs": 32, "free": 14, "text": "has no patience left"})
    assert words.waits(31, spoken, words.NODES) == "job 31 has no patience left"
    assert words.brief(spoken, 0, words.NODES) == "has no patience left"
    silent = Reason("left_waiting", {"needs": 32, "free": 14})
    assert words.waits(31, silent, words.NODES) == (
        "job 31 waits: the policy has not chosen it; it needs 32 nodes, 14 are free"
    )


def test_the_brief_reason_counts_what_is_short_now() -> None:
    """A reservation that is short of nodes already says so like the others; a later one has its instant."""
    short = reason("reserved")
    assert words.brief(short, 5 * HOUR, words.NODES) == "needs 29 more"
    full = Reason("no_room_now", {"needs": 8, "free": 9})
    assert words.brief(full, 0, words.NODES) == "no room"
    assert words.brief(short, 4 * HOUR, words.NODES) == "only 3 at 0d 05:00:00"
    dated = attrs.evolve(words.NODES, clock=Clock(datetime(1998, 6, 9), calendar=True))
    assert words.brief(short, 4 * HOUR, dated) == "only 3 at 06-09 05:00:00"
    assert "1998-06-09 05:00:00" in words.waits(3, short, dated)
    assert words.brief(None, 0, words.NODES) == ""


@pytest.mark.parametrize("kind", EVENT_NAMES)
def test_every_kind_of_event_has_words(kind: str) -> None:
    assert kind in words.EVENTS
    assert "{" not in words.happened(kind, 7) and "{" not in words.happened(kind, None)


def test_a_pass_shows_what_it_decided() -> None:
    fits, late = reason("head_fits"), reason("ends_by_shadow")
    made = (Decision("start", 1, fits), Decision("start", 2, fits), Decision("backfill", 4, late))
    assert (
        words.event(Event(8, 0, "pass", None, made), words.NODES)
        == "scheduling pass: starts jobs 1, 2; backfills job 4"
    )
    assert words.event(Event(9, 0, "pass", None), words.NODES) == "scheduling pass: nothing starts"
    assert words.event(Event(7, 0, "submit", 4), words.NODES) == "job 4 is submitted"


def test_a_pass_distinguishes_moves_earlier_and_later() -> None:
    made = (Decision("move", 1, reason("compressed")), Decision("move", 2, reason("pushed_back")))
    assert words.tally(made, words.NODES) == "moves job 1 earlier; moves job 2 later"


def test_an_event_without_a_job_reads_well() -> None:
    """A review shows its effect on the policy; a boundary and a timer without a job name no job."""
    switch = Decision("switch", None, reason("scores"))
    assert words.event(Event(5, 0, "switch_policy", None, (switch,)), words.NODES) == (
        "the policy is reviewed: switches from flex (reconstruction) to maui:windows=widest"
    )
    keep = Decision("keep", None, reason("no_arrivals"))
    assert (
        words.event(Event(5, 0, "switch_policy", None, (keep,)), words.NODES)
        == "the policy is reviewed: keeps easy"
    )
    turn = Decision("switch", None, reason("next_row"))
    assert words.event(Event(5, 0, "switch_slot", None, (turn,)), words.NODES) == (
        "the time slot is over: row 1 gets the machine"
    )
    assert words.event(Event(5, 0, "boundary", None), words.NODES) == "a period ends, the next begins"
    assert (
        words.event(Event(5, 0, "reservation_due", None), words.NODES) == "a planned or predicted time comes"
    )
    assert words.event(Event(5, 0, "loaded", 3), words.NODES) == "job 3 runs from here"


def test_a_long_list_of_jobs_is_counted() -> None:
    made = tuple(Decision("start", job, reason("head_fits")) for job in range(1, 10))
    assert words.tally(made, words.NODES) == "starts jobs 1, 2, 3, 4, 5, 6 and 3 more"


def test_a_prediction_says_how_sure_it_is() -> None:
    assert words.prediction(3, Prediction(7200, "guaranteed", 5), 3600, words.NODES) == (
        "job 3 is guaranteed to start at 0d 02:00:00 (in 1h00m) or earlier"
    )
    assert words.prediction(3, Prediction(7200, "expected", 5), 7200, words.NODES) == (
        "at the limits job 3 starts at 0d 02:00:00 (now)"
        ": every job runs to its estimate and nothing else comes"
    )
    planned = Prediction(7200, "planned", 5)
    assert words.prediction(3, planned, 3600, words.NODES, {"deadline": 9000, "slack_left": 1800}) == (
        "job 3 is planned to start at 0d 02:00:00 (in 1h00m); that may change, but never past its deadline"
    )
    assert words.prediction(3, planned, 3600, words.NODES).endswith("(in 1h00m); that may change")
    assert words.prediction(3, Prediction(3660, "settled", 5), 3600, words.NODES) == (
        "job 3 holds its nodes and runs from 0d 01:01:00 (in 1m00s)"
    )
    assert len({words.PROMISES[kind] for kind in ("guaranteed", "planned", "expected", "settled")}) == 4


@pytest.mark.parametrize(
    ("seconds", "text"), [(None, ""), (0, "0"), (720, "+12m00s"), (-5, "-5s"), (90_000, "+1d1h")]
)
def test_slip_has_a_sign(seconds: int | None, text: str) -> None:
    assert words.slip(seconds) == text


def test_where_a_job_stands() -> None:
    row = Row(0, 3, "", "", "", "", "", 4, 600, 3600, 0)
    assert words.standing(row, words.NODES) == "job 3 is not submitted before 0d 00:10:00"
    waits = Row(0, 3, "", "", "", "", "N", 4, 600, 3600, 60)
    assert words.standing(waits, words.NODES) == "job 3 is waiting since 0d 00:10:00, for 1m00s so far"
    runs = Row(0, 3, "", "", "", "", "R", 4, 600, 3600, 60, start=660, end=4260)
    assert words.standing(runs, words.NODES) == (
        "job 3 started at 0d 00:11:00, after a wait of 1m00s; by its estimate it ends at 0d 01:11:00"
    )
    over = Row(0, 3, "", "", "", "", "F", 4, 600, 3600, 0, start=600, end=900)
    assert (
        words.standing(over, words.NODES) == "job 3 started at 0d 00:10:00, at once, and ended at 0d 00:15:00"
    )


def test_where_an_interrupted_job_stands() -> None:
    stopped = Row(
        *(0, 3, "", "", "", "", "O", 4, 600, 3600, 90),
        start=660,
        preemptions=2,
        since=4000,
        terms={"done": 1200, "left": 2400},
    )
    assert words.standing(stopped, words.NODES) == (
        "job 3 is swapped out since 0d 01:06:40, and has waited 1m30s in all; it first started at"
        " 0d 00:11:00 and was preempted twice; 20m00s done, 40m00s of its estimate left"
    )
    again = Row(
        *(0, 3, "", "", "", "", "R", 4, 600, 3600, 60), start=660, end=9000, preemptions=1, since=5000
    )
    assert words.standing(again, words.NODES) == (
        "job 3 started at 0d 00:11:00, after a wait of 1m00s, was preempted once and runs since 0d 01:23:20;"
        " by its estimate it ends at 0d 02:30:00"
    )
    held = Row(0, 3, "", "", "", "", "W", 4, 600, 3600, 60, since=660)
    assert words.standing(held, words.NODES) == "job 3 has held its nodes without running since 0d 00:11:00"


def test_jobs_that_never_start_are_counted_for_each_run_that_leaves_some() -> None:
    """A run without such jobs has no sentence."""
    reports = [{"not_started": 1}, {}, {"not_started": 2}]
    assert list(never_started(["fcfs", "easy", "gang"], reports)) == [
        "fcfs: 1 job never starts as things stand; metrics are without their waits",
        "gang: 2 jobs never start as things stand; metrics are without their waits",
    ]


def test_advice_names_three_actions_and_counts_the_others() -> None:
    """A list of twenty is no advice that is read."""
    holds = tuple(f"hold {job}" for job in range(1, 21))
    back = tuple(f"release {job}" for job in range(1, 21))
    text = impact.what_to_do(Advice(holds, back, 0, ()))
    assert (
        text
        == "hold 1 and hold 2 and hold 3 and 17 more; then release 1 and release 2 and release 3 and 17 more"
    )
    assert impact.what_to_do(Advice(holds[:3], (), 0, ())) == "hold 1 and hold 2 and hold 3"


def test_a_wrong_answer_stands_beside_the_right_one() -> None:
    """After WRONG no value stands alone: the given one is named, and the right one is called right."""
    lesson = lessons_of(read_course(ROOT / "scenarios" / "courses" / "backfilling"))[0]
    drill = open_lesson(lesson, 1)
    made, ask = drill.answer, drill.answer.question.ask
    wrong = next(value for value in made.offered if not made.holds(value))
    given, right = (training.quoted(ask, value, words.NODES) for value in (wrong, made.shown))
    ended = drill.give(letter_of(made.offered.index(wrong)))
    assert training.judged(ended, words.NODES)[0] == f"WRONG: your answer: {given}; right: {right}"
    assert training.verdict(ended, words.NODES).endswith(f": your answer: {given}; right: {right}")
    skipped, shown = attrs.evolve(ended, verdict="skipped"), attrs.evolve(ended, verdict="given up")
    assert training.judged(skipped, words.NODES)[0] == f"SKIPPED: the answer is {right}"
    assert training.judged(shown, words.NODES)[0] == f"THE ANSWER: {right}"


def test_a_cut_derivation_counts_what_is_left_out() -> None:
    texts = [training.because(LeftOut(steps), words.NODES) for steps in (1, 28)]
    assert texts == [
        f"{steps} before the next one {are} left out here"
        for steps, are in (("1 step", "is"), ("28 steps", "are"))
    ]


@pytest.mark.parametrize(
    ("points", "said"), [(0, "cost nothing"), (1, "cost 1 point"), (-7, "saved 7 points")]
)
def test_a_moment_of_a_shift(points: int, said: str) -> None:
    """Beyond the whole score it says how that can be."""
    shift = Shift("incident", "")
    moment = Moment(60, 0.0, points, ())
    assert moment_of(moment, shift, NODES).endswith(f": {said}")
    deep = attrs.evolve(moment, points=495)
    assert moment_of(deep, shift, NODES).endswith("cost 495 points, counted below 0, too")
