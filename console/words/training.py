"""Training: the sentences of questions, choices and explanations."""

from collections.abc import Iterator, Mapping, Sequence

from shadowtime.console.clock import clock
from shadowtime.console.session.facts import Decision, Event, Row
from shadowtime.console.session.training import (
    GIVEN_UP,
    POINTS,
    RIGHT,
    SKIPPED,
    Answer,
    Because,
    Bound,
    Drill,
    Example,
    Foreseen,
    InForce,
    LeftOut,
    Mistaken,
    Moved,
    OnCluster,
    Packed,
    Placed,
    Question,
    QuestionResult,
    Read,
    Step,
    TurnsOut,
    Value,
    Waits,
    Would,
    letter_of,
)
from shadowtime.console.words.deciding import decision
from shadowtime.console.words.happening import happened
from shadowtime.console.words.jobs import prediction, standing
from shadowtime.console.words.mistakes import mistaken
from shadowtime.console.words.phrases import count, state
from shadowtime.console.words.questions import cluster, odds, readings, subjects
from shadowtime.console.words.questions.wording import Wording, instant, job
from shadowtime.console.words.units import Unit
from shadowtime.console.words.waiting import waits

STATES: Mapping[str, str] = {
    "O": "stopped before its end, and waiting again",
    "F": "over: it ended, or it was stopped for good",
}
"""The states for which the word of the queue would say too much."""
WHY_RUNS = "Why may job {job} run?"
KNOWN = "(Assume that every job runs to its estimate and that no other job comes.)"

SUPPOSE = "Suppose that you do `{do}` now."
"""Before a question that supposes an action."""

REASONS: Mapping[str, str] = {
    "head_blocked": "it heads the queue, and too few {units} are free for it",
    "head_reserved": "it heads the queue and has a reservation, and too few {units} are free for it yet",
    "behind_head": "no job may pass the head of the queue",
    "enough_passed": "as many jobs as may have passed the head of the queue",
    "arrival_order": "the jobs that came before it must start first",
    "no_room": "it is not the head, and too few {units} are free for it",
    "would_delay_head": "it would fit now, but then the head of the queue would start later",
    "would_delay_reserved": "it would fit now, but then a job with a reservation would start later",
    "reserved": "it has a reservation, and that is for later",
    "missed_turn": "room for it came only after its turn to move",
    "waits_for_row": "another row of the matrix has the machine",
    "operator_places": "only the operator places jobs",
    "no_row": "no row of the matrix has room for it",
    "behind_no_row": "a job before it finds no room in any row",
    "not_enough_to_stop": "it heads the queue, and stopping jobs would not free enough {units}",
    "about_to_run": "the jobs that were stopped for it are still being saved",
    "no_room_now": "too few {units} are free for it",
    "planned": "the plan of the whole queue starts it later",
    "planned_by_deadline": "the plan starts it later, and not after its deadline",
    "pass_pending": "the scheduling pass of this instant is still to come",
    "too_large_for_prime": "it is too large for prime time",
    "too_long_for_prime": "it is too long for prime time",
    "prime_reserve": "prime time keeps the free {units} for short jobs",
    "scan_ended": "a job before it does not fit, and ends the scan",
    "waited_ends_scan": "a job before it has waited too long, and ends the scan",
    "left_waiting": "the policy has not chosen it",
    "own_words": "the policy has a reason of its own",
    "out_of_service": "it needs more {units} than are in service",
    "no_block": "every block that it could have has {units} out of service",
    "head_waits_for_nodes": "it heads the queue, and waits for {units} that are out of service",
    "on_hold": "an operator holds it",
    "too_large": "it needs more {units} than the machine has",
    **subjects.REASONS,
    "head_fits": "it heads the queue, and enough {units} are free",
    "ends_by_shadow": "it passes the head and ends by the head's shadow time",
    "within_extra": "it passes the head, may end after its shadow time, and needs extra {units} only",
    "beside_reserved": "it passes the head and delays no job that has a reservation",
    "predicted_by_shadow": "it passes the head and is predicted to end by the time reserved for it",
    "reservation_due": "its reservation is due",
    "planned_now": "a fresh plan of the whole queue places it now",
    "eligible": "it is eligible now, and fits",
    "fits_out_of_order": "it fits, while a job before it does not",
    "speculates": "it may end before the head needs its {units}, and is killed then if it does not",
    "leapfrogs": "it fits, and fewer jobs than may have passed the head",
    "own_choice": "the policy chose it",
    "its_row": "its own row of the matrix has the machine",
    "as_alternate": "its {units} are idle in the row of others that has the machine",
    "after_preemption": "other jobs were stopped for it",
    "operator": "an operator started it",
}
"""The reasons among which an operator chooses, without the numbers that would give the answer away.

The texts are for `Unit.fill`."""


