"""Verdicts: what a paper says beside what came out here, and what is to be made of it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise
from math import ceil

import attrs

from shadowtime.console.session.lab.frames import Frame, Lookup, frame_of, written
from shadowtime.console.session.lab.intervals import Value
from shadowtime.scenarios.experiment import Claim, Experiment, Published

MOSTLY = 0.75
"""The part of its comparisons that a pattern agrees in."""
FEWEST = 3
"""Comparisons from which a claim that does not hold in all of them can be a pattern."""
TIE = 0.01
"""Two values that are no further apart than this part of the larger have no order."""


class Verdict(StrEnum):
    """What is to be made of one row: a published value, or a claim."""

    REPRODUCED = "reproduced"
    """In the band."""
    PATTERN = "pattern"
    """The order, and the sign."""
    BRACKETED = "bracketed"
    """Between the results of two stated readings."""
    NO_DATA = "no data"
    """What is needed is private or lost, or not on this machine; never counted as a failure."""
    CONTRADICTS = "contradicts"
    """The same data and a closed definition, and outside the band."""


def verdict_of(found: bool, near: bool, pattern: bool, bracketed: bool, cause: str | None) -> Verdict:
    """Return the verdict of a row; a miss for want of the paper's own data is no contradiction."""
    if not found:
        return Verdict.NO_DATA
    if near:
        return Verdict.REPRODUCED
    if pattern:
        return Verdict.PATTERN
    if bracketed:
        return Verdict.BRACKETED
    return Verdict.NO_DATA if cause == "data" else Verdict.CONTRADICTS


def counted(verdicts: Iterable[Verdict]) -> str:
    """Return how many there are of each verdict: `21 reproduced, 3 pattern`."""
    counts = Counter(verdicts)
    return ", ".join(f"{counts[each]} {each}" for each in Verdict if counts[each])


@attrs.frozen
class Line:
    """One published value beside ours."""

    row: str
    column: str
    said: Decimal
    """The published value as it is written there."""
    ours: Value | None
    """Under the reading that is judged."""
    near: bool
    """Whether ours comes as near as it has to; half its interval, up to the band itself, counts for it."""
    near_alone: bool
    """Whether it does so without its interval."""
    readings: Mapping[str, Value] = attrs.field(factory=dict)
    """Ours under each stated reading, if there are several."""
    verdict: Verdict = Verdict.NO_DATA

    @property
    def published(self) -> float:
        """The published value."""
        return float(self.said)

    @property
    def off(self) -> float | None:
        """Ours less the published one."""
        return None if self.ours is None else self.ours.mean - self.published

    @property
    def ratio(self) -> float | None:
        """Ours over the published one."""
        return self.ours.mean / self.published if self.ours is not None and self.published else None


@attrs.frozen
class TableFound:
    """A table of a paper beside ours."""

    table: Published
    lines: tuple[Line, ...]
    finding: str
    """How near ours come, in a few words."""

    @property
    def word(self) -> str:
        """The verdicts of its rows, counted; its role if it is not judged."""
        source = self.table.source
        return counted(line.verdict for line in self.lines) if source.is_judged else source.role

    @property
    def because(self) -> str:
        """Why what does not come near does not; '' if all does, or nothing was run."""
        return self.table.because if any(line.ours and not line.near for line in self.lines) else ""

    @property
    def reading(self) -> str:
        """The reading that is judged."""
        return " ".join(
            filter(None, (self.table.source.reading, f"({shown})" if (shown := self.shown) else ""))
        )

    @property
    def shown(self) -> str | None:
        """The label of the reading that is judged; None if there is one reading."""
        return _shown(self.table, self.lines[0].readings if self.lines else {})

    @property
    def against(self) -> str:
        """How ours is put against the published: by their ratio, or by how much ours is off."""
        return "off" if self.table.in_points else "ratio"

    @property
    def correlated(self) -> bool:
        """Whether the values are correlations, which count in their own unit; others count in per cent."""
        return self.table.in_points and self.table.view.relative_to is None


@attrs.frozen
class ClaimFound:
    """A claim, and in how many of the cases it holds."""

    claim: Claim
    held: int
    cases: int
    failing: tuple[str, ...]
    """The cases in which it does not hold."""
    verdict: Verdict
    finding: str

    @property
    def word(self) -> str:
        """Its verdict; its role if it is not judged."""
        source = self.claim.source
        return str(self.verdict) if source.is_judged else source.role

    @property
    def because(self) -> str:
        """Why it does not hold everywhere; '' if it does."""
        return self.claim.because if self.failing else ""


