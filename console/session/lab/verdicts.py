"""Verdicts: what a paper says beside what came out here, and what is to be made of it."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise
from math import ceil

import attrs

from console.session.lab.frames import Frame, Lookup, frame_of, written
from console.session.lab.intervals import Value
from scenarios.experiment import Claim, Experiment, Published

MOSTLY = 0.75
"""Of three comparisons or more: so many have to agree for a pattern."""


class Verdict(StrEnum):
    """What is to be made of a table or a claim."""

    REPRODUCES = "reproduces"
    PATTERN = "pattern only"
    DIFFERS = "does not reproduce"
    DRAWN = "drawn, to be compared by eye"
    MISSING = "not run"


HOLDS = {
    Verdict.REPRODUCES: "holds",
    Verdict.PATTERN: "mostly holds",
    Verdict.DIFFERS: "does not hold",
}


@attrs.frozen
class Line:
    """One published value beside ours."""

    row: str
    column: str
    said: Decimal
    """The published value as it is written there."""
    ours: Value | None
    near: bool
    """Whether ours comes as near as it has to; half its interval, up to the band itself, counts for it."""
    near_alone: bool
    """Whether it does so without its interval."""

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
    verdict: Verdict
    finding: str
    """The verdict in a few words."""

    @property
    def because(self) -> str:
        """Why what does not come near does not; '' if all does, or nothing was run."""
        return self.table.because if self.verdict in (Verdict.PATTERN, Verdict.DIFFERS) else ""

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
        """The verdict, as one says it of a claim."""
        return HOLDS.get(self.verdict, str(self.verdict))

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
        return Verdict.DIFFERS if self.failing else Verdict.REPRODUCES

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

    @property
    def verdict(self) -> Verdict:
        """The worst of those that could be reached; MISSING if there was nothing to judge.

        If no number of the paper is compared, what holds is a pattern and no more.
        """
        order = (Verdict.DIFFERS, Verdict.PATTERN, Verdict.REPRODUCES)
        found = {table.verdict for table in self.tables}
        found |= {check.verdict for check in self.checks}
        numbers = Verdict.REPRODUCES in found
        found |= {claim.verdict for claim in self.claims}
        if Verdict.REPRODUCES in found and not numbers:
            found.add(Verdict.PATTERN)
        drawn = bool(self.experiment.plots) and self.ran > 0
        return next((one for one in order if one in found), Verdict.DRAWN if drawn else Verdict.MISSING)


def judge_table(experiment: Experiment, table: Published, results: Lookup) -> TableFound:
    """Put a published table beside ours."""
    frame = frame_of(experiment.grids[table.view.grid], table.view, results)
    lines = tuple(
        _line(table, row, column, value, _ours(frame, table, row, column))
        for (row, column), value in table.values.items()
    )
    known = [line for line in lines if line.ours is not None]
    if not known:
        return TableFound(table, lines, Verdict.MISSING, "nothing could be run")
    near = sum(line.near for line in known)
    worst = _worst(table, known)
    if near == len(known):
        # A value can be near by its interval alone; then the worst is more than the band.
        spread = any(not line.near_alone for line in known)
        words = f"within {worst}" + (", the intervals counted" if spread else "")
        return TableFound(table, lines, Verdict.REPRODUCES, words)
    agree, pairs = _ranking(table, known)
    unit = "points" if table.in_points else "%"
    words = f"{near} of {len(known)} within {_scale(table) * table.within:g} {unit}, the worst {worst} off"
    if pairs:
        words += f"; the order of the columns agrees in {agree} of {pairs} pairs"
    pattern = pairs > 2 and agree >= MOSTLY * pairs
    return TableFound(table, lines, Verdict.PATTERN if pattern else Verdict.DIFFERS, words)


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


def _ours(frame: Frame, table: Published, row: str, column: str) -> Value | None:
    labels = {table.columns: column, **({} if table.rows is None else {table.rows: row})}
    single = {axis: frame.labels(axis)[0] for axis in frame.axes if axis not in labels and frame.labels(axis)}
    return frame.at({**single, **labels}) if frame.values else None


def _line(table: Published, row: str, column: str, said: Decimal, ours: Value | None) -> Line:
    if ours is None:
        return Line(row, column, said, None, False, False)
    published = float(said)
    allowed = _scale(table) * table.within if table.in_points else table.within * abs(published)
    # A wide interval proves nothing: it makes the band at most twice as wide.
    slack = min(ours.half or 0.0, allowed)
    off = abs(ours.mean - published)
    return Line(row, column, said, ours, off <= allowed + slack, off <= allowed)


def _ranking(table: Published, lines: list[Line]) -> tuple[int, int]:
    """In how many pairs of columns of a row ours differ in the published direction, of how many."""
    agree = pairs = 0
    for row in dict.fromkeys(line.row for line in lines):
        here = [line for line in lines if line.row == row]
        for place, one in enumerate(here):
            for other in here[place + 1 :]:
                if one.published != other.published and one.ours is not None and other.ours is not None:
                    pairs += 1
                    agree += (one.published < other.published) == (one.ours.mean < other.ours.mean)
    return agree, pairs


def judge_claim(experiment: Experiment, claim: Claim, results: Lookup) -> ClaimFound:
    """Count in how many cases the values are as a figure shows them."""
    frame = frame_of(experiment.grids[claim.view.grid], claim.view, results)
    each = frame.labels(claim.each) if claim.each is not None and frame.values else ("",)
    held = cases = 0
    failing = list[str]()
    for label in each:
        fixed = {} if claim.each is None else {claim.each: label}
        for good, words in _compared(claim, frame, fixed):
            cases += 1
            held += good
            if not good:
                failing.append(words + (f" at {claim.each} {label}" if claim.each else ""))
    if not cases:
        return ClaimFound(claim, 0, 0, (), Verdict.MISSING, "nothing could be run")
    verdict = Verdict.REPRODUCES
    if held < claim.share * cases:
        mostly = cases > 2 and held >= MOSTLY * cases
        verdict = Verdict.PATTERN if mostly else Verdict.DIFFERS
    return ClaimFound(claim, held, cases, tuple(failing), verdict, f"in {held} of {cases} comparisons")


def _compared(claim: Claim, frame: Frame, fixed: Mapping[str, str]) -> Iterator[tuple[bool, str]]:
    """Yield for each comparison whether it is as claimed, and what is compared."""
    labels = claim.among or (frame.labels(claim.along) if frame.values else ())
    pairs = list(pairwise(claim.order))
    if claim.least is not None:
        pairs = [(claim.least, label) for label in labels if label != claim.least]
    if claim.greatest is not None:
        pairs = [(label, claim.greatest) for label in labels if label != claim.greatest]
    for less, more in pairs:
        one, other = (_value(frame, claim.along, name, fixed) for name in (less, more))
        if one is not None and other is not None:
            yield one.mean < other.mean, f"{less} {written(one)}, {more} {written(other)}"
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