REST = "the rest is shown after the lesson"
"""What ends an explanation of which a part would answer a later question."""
KNOWN_BEFORE = "it was missed or shown before: it earns points again when it is due for review"
LISTED = 4
"""Jobs that a step of a derivation names."""
VERDICTS: Mapping[str, str] = {RIGHT: "RIGHT", SKIPPED: "SKIPPED", GIVEN_UP: "THE ANSWER"}


def asked(answer: Answer, short: bool = False) -> str:
    """The question in words; if `short`, without what it assumes."""
    question = answer.question
    wording = WORDINGS[question.ask]
    asks = wording.asks if answer.pending or not wording.now else wording.now
    asks = WHY_RUNS if answer.starts else subjects.ask_for_block(answer) or asks
    by = "" if question.by is None else clock(question.by)
    metric = readings.METRICS.get(question.metric, question.metric)
    asks = asks.replace("{odds}", odds.asked(answer))
    text = asks.format(job=question.job, do=question.do, by=by, node=question.node, metric=metric)
    if question.do and "{do}" not in asks:
        suppose = cluster.SUPPOSE if question.about_a_cluster else SUPPOSE
        text = f"{suppose.format(do=question.do)} {text}"
    if question.within:
        text += f" (within {question.within:,} s)"
    return f"{text} {KNOWN}" if answer.foreseen and not short else text


def choice(ask: str, value: Value, unit: Unit) -> str:
    return WORDINGS[ask].choice(value, unit)


def choices(made: Answer, left: Sequence[Value], unit: Unit) -> list[tuple[str, str]]:
    return [
        (letter_of(place), choice(made.question.ask, value, unit))
        for place, value in enumerate(made.offered)
        if value in left
    ]


def named(made: Answer, text: str, unit: Unit) -> str:
    """Return the letter of the choice whose words were typed; the text itself if they are those of none."""
    typed = " ".join(text.split()).casefold()
    words = (" ".join(choice(made.question.ask, value, unit).split()).casefold() for value in made.offered)
    return next((letter_of(place) for place, word in enumerate(words) if word == typed), text)


def moment(question: Question, unit: Unit) -> str:
    """Return the instant of a question; empty for one about a captured cluster, which has one instant."""
    return "" if question.about_a_cluster else unit.instant(question.at)


def _event(value: Value, unit: Unit) -> str:
    if not isinstance(value, tuple):
        return "nothing any more"
    return "a job is submitted" if value[0] == "submit" else happened(*value)


def _state(value: Value, unit: Unit) -> str:
    return f"{value or '-'}  {STATES.get(str(value)) or state(str(value), unit)}"


def _reason(value: Value, unit: Unit) -> str:
    code = str(value)
    return unit.fill(REASONS[code]) if code in REASONS else code.replace("_", " ")


