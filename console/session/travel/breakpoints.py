"""Breakpoints: where going on stops. A kind of event or decision, a job, or a condition that comes true.

As they are typed: `preempt`, `node_down`, `job 31`, `utilization < 0.5`, `queue > 100`, `wait(31) > 2h`. A
condition is met at the event that makes it true: before, it was false.
"""

import operator
import re
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.decisions import DECISION_NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import nearest, parse_duration
from shadowtime.scenarios.values import METRICS

SHORT: Mapping[str, str] = {"queue": "queue_length", "free": "free_nodes"}
"""Names of metrics that are typed often."""
COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
    "==": operator.eq,
    "=": operator.eq,
    "<": operator.lt,
    ">": operator.gt,
}
CONDITION = re.compile(r"([a-z_0-9]+)\s*(?:\(\s*(\d{1,18})\s*\))?\s*(<=|>=|!=|==|=|<|>)\s*(.*)", re.I | re.S)
JOB = re.compile(r"(?:job\s+)?#?(\d{1,18})", re.I)
KINDS = (*EVENT_NAMES, *(kind for kind in DECISION_NAMES if kind not in EVENT_NAMES))
TALLIED = ("queue_length", "running")
"""Metrics that the kernel keeps as they are: asked a million times, the others take three times as long."""
EXPECTED = "a kind such as preempt, a job such as `job 31`, or a condition such as queue > 100"

Test = TypeVar("Test")
Index = Callable[[int], int]
"""The row of a job, by id. SessionError if there is no such job."""
Probe = Callable[[Simulation], bool]
"""Whether the event just done is one to stop at; asked after each event in turn."""


@attrs.frozen
class Point(Generic[Test]):
    """One breakpoint as it was typed, in plain spelling, and whether going on heeds it."""

    text: str
    probe: Test = attrs.field(eq=False, repr=False)
    """What a search needs to stop."""
    enabled: bool = True


@attrs.frozen
class Points(Generic[Test]):
    """Breakpoints in the order in which they were set; each change gives new ones."""

    all: tuple[Point[Test], ...] = ()

    @property
    def enabled(self) -> tuple[Point[Test], ...]:
        """Those that going on heeds."""
        return tuple(each for each in self.all if each.enabled)

    def add(self, made: Point[Test]) -> "Points[Test]":
        """Return these with one more; one that is there already is enabled again."""
        if made.text in [each.text for each in self.all]:
            return Points(tuple(made if each.text == made.text else each for each in self.all))
        return Points((*self.all, made))

    def remove(self, place: int) -> "Points[Test]":
        """Return these without the one at a place."""
        return Points((*self.all[:place], *self.all[place + 1 :]))

    def toggle(self, place: int) -> "Points[Test]":
        """Return these with the one at a place enabled, or disabled."""
        turned = attrs.evolve(self.all[place], enabled=not self.all[place].enabled)
        return Points((*self.all[:place], turned, *self.all[place + 1 :]))


Breakpoint = Point[Callable[[Simulation], Probe]]
"""A breakpoint of a session; `probe` makes that of a search which begins where the simulation stands."""
Breakpoints = Points[Callable[[Simulation], Probe]]


def parse_breakpoint(text: str, index_of: Index) -> Breakpoint:
    """Return the breakpoint that a text names. SessionError in one line if it names no breakpoint."""
    text = " ".join(text.split())
    if not text:
        raise SessionError(f"a breakpoint needs a place to stop; expected {EXPECTED}")
    condition = CONDITION.fullmatch(text)
    if condition is not None:
        return _condition(condition, index_of)
    job = JOB.fullmatch(text)
    if job is not None:
        number = int(job[1])
        return Breakpoint(f"job {number}", _of_job(index_of(number)))
    word = text.lower()
    if word in KINDS:
        return Breakpoint(word, _of_kind(word))
    close = nearest(word, (*KINDS, *METRICS, *SHORT))
    hint = f"did you mean {close}?" if close is not None else f"expected {EXPECTED}"
    if word in METRICS or word in SHORT:
        hint = f"expected a comparison, such as {word} > 0"
    raise SessionError(f"{text!r} is no breakpoint; {hint}")


def _condition(found: re.Match[str], index_of: Index) -> Breakpoint:
    name, job, sign, typed = found[1].lower(), found[2], found[3], found[4].strip()
    compare, limit = COMPARISONS[sign], _limit(found[0], typed)
    if job is not None:
        if name != "wait":
            raise SessionError(f"{name}({job}) is not known; expected wait({job})")
        row = index_of(int(job))
        return Breakpoint(f"wait({job}) {sign} {typed}", _of_wait(row, compare, limit))
    metric = SHORT.get(name, name)
    if metric not in METRICS:
        close = nearest(name, (*METRICS, *SHORT))
        hint = f"did you mean {close}?" if close else f"expected one of {', '.join((*SHORT, *METRICS))}"
        if name == "wait":
            hint = "expected wait(JOB) or mean_wait"
        raise SessionError(f"there is no metric {name!r}; {hint}")
    return Breakpoint(f"{name} {sign} {typed}", _of_metric(metric, compare, limit))


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


def _of_kind(word: str) -> Callable[[Simulation], Probe]:
    number = EVENT_NAMES.index(word) if word in EVENT_NAMES else -1

    def of_event(simulation: Simulation) -> bool:
        last = simulation.last
        return last is not None and last[1] == number

    def of_decision(simulation: Simulation) -> bool:
        return simulation.decisions().of_kinds((word,))

    return lambda simulation: of_decision if number < 0 else of_event


def _of_job(row: int) -> Callable[[Simulation], Probe]:
    def probe(simulation: Simulation) -> bool:
        last = simulation.last
        if last is not None and last[2] == row:
            return True
        return bool(simulation.decisions().about(row))

    return lambda simulation: probe


def _of_wait(
    row: int, compare: Callable[[float, float], bool], limit: float
) -> Callable[[Simulation], Probe]:
    return _edge(lambda simulation: simulation.waited(row), compare, limit)


def _of_metric(
    name: str, compare: Callable[[float, float], bool], limit: float
) -> Callable[[Simulation], Probe]:
    if name == "free_nodes":
        return _edge(lambda simulation: simulation.free, compare, limit)
    if name in TALLIED:
        return _edge(lambda simulation: simulation.tally()[0][name], compare, limit)
    return _edge(lambda simulation: simulation.metrics()[name], compare, limit)


def _edge(
    value: Callable[[Simulation], float | None], compare: Callable[[float, float], bool], limit: float
) -> Callable[[Simulation], Probe]:
    """Return what makes a probe that is true at the events that make a comparison true."""

    def begin(simulation: Simulation) -> Probe:
        before = value(simulation)
        was = before is not None and compare(before, limit)

        def probe(simulation: Simulation) -> bool:
            nonlocal was
            found = value(simulation)
            now = found is not None and compare(found, limit)
            came, was = now and not was, now
            return came

        return probe

    return begin