@attrs.frozen
class CheckFound:
    """A scenario whose expectations are the paper's, and which of them fail."""

    name: str
    expectations: int
    failing: tuple[str, ...]

    @property
    def verdict(self) -> Verdict:
        """Whether all hold."""
        return Verdict.CONTRADICTS if self.failing else Verdict.REPRODUCED

    @property
    def finding(self) -> str:
        """The verdict in a few words."""
        return f"{self.expectations - len(self.failing)} of {self.expectations} expectations hold"


@attrs.frozen
class Found:
    """What came of one experiment."""

    experiment: Experiment
    tables: tuple[TableFound, ...]
    claims: tuple[ClaimFound, ...]
    checks: tuple[CheckFound, ...]
    ran: int
    """Cells that have results."""
    missing: Mapping[str, int]
    """Logs that are not on this machine -> cells that were not run for want of them."""
    failures: tuple[str, ...]
    """Why other cells could not be run."""


def judge_table(experiment: Experiment, table: Published, results: Lookup) -> TableFound:
    """Put a published table beside ours."""
    frame = frame_of(experiment.grids[table.view.grid], table.view, results)
    lines = [_line(table, row, column, value, frame) for (row, column), value in table.values.items()]
    known = [line for line in lines if line.ours is not None]
    judged = tuple(
        attrs.evolve(
            line,
            verdict=verdict_of(
                line.ours is not None,
                line.near,
                _has_pattern(table, line, known),
                _is_bracketed(line),
                table.source.cause,
            ),
        )
        for line in lines
    )
    if not known:
        return TableFound(table, judged, "nothing could be run")
    near = sum(line.near for line in known)
    worst = _worst(table, known)
    if near == len(known):
        # A value can be near by its interval alone; then the worst is more than the band.
        spread = any(not line.near_alone for line in known)
        words = f"within {worst}" + (", the intervals counted" if spread else "")
    else:
        unit = "points" if table.in_points else "%"
        words = (
            f"{near} of {len(known)} within {_scale(table) * table.within:g} {unit}, the worst {worst} off"
        )
    return TableFound(table, judged, words)


def _scale(table: Published) -> float:
    """Correlations count in their own unit, all others in per cent."""
    return 1.0 if table.in_points and table.view.relative_to is None else 100.0


def _worst(table: Published, lines: list[Line]) -> str:
    """How far the farthest value is off: in points if a ratio means nothing, else in per cent."""
    if table.in_points:
        distance = max(abs(line.ours.mean - line.published) for line in lines if line.ours is not None)
        return f"{distance:.2f} points" if _scale(table) == 1.0 else f"{distance:.0f} points"
    ratios = [abs(line.ratio - 1) for line in lines if line.ratio is not None]
    # Rounded up: nothing is within 0.0 %.
    return f"{max(1, ceil(round(1000 * max(ratios, default=0.0), 6))) / 10:.1f} %"


def _ours(frame: Frame, table: Published, row: str, column: str) -> dict[str, Value]:
    """Ours under each stated reading; under '' if there is one reading."""
    if not frame.values:
        return {}
    labels = {table.columns: column, **({} if table.rows is None else {table.rows: row})}
    kept = {*labels, table.readings}
    single = {axis: frame.labels(axis)[0] for axis in frame.axes if axis not in kept and frame.labels(axis)}
    if table.readings is None:
        value = frame.at({**single, **labels})
        return {} if value is None else {"": value}
    found = {
        label: frame.at({**single, **labels, table.readings: label}) for label in frame.labels(table.readings)
    }
    return {label: value for label, value in found.items() if value is not None}


def _shown(table: Published, readings: Mapping[str, Value]) -> str | None:
    """The label of the reading that is judged."""
    return table.reading or next(iter(readings), None)


def _line(table: Published, row: str, column: str, said: Decimal, frame: Frame) -> Line:
    found = _ours(frame, table, row, column)
    ours = found.get("") if table.readings is None else found.get(_shown(table, found) or "")
    readings = {} if table.readings is None else found
    if ours is None:
        return Line(row, column, said, None, False, False, readings)
    published = float(said)
    allowed = _scale(table) * table.within if table.in_points else table.within * abs(published)
    # A wide interval proves nothing: it makes the band at most twice as wide.
    slack = min(ours.half or 0.0, allowed)
    if _scale(table) == 1.0 and table.in_points:
        # A correlation comes with its standard error, by which it is judged.
        slack = max(0.0, (ours.half or 0.0) - allowed)
    off = ours.mean - published
    off = {"at least": max(0.0, -off), "at most": max(0.0, off)}.get(table.bound or "", abs(off))
    return Line(row, column, said, ours, off <= allowed + slack, off <= allowed, readings)