WORDINGS: Mapping[str, Wording] = {
    "next_start": Wording(
        "Which job starts next?",
        "Go through the queue from its head. Which jobs fit into the free {units}? Which of them"
        " may pass earlier jobs under this policy?",
        job,
    ),
    "start_time": Wording(
        "When does job {job} start?",
        "Add up, in order of time, the {units} that running jobs give back by their estimates. When"
        " are there enough, and which jobs take some of them before?",
        instant,
    ),
    "next_event": Wording(
        "Apart from the scheduling pass of this instant: what happens next?",
        "Look for the earliest of what is due: ends by the estimates in panel 2, the end of the"
        " time slot in panel 3.",
        _event,
        "What happens next?",
    ),
    "preempted": Wording(
        "Which job is preempted next?",
        "Which job gets {units} next, how many are missing, and which jobs may be stopped for it?",
        job,
    ),
    "state": Wording(
        "In which state is job {job} after the scheduling pass of this instant?",
        "What does the pass do for this job: does it get {units}, keep them, or continue to wait?",
        _state,
        "In which state is job {job} now?",
    ),
    "why": Wording(
        "Why does job {job} still wait after the scheduling pass of this instant?",
        "Compare the size of the job with the free {units}, then its end by its estimate with the time at"
        " which the head can start.",
        _reason,
        "Why does job {job} wait now?",
    ),
    **readings.WORDINGS,
    **odds.WORDINGS,
    **subjects.WORDINGS,
    **cluster.WORDINGS,
}


SOLVED = "WORKED EXAMPLE, for no points"
FADED = "ANOTHER ONE, and its answer is yours; for no points"


def stepped(example: Example, unit: Unit) -> list[str]:
    """Return the steps of an example, a sentence each: to the answer, or as far as they leave it open."""
    made, steps = example.drill.answer, list(dict.fromkeys(because(it, unit) for it in example.steps))
    if not example.solved:
        return [*steps, hinted(made.question, 1, unit)]
    place, ask = made.offered.index(made.shown), made.question.ask
    return [*steps, f"so the answer is {letter_of(place)}: {quoted(ask, made.shown, unit)}"]


def judged(ended: QuestionResult, unit: Unit) -> list[str]:
    """Return how an example was answered, for no points, and why: a sentence each."""
    return [f"{VERDICTS.get(ended.verdict, 'WRONG')}: {_answers(ended, unit)}", *explained(ended, unit)]


def hinted(question: Question, taken: int, unit: Unit) -> str:
    """Return the text of a hint: the first is in words, the second leaves two choices."""
    first = question.hint or unit.fill(WORDINGS[question.ask].hint)
    return first if taken < 2 else f"{first} Only two choices are left."


def verdict(ended: QuestionResult, unit: Unit) -> str:
    head = VERDICTS.get(ended.verdict, "WRONG")
    if ended.verdict == SKIPPED:
        return f"{head}: it is asked again the next time"
    text = _answers(ended, unit)
    if ended.known and ended.verdict == RIGHT:
        text += f" ({KNOWN_BEFORE})"
    return f"{head}, {count(ended.points, 'point')} of {POINTS}: {text}"


def _answers(ended: QuestionResult, unit: Unit) -> str:
    """The given answer and the right one; the right one alone if none was given."""
    answer, ask = ended.answer, ended.answer.question.ask
    right = " or ".join(quoted(ask, value, unit) for value in answer.right[:LISTED])
    # Not each kind of question has words for none.
    if ended.verdict in (GIVEN_UP, SKIPPED):
        return f"the answer is {right}" if ended.verdict == SKIPPED else right
    given = quoted(ask, ended.given, unit)
    if ended.verdict != RIGHT:
        return f"your answer: {given}; right: {right}"
    return given if ended.given in answer.right else f"{given}; to the second: {right}"


def quoted(ask: str, value: Value, unit: Unit) -> str:
    """Return a choice in words; a reason, which is a sentence, in quotation marks."""
    text = choice(ask, value, unit)
    return f'"{text}"' if ask in ("why", "not_running") else text


def explained(ended: QuestionResult, unit: Unit) -> list[str]:
    """Return why the right answer is right, and why the given one is not, a sentence each."""
    return list(dict.fromkeys(because(part, unit) for part in ended.because))


def explained_so_far(ended: QuestionResult, unit: Unit) -> list[str]:
    """The same within a lesson: the last line says if something follows after it."""
    return [*explained(ended, unit), *([REST] if ended.cut else [])]


