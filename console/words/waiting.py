"""The reasons to wait: a sentence for each, and a short form."""

from collections.abc import Mapping

import attrs

from shadowtime.console.session.facts import Reason
from shadowtime.console.words import operating
from shadowtime.console.words.phrases import say, uncoded
from shadowtime.console.words.t3d import reasons as torus
from shadowtime.console.words.units import Unit

NEEDS = "it needs {needs:nodes}, {free:are} free"
HEADS = "it heads the queue and needs {needs:nodes}, {free:are} free"

WAITING: Mapping[str, str] = {
    "head_blocked": f"job {{job}} waits: {HEADS}; enough are free at {{shadow:time}}, the predicted end of"
    " job {blocker}",
    "head_reserved": f"job {{job}} waits: {HEADS}; its reservation is at {{shadow:time}}, and it starts"
    " earlier if enough are free",
    "behind_head": "job {job} waits behind job {head}: nobody may pass the head, which needs"
    " {head_needs:nodes}; {free:are} free, and job {head} can start at {shadow:time}",
    "enough_passed": "job {job} waits behind job {head}: as many as may, {limit:,}, have passed the head,"
    " which needs {head_needs:nodes}; {free:are} free, and job {head} can start at {shadow:time}",
    "no_room": f"job {{job}} is not backfilled: {NEEDS}, and job {{head}}, which is before it, can start at"
    " {shadow:time}",
    "would_delay_head": "job {job} is not backfilled: it would end at {end:time}, after the shadow time"
    " {shadow:time} of job {head}, and needs {needs:nodes} of the {extra:,} extra",
    "would_delay_reserved": "job {job} is not backfilled: it would end at {end:time} and delay job {head} or"
    " another job that has a reservation",
    "reserved": "job {job} waits for its reservation at {reserved:time}: it needs {needs:nodes} for its whole"
    " estimate, and {short_free:only} free at {short_at:time}",
    "planned": "job {job} waits: the plan of the whole queue starts it at {planned:time}; it needs"
    " {needs:nodes} for its whole estimate, and {short_free:only} free at {short_at:time}",
    "planned_by_deadline": "job {job} waits: it is planned to start at {planned:time}, by {deadline:time} at"
    " the latest; it needs {needs:nodes} for its whole estimate, and {short_free:only} free at"
    " {short_at:time}",
    "missed_turn": f"job {{job}} waits for its reservation at {{reserved:time}}: {NEEDS}, but the room came"
    " after its turn to move; the next completion moves it",
    "pass_pending": f"job {{job}} waits for the scheduling pass of this instant: {NEEDS}",
    "about_to_run": "job {job} holds its {needs:nodes} and runs from {at:time}, when the jobs"
    " preempted for it are saved",
    "not_enough_to_stop": f"job {{job}} waits: {HEADS} and preemption frees {{stoppable:,}} more; enough are"
    " free at {shadow:time}, the predicted end of job {blocker}",
    "no_room_now": f"job {{job}} waits: {NEEDS}",
    "too_large_for_prime": "job {job} waits for non-prime time at {boundary:time}: it needs {needs:nodes},"
    " more than {large:,}, and runs {runtime:span}, longer than {short:length}",
    "too_long_for_prime": "job {job} waits for non-prime time at {boundary:time}: it runs {runtime:span},"
    " longer than {long:length}",
    "prime_reserve": "job {job} waits: {free:are} free, fewer than the {reserve:,} that prime time keeps for"
    " jobs of at most {short:length}; it runs {runtime:span}, and non-prime time begins at {boundary:time}",
    "scan_ended": "job {job} waits: the scan ended at job {blocker}, which needs {blocker_needs:nodes},"
    " {free:are} free",
    "waited_ends_scan": "job {job} waits: the scan ended at job {blocker}, which needs {blocker_needs:nodes}"
    " and has waited {waited:span}, longer than {limit:length}; {free:are} free",
    "waits_for_row": "job {job} waits for its turn at {turn:time}: row {current:,} of {rows:,} has the"
    " machine, and its own is row {row:,}, where it has {needs:nodes} from {unit} {base:,} on",
    "operator_places": f"job {{job}} waits for you to place it: {NEEDS}",
    "no_row": "job {job} waits: it needs {needs:nodes}, and no row of the {rows:,}, the most there may be,"
    " has them idle",
    "behind_no_row": "job {job} waits behind job {head}, which needs {head_needs:nodes}; no row of the"
    " {rows:,} has them idle",
    "left_waiting": f"job {{job}} waits: the policy has not chosen it; {NEEDS}",
    "own_words": "job {job} {text}",
    **torus.WAITING,
    **operating.WAITING,
}
"""The sentence for each reason to wait."""

