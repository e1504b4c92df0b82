"""Breakpoints: where going on stops. A kind of event or decision, a job, or a condition that comes true.

As they are typed: `preempt`, `job 31`, `start 31`, `closes batch`, `utilization < 0.5`, `wait(31) > 2h`. A
condition is met at the event that makes it true: before, it was false.
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import Generic, Protocol, TypeVar

import attrs

from shadowtime.console.session.course.places import MOMENTS
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.table.filtering import COMPARISONS
from shadowtime.scenarios import nearest, parse_duration

SHORT: Mapping[str, str] = {"queue": "queue_length", "free": "free_nodes"}
"""Names of metrics that are typed often."""
CONDITION = re.compile(r"([a-z_0-9]+)\s*(?:\(\s*(\d{1,18})\s*\))?\s*(<=|>=|!=|==|=|<|>)\s*(.*)", re.I | re.S)
JOB = re.compile(r"(?:job\s+)?#?(\d{1,18}(?:_(?:\d{1,9}|\*))?)", re.I | re.A)
NAMED = re.compile(r"(\w+)\s+(?:job\s+)?#?(\S+)", re.A)
EXPECTED = "a kind such as preempt, a job such as job 31 or start 31, or a condition such as queue > 100"

State = TypeVar("State")
Walked = TypeVar("Walked", contravariant=True)
Value = Callable[[State], float | None]
Probe = Callable[[State], bool]
"""Whether the event just done is one to stop at; asked after each event in turn."""
Test = Callable[[State], Probe[State]]
"""Makes the probe of a search that begins at a state."""


class Terms(Protocol[Walked]):
    """What can be stopped at on a course. SessionError for a name that nothing has."""

    @property
    def kinds(self) -> Collection[str]:
        """Words that stand alone."""

    @property
    def named(self) -> Collection[str]:
        """Those of them that something may follow that is no job."""

    @property
    def metrics(self) -> Collection[str]:
        """What a condition may compare."""

    def kind(self, word: str, name: str) -> Test[Walked]:
        """Stop at a kind of event or decision, of one name if that is not empty."""

    def job(self, name: str, what: str) -> Test[Walked]:
        """Stop where something befalls a job; `what` is one of `MOMENTS`, or empty for anything."""

    def value(self, metric: str) -> Value[Walked]:
        """Return what gives a metric."""

    def wait(self, job: int) -> Value[Walked]:
        """Return what gives the seconds that a job has waited."""


@attrs.frozen
class Point(Generic[State]):
    """One breakpoint as it was typed, in plain spelling, and whether going on heeds it."""

    text: str
    probe: Test[State] = attrs.field(eq=False, repr=False)
    """Makes the probe of a search."""
    enabled: bool = True


@attrs.frozen
class Points(Generic[State]):
    """Breakpoints in the order in which they were set; each change gives new ones."""

    all: tuple[Point[State], ...] = ()

    @property
    def enabled(self) -> tuple[Point[State], ...]:
        return tuple(each for each in self.all if each.enabled)

    def add(self, made: Point[State]) -> "Points[State]":
        """Return these with one more; one that is there already is enabled again."""
        if made.text in [each.text for each in self.all]:
            return Points(tuple(made if each.text == made.text else each for each in self.all))
        return Points((*self.all, made))

    def remove(self, place: int) -> "Points[State]":
        """Return these without the one at a place."""
        return Points((*self.all[:place], *self.all[place + 1 :]))

    def toggle(self, place: int) -> "Points[State]":
        """Return these with the one at a place enabled, or disabled."""
        turned = attrs.evolve(self.all[place], enabled=not self.all[place].enabled)
        return Points((*self.all[:place], turned, *self.all[place + 1 :]))


def parse_breakpoint(text: str, terms: Terms[State]) -> Point[State]:
    """Return the breakpoint that a text names. SessionError in one line if it names no breakpoint."""
    text = " ".join(text.split())
    if not text:
        raise SessionError(f"a breakpoint needs a place to stop; expected {EXPECTED}")
    condition = CONDITION.fullmatch(text)
    if condition is not None:
        return _condition(condition, terms)
    if job := JOB.fullmatch(text):
        return Point(f"job {job[1]}", terms.job(job[1], ""))
    named = NAMED.fullmatch(text)
    word, name = (named[1].lower(), named[2]) if named else (text.lower(), "")
    if name and word in MOMENTS:
        if not JOB.fullmatch(name):
            raise SessionError(f"{text[:60]!r} names no job; expected {word} 31")
        return Point(f"{word} {name}", terms.job(name, word))
    if word in terms.kinds:
        if name and word not in terms.named:
            raise SessionError(f"{word} stands alone; {name[:60]!r} is too much")
        return Point(f"{word} {name}".rstrip(), terms.kind(word, name))
    close = nearest(text.lower(), (*terms.kinds, *terms.metrics, *SHORT))
    hint = f"did you mean {close}?" if close is not None else f"expected {EXPECTED}"
    if word in terms.metrics or word in SHORT:
        hint = f"expected a comparison, such as {word} > 0"
    raise SessionError(f"{text[:60]!r} is no breakpoint; {hint}")


def _condition(found: re.Match[str], terms: Terms[State]) -> Point[State]:
    name, job, sign, typed = found[1].lower(), found[2], found[3], found[4].strip()
    compare, limit = COMPARISONS[sign], _limit(found[0], typed)
    if job is not None:
        if name != "wait":
            raise SessionError(f"{name}({job}) is not known; expected wait({job})")
        return Point(f"wait({job}) {sign} {typed}", _edge(terms.wait(int(job)), compare, limit))
    metric = SHORT.get(name, name)
    if metric not in terms.metrics:
        known = (*terms.metrics, *(short for short, whole in SHORT.items() if whole in terms.metrics))
        close = nearest(name, known)
        hint = f"did you mean {close}?" if close else f"expected one of {', '.join(known)}"
        if name == "wait":
            hint = "expected wait(JOB) or mean_wait"
        raise SessionError(f"there is no metric {name!r}; {hint}")
    return Point(f"{name} {sign} {typed}", _edge(terms.value(metric), compare, limit))


def _limit(text: str, typed: str) -> float:
    """Return what a condition compares with: a number, a percentage, a duration."""
    try:
        limit = float(typed[:-1]) / 100 if typed.endswith("%") else float(typed)
    except ValueError:
        try:
            return parse_duration(typed)
        except ValueError:
            limit = float("nan")
    if not -1e18 < limit < 1e18:
        raise SessionError(f"{text!r} compares with {typed!r}; expected a number, a share or a duration")
    return limit


def _edge(value: Value[State], compare: Callable[[float, float], bool], limit: float) -> Test[State]:
    """Return what makes a probe that is true at the events that make a comparison true."""

    def begin(state: State) -> Probe[State]:
        before = value(state)
        was = before is not None and compare(before, limit)

        def probe(state: State) -> bool:
            nonlocal was
            found = value(state)
            now = found is not None and compare(found, limit)
            came, was = now and not was, now
            return came

        return probe

    return begin