def _has_pattern(table: Published, line: Line, lines: Sequence[Line]) -> bool:
    """Whether a value has the published sign, and the published order beside most of its row.

    A table of one column has the order of its rows. What has nothing beside it has a sign alone.
    """
    if line.ours is None:
        return False
    if table.in_points and line.ours.mean * line.published < 0:
        return False
    beside = [each for each in lines if each.row == line.row and each is not line]
    beside = beside or [each for each in lines if each.column == line.column and each is not line]
    pairs = [
        (line.published < other.published) == (line.ours.mean < other.ours.mean)
        for other in beside
        if other.ours is not None
        and not _tied(line.published, other.published)
        and not _tied(line.ours.mean, other.ours.mean)
    ]
    if not pairs:
        return table.in_points and not _tied(line.published, 0.0)
    return sum(pairs) >= MOSTLY * len(pairs)


def _tied(one: float, other: float) -> bool:
    return abs(one - other) <= TIE * max(abs(one), abs(other))


def _is_bracketed(line: Line) -> bool:
    """Whether the published value lies between the results of two stated readings."""
    values = [value.mean for value in line.readings.values()]
    return len(values) > 1 and min(values) <= line.published <= max(values)


def judge_claim(experiment: Experiment, claim: Claim, results: Lookup) -> ClaimFound:
    """Count in how many cases the values are as a figure shows them."""
    frame = frame_of(experiment.grids[claim.view.grid], claim.view, results)
    each = frame.labels(claim.each) if claim.each is not None and frame.values else ("",)
    held = cases = ties = 0
    failing = list[str]()
    for label in each:
        fixed = {} if claim.each is None else {claim.each: label}
        for good, words in _compared(claim, frame, fixed):
            if good is None:
                ties += 1
                continue
            cases += 1
            held += good
            if not good:
                failing.append(words + (f" at {claim.each} {label}" if claim.each else ""))
    if not cases and not ties:
        return ClaimFound(claim, 0, 0, (), Verdict.NO_DATA, "nothing could be run")
    if not cases:
        return ClaimFound(claim, 0, 0, (), Verdict.PATTERN, f"all {ties} comparisons are within 1 %")
    even = f", {ties} more within 1 %" if ties else ""
    mostly = cases >= FEWEST and held >= MOSTLY * cases
    verdict = verdict_of(True, held >= claim.share * cases, mostly, False, claim.source.cause)
    return ClaimFound(claim, held, cases, tuple(failing), verdict, f"in {held} of {cases} comparisons{even}")


def _compared(claim: Claim, frame: Frame, fixed: Mapping[str, str]) -> Iterator[tuple[bool | None, str]]:
    """Yield for each comparison whether it is as claimed, None for a tie, and what is compared."""
    labels = claim.among or (frame.labels(claim.along) if frame.values else ())
    pairs = list(pairwise(claim.order))
    if claim.least is not None:
        pairs = [(claim.least, label) for label in labels if label != claim.least]
    if claim.greatest is not None:
        pairs = [(label, claim.greatest) for label in labels if label != claim.greatest]
    for less, more in pairs:
        one, other = (_value(frame, claim.along, name, fixed) for name in (less, more))
        if one is not None and other is not None:
            holds = None if _tied(one.mean, other.mean) else one.mean < other.mean
            yield holds, f"{less} {written(one)}, {more} {written(other)}"
    low, high = claim.above, claim.below
    if claim.between:
        ends = [_value(frame, claim.along, label, fixed) for label in claim.between]
        known = sorted(end.mean for end in ends if end is not None)
        if len(known) < len(ends):
            return
        low, high = known
    if low is None and high is None:
        return
    for label in labels:
        value = _value(frame, claim.along, label, fixed)
        if value is not None and label not in claim.between:
            good = (high is None or value.mean < high) and (low is None or value.mean > low)
            yield good, f"{label} {written(value)}"


def _value(frame: Frame, along: str, label: str, fixed: Mapping[str, str]) -> Value | None:
    labels = {**fixed, along: label}
    single = {axis: frame.labels(axis)[0] for axis in frame.axes if axis not in labels and frame.labels(axis)}
    return frame.at({**single, **labels}) if frame.values else None