SAVING = "; if jobs have to be stopped for it then, it runs at most {delay:length} later, when they are saved"
"""The addition if a stop takes time."""

NO_END = "the ends of the running jobs do not free enough"

ENDLESS: Mapping[str, str] = {
    **operating.ENDLESS,
    "head_blocked": f"job {{job}} waits: {HEADS}; {NO_END}",
    "behind_head": "job {job} waits behind job {head}: nobody may pass the head, which needs"
    f" {{head_needs:nodes}}; {{free:are}} free, and {NO_END}",
    "enough_passed": "job {job} waits behind job {head}: as many as may, {limit:,}, have passed the head,"
    f" which needs {{head_needs:nodes}}; {{free:are}} free, and {NO_END}",
    "no_room": f"job {{job}} is not backfilled: {NEEDS}, and job {{head}} is before it",
    "planned": f"job {{job}} waits: {NEEDS}, and {NO_END}",
    "planned_by_deadline": f"job {{job}} waits: {NEEDS}, and {NO_END}",
    "not_enough_to_stop": f"job {{job}} waits: {HEADS} and preemption frees {{stoppable:,}} more; {NO_END}",
}
"""The same if the instant never comes, or the job that would bring it is not there."""

BRIEF: Mapping[str, str] = {
    "head_blocked": "head, {free:,} of {needs:,} free",
    "head_reserved": "head, {free:,} of {needs:,} free",
    "behind_head": "behind {head}",
    "enough_passed": "behind {head}",
    "no_room": "needs {lacks:,} more",
    "would_delay_head": "would delay {head}",
    "would_delay_reserved": "would delay a reservation",
    "reserved": "only {short_free:,} at {short_at:time}",
    "planned": "only {short_free:,} at {short_at:time}",
    "planned_by_deadline": "only {short_free:,} at {short_at:time}",
    "missed_turn": "moves at the next end",
    "pass_pending": "the pass is next",
    "about_to_run": "runs at {at:time}",
    "not_enough_to_stop": "head, {free:,} of {needs:,} free",
    "no_room_now": "needs {lacks:,} more",
    "too_large_for_prime": "prime: over {large:nodes}",
    "too_long_for_prime": "prime: over {long:length}",
    "prime_reserve": "prime: keeps {reserve:,} free",
    "scan_ended": "behind {blocker}",
    "waited_ends_scan": "behind {blocker}",
    "waits_for_row": "turn {turn:time}",
    "operator_places": "yours to place",
    "no_row": "no room in {rows:,} rows",
    "behind_no_row": "behind {head}",
    "left_waiting": "not chosen",
    "own_words": "{text}",
    **torus.BRIEF,
    **operating.BRIEF,
}
"""The short forms, for the queue's last column.

What is the same in every row says nothing there: of a job without room how many more nodes it needs, `lacks`.
"""


def waits(job: int, reason: Reason, unit: Unit) -> str:
    """Return why a waiting job waits, with the numbers of the reason."""
    endless = None in reason.numbers.values() and reason.code in ENDLESS
    sentence = (ENDLESS if endless else WAITING).get(reason.code)
    special = torus.special(reason.code, reason.numbers)
    if special is not None:
        sentence = special[0]
    if sentence is None:
        return f"job {job} waits: {uncoded(reason.code, reason.numbers)}"
    text = say(sentence, {"job": job, **reason.numbers}, unit)
    return text + say(SAVING, reason.numbers, unit) if "delay" in reason.numbers else text


def brief(reason: Reason | None, now: int, unit: Unit) -> str:
    """Return why a job waits in a few words, instants without the year; empty without a reason."""
    if reason is None:
        return ""
    numbers, sentence = dict(reason.numbers), BRIEF.get(reason.code)
    short_at = numbers.get("short_at")
    if isinstance(short_at, int) and short_at <= now:
        sentence, numbers["free"] = BRIEF["no_room"], numbers.get("short_free")
    free, needs = numbers.get("free"), numbers.get("needs")
    if isinstance(free, int) and isinstance(needs, int):
        numbers["lacks"] = needs - free
        if needs <= free and sentence == BRIEF["no_room"]:
            sentence = "no room"
    special = torus.special(reason.code, reason.numbers)
    if special is not None:
        sentence = special[1]
    short = attrs.evolve(unit, clock=attrs.evolve(unit.clock, yearless=True))
    return say(sentence, numbers, short) if sentence else reason.code.replace("_", " ")
