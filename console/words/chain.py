"""The chain of a waiting job in words: a clause of a sentence, and a line for each of its steps."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import attrs

from shadowtime.console.session.facts import Prediction, Reason
from shadowtime.console.session.jobs.chain import BEGINS, START, SWITCH, WAITS, Chain, Link, Step
from shadowtime.console.words.phrases import count, say, scheduler
from shadowtime.console.words.units import Unit
from shadowtime.console.words.waiting import brief

DOES = {
    "ends": ("ends", "end"),
    "leaves": ("is stopped", "are stopped"),
    "starts": ("starts", "start"),
    "backfilled": ("is backfilled", "are backfilled"),
    "returns": ("goes on", "go on"),
    "reserved": ("begins", "begin"),
    "lifted": ("is over", "are over"),
}
"""What happens to another job, or a reservation, and to several."""
RESERVATION = frozenset(("reserved", "lifted"))
OWN = {
    "down": "{units} go down",
    "up": "{units} come back",
    "assigned": "it has its {units}",
    START: "it starts",
}
"""What happens to nodes, and to the job itself."""
PLANNED = {
    "no_licenses": "its licences are not free",
    "ends_in_steps": "ends are tried in steps, this one up to that of job {blocker}",
    "rounded_end": "planned ends are in steps of {step:length}",
    "rounded": "starts are tried in steps of {step:length}",
    "no_earlier_try": "no earlier try of the plan has enough {units} for its whole limit",
}
"""Why the plan of a cluster keeps a job off free nodes, beside the reasons of `waiting`, or starts it so."""
NAMED = 3
"""Jobs that do the same which a line names; more are counted."""
ROOM = frozenset(("no_room", "no_room_now", "scan_ended"))
"""Reasons that say no more than that too few nodes are free: the chain says when they are."""

OWN_START = frozenset(("planned", "reserved"))
"""Numbers of a reason that are when the job itself starts."""
LOADED = frozenset(("about_to_run", "being_loaded"))
"""Reasons of a job that has its nodes: `at` is when it runs there."""
HANDS = frozenset(("operator_places", "own_words"))
"""Reasons of a job that starts when somebody says so."""
HEADING = frozenset(("head_blocked", "head_reserved", "not_enough_to_stop"))
"""Reasons of the head of the queue: the shadow time is its own start."""


def opening(chain: Chain, unit: Unit) -> str:
    """Return what a job needs and what is free: `job 7 needs 64 nodes, 4 are free`.

    Of a cluster: on how many nodes it is planned, and how many of these are free.
    """
    numbers = {"needs": chain.needs, "free": chain.free}
    if chain.links and chain.links[-1].nodes:
        return say(f"job {chain.job} is planned on {{needs:nodes}}, {{free:are}} free", numbers, unit)
    free = "" if chain.free is None else ", {free:are} free"
    return say(f"job {chain.job} needs {{needs:nodes}}{free}", numbers, unit)


def clause(chain: Chain, reason: Reason | None, unit: Unit) -> str:
    """Return who comes before a job, and what starts it; empty if its reason names the instant."""
    start = chain.start
    if start is None:
        if reason is not None and reason.code in HANDS:
            return ""
        return "it never starts if every job runs to its limit and nothing else comes"
    if reason is not None and any(reason.numbers.get(name) == start for name in _own(reason)):
        return ""
    comes = sum(link.kind in BEGINS and link.kind != START for link in chain.links)
    before = f"{count(comes, 'job')} {'starts' if comes == 1 else 'start'} before it, and " if comes else ""
    last = [link for link in chain.links if link.at == start]
    # A job of several partitions has a place in the plan in each of them.
    other = f"{chain.job} in its other partition"
    ends = [
        attrs.evolve(link, job=other) if link.nodes and link.job == chain.job else link for link in last[:-1]
    ]
    because = ", ".join(_happens(ends, unit))
    return f"{before}it starts at {unit.instant(start)}" + (f", when {because}" if because else "")


def _own(reason: Reason) -> Iterable[str]:
    """Return the numbers of a reason that are the start of the job itself."""
    own = "shadow" if reason.code in HEADING else "at" if reason.code in LOADED else None
    return OWN_START | {own} if own else OWN_START


def beside_promise(chain: Chain, promised: Prediction, unit: Unit) -> str:
    """Return how the start at the limits differs from the promise of the policy; empty if it does not."""
    start = chain.start
    if promised.promise == "expected" or start in (None, promised.time):
        return ""
    if start < promised.time:
        return f"at the limits it starts at {unit.instant(start)} already: the policy moves it by then"
    return f"at the limits it starts at {unit.instant(start)}: the plan may still change"


def cells(step: Step, unit: Unit, short: bool = False) -> tuple[str, str, str, str]:
    """Return a line of a chain: the instant, how many nodes come and go, how many are free, what happens.

    `short`: to the minute, jobs that do the same are counted, and without likely instants.
    """
    instant = unit.clock.minute if short else unit.clock.brief
    changes = f"{step.gained:+,}" * bool(step.gained), f"{step.taken:+,}" * bool(step.taken)
    free = "" if step.free is None else f"{step.free:,}"
    happens = _happens(step.links, unit, 1 if short else NAMED, likely=not short, where=True)
    at, what = instant(step.until), ", ".join(happens)
    if step.at != step.until:
        at, what = f"... {at}", ", ".join(_counted(step.links, unit))
    return at, " ".join(filter(None, changes)), free, what


def _happens(
    links: Sequence[Link], unit: Unit, named: int = NAMED, likely: bool = False, where: bool = False
) -> Iterator[str]:
    """Yield what happens at an instant, jobs of one kind together.

    `likely`: and by when it likely has; `where`: and on which nodes, if they have names.
    """
    for kind, found in groupby(links, key=lambda link: link.kind):
        same = list(found)
        first, said = same[0], _likely(same, unit) if likely else ""
        if kind == WAITS and first.reason is not None:
            rule = PLANNED.get(first.reason.code)
            said = say(rule, first.reason.numbers, unit) if rule else brief(first.reason, first.at, unit)
            yield f"it {said}" if said.startswith("waits ") else f"it waits: {said}"
        elif kind == SWITCH and first.reason is not None:
            becomes = first.reason.numbers.get("becomes")
            yield "the policy switches" + (f" to {scheduler(becomes)}" if isinstance(becomes, str) else "")
        elif kind in OWN:
            rule = "" if first.reason is None else PLANNED[first.reason.code]
            because = f": {say(rule, first.reason.numbers, unit)}" if first.reason is not None else ""
            yield unit.fill(OWN[kind]) + said + because
        else:
            word = _word(kind)
            who = f"{word}{'s' * (len(same) > 1)} {', '.join(_named(link, where) for link in same)}"
            if len(same) > named:
                who = count(len(same), word)
            yield f"{who} {DOES[kind][len(same) > 1]}{said}"


def _counted(links: Sequence[Link], unit: Unit) -> Iterator[str]:
    kinds = Counter(link.kind for link in links)
    for kind, words in DOES.items():
        number = kinds[kind]
        if number:
            yield f"{count(number, _word(kind))} {words[number > 1]}"
    yield from (unit.fill(OWN[kind]) for kind in OWN if kind in kinds)
    if WAITS in kinds:
        yield unit.fill("a rule keeps it off free {units}")


def _word(kind: str) -> str:
    return "reservation" if kind in RESERVATION else "job"


def _named(link: Link, where: bool) -> str:
    return f"{link.job} ({link.nodes})" if where and link.nodes else link.job


def _likely(links: Sequence[Link], unit: Unit) -> str:
    known = [link.likely for link in links if link.likely is not None]
    return f" (likely {unit.clock.minute(max(known))})" if len(known) == len(links) else ""