def looked_back(made: Answer, ended: QuestionResult | None, unit: Unit) -> str:
    """Return the answer that was given beside the right one; the right one alone if none was given here."""
    if ended is not None:
        return verdict(ended, unit)
    right = " or ".join(quoted(made.question.ask, value, unit) for value in made.right[:4])
    return f"answered before; right: {right}"


def whole_explanation(made: Answer, ended: QuestionResult | None, unit: Unit) -> list[str]:
    """Return all that explains an answer, once no question is left that it would answer, a sentence each."""
    if ended is not None and ended.verdict == SKIPPED:
        # It is asked again.
        return []
    wrong = ended is not None and ended.verdict not in (RIGHT, GIVEN_UP)
    parts = (*made.because, *(made.against(ended.given) if wrong and ended is not None else ()))
    sentences = [because(part, unit) for part in parts]
    if made.turns_out is not None:
        sentences.append(f"as it turns out, {turned_out(made.turns_out, unit)}")
    return list(dict.fromkeys(sentences))


def because(part: Because, unit: Unit) -> str:
    """One part of an explanation, in the words of the panels."""
    match part:
        case Decision():
            return decision(part, unit)
        case Event():
            return f"{unit.instant(part.time)}: {happened(part.kind, part.job)}"
        case Row():
            return standing(part, unit)
        case Waits():
            return waits(part.job, part.reason, unit)
        case Foreseen():
            return prediction(part.job, part.prediction, part.now, unit)
        case Step():
            return _step(part, unit)
        case LeftOut():
            are = "is" if part.steps == 1 else "are"
            return f"{count(part.steps, 'step')} before the next one {are} left out here"
        case Mistaken():
            return mistaken(part, unit)
        case OnCluster():
            return cluster.because(part)
        case Read():
            return odds.because(part, unit) if part.code in odds.SHOWN else readings.because(part, unit)
        case Placed():
            return subjects.placed(part, unit)
        case Packed():
            return subjects.packed(part, unit)
        case Bound():
            return subjects.bound(part)
        case InForce():
            return subjects.in_force(part)
        case Moved():
            return subjects.moved(part, unit)
        case Would():
            return subjects.would(part, unit)


def _step(part: Step, unit: Unit) -> str:
    """`0d 01:00:00: job 3 ends; 6 nodes are free; job 4 starts on 4`."""
    ends = f"{_named(part.ended)} {'ends' if len(part.ended) == 1 else 'end'}; " if part.ended else ""
    starts = "".join(f"; job {job} starts on {size:,}" for job, size in part.started[:LISTED])
    free = f"{unit.sized(part.free)} {'is' if part.free == 1 else 'are'} free"
    free = f"all {unit.several} are busy" if part.free == 0 else free
    return f"{unit.instant(part.time)}: {ends}{free}{starts}"


def _named(jobs: Sequence[int]) -> str:
    """`job 3`, `jobs 3, 4`, `jobs 1, 2, 3, 4 and 2 others`."""
    listed, others = ", ".join(map(str, jobs[:LISTED])), len(jobs) - LISTED
    return f"{'job' if len(jobs) == 1 else 'jobs'} {listed}" + (f" and {others} others" if others > 0 else "")


def afterwards(drill: Drill, unit: Unit) -> Iterator[str]:
    """Yield what a lesson that is over still owes: what turned out otherwise, and what was left out."""
    for place, part in drill.turned_out:
        yield f"question {place + 1}: as it turns out, {turned_out(part, unit)}"
    for place, parts in drill.held:
        yield f"question {place + 1}: {'; '.join(because(part, unit) for part in parts)}"


def turned_out(part: TurnsOut, unit: Unit) -> str:
    """What the run does, if that is not what could be known."""
    return (
        f"{_named(part.jobs)} {'starts' if len(part.jobs) == 1 else 'start'} at {unit.instant(part.time)}:"
        " early ends, new jobs and failures could not be known"
    )
