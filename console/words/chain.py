"""The chain of a waiting job in words: a clause of a sentence, and a line for each of its steps."""

from collections.abc import Iterator, Sequence
from itertools import groupby

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
}
"""What happens to another job, and to several."""
OWN = {
    "down": "{units} go down",
    "up": "{units} come back",
    "assigned": "it has its {units}",
    START: "it starts",
}
"""What happens to nodes, and to the job itself."""
NAMED = 3
"""Jobs that do the same which a line names; more are counted."""
ROOM = frozenset(("no_room", "no_room_now", "scan_ended"))
"""Reasons that say no more than that too few nodes are free: the chain says when they are."""


def opening(chain: Chain, unit: Unit) -> str:
    """Return what a job needs and what is free: `job 7 needs 64 nodes, 4 are free`."""
    free = "" if chain.free is None else ", {free:are} free"
    return say(
        f"job {chain.job} needs {{needs:nodes}}{free}", {"needs": chain.needs, "free": chain.free}, unit
    )


def clause(chain: Chain, reason: Reason | None, unit: Unit) -> str:
    """Return who comes before a job, and what starts it; empty if its reason names the instant."""
    start = chain.start
    if start is None:
        return "it never starts if every job runs to its limit and nothing else comes"
    if reason is not None and start in reason.numbers.values():
        return ""
    comes = sum(link.kind in BEGINS and link.kind != START for link in chain.links)
    before = f"{count(comes, 'job')} {'starts' if comes == 1 else 'start'} before it, and " if comes else ""
    last = [link for link in chain.links if link.at == start]
    because = ", ".join(_happens(last[:-1], unit))
    return f"{before}it starts at {unit.instant(start)}" + (f", when {because}" if because else "")


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
    at, what = instant(step.until), ", ".join(_happens(step.links, unit, 1 if short else NAMED, not short))
    if step.at != step.until:
        at, what = f"... {at}", ", ".join(_counted(step.links, unit))
    return at, " ".join(filter(None, changes)), free, what


def _happens(links: Sequence[Link], unit: Unit, named: int = NAMED, likely: bool = False) -> Iterator[str]:
    """Yield what happens at an instant, jobs of one kind together; `likely`: and by when it likely has."""
    for kind, found in groupby(links, key=lambda link: link.kind):
        same = list(found)
        first, said = same[0], _likely(same, unit) if likely else ""
        if kind == WAITS and first.reason is not None:
            yield f"it waits: {brief(first.reason, first.at, unit)}"
        elif kind == SWITCH and first.reason is not None:
            becomes = first.reason.numbers.get("becomes")
            yield "the policy switches" + (f" to {scheduler(becomes)}" if isinstance(becomes, str) else "")
        elif kind in OWN:
            yield unit.fill(OWN[kind]) + said
        else:
            jobs = f"job{'s' * (len(same) > 1)} {', '.join(link.job for link in same)}"
            if len(same) > named:
                jobs = count(len(same), "job")
            yield f"{jobs} {DOES[kind][len(same) > 1]}{said}"


def _counted(links: Sequence[Link], unit: Unit) -> Iterator[str]:
    """Yield how often what happens in several instants."""
    for kind, words in DOES.items():
        number = sum(link.kind == kind for link in links)
        if number:
            yield f"{count(number, 'job')} {words[number > 1]}"
    kinds = {link.kind for link in links}
    yield from (unit.fill(OWN[kind]) for kind in OWN if kind in kinds)
    if WAITS in kinds:
        yield unit.fill("a rule keeps it off free {units}")


def _likely(links: Sequence[Link], unit: Unit) -> str:
    known = [link.likely for link in links if link.likely is not None]
    return f" (likely {unit.clock.minute(max(known))})" if len(known) == len(links) else ""
