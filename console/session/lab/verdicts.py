"""Verdicts: what a paper says beside what came out here, and what is to be made of it."""

from collections.abc import Mapping
from enum import StrEnum

import attrs

from console.session.lab.frames import Frame, Lookup, Value, frame_of
from scenarios.experiment import Claim, Experiment, Published


class Verdict(StrEnum):
    """What is to be made of a table or a claim."""

    REPRODUCES = "reproduces"
    PATTERN = "pattern only"
    DIFFERS = "does not reproduce"
    DRAWN = "drawn: the paper has no numbers for it"
    MISSING = "not run"


@attrs.frozen
class Line:
    """One published value beside ours."""

    row: str
    column: str
    published: float
    ours: Value | None
    near: bool
    """Whether ours, or its interval, comes as near as it has to."""

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
    told: str
    """The verdict in a few words."""


@attrs.frozen
class ClaimFound:
    """A claim, and in how many of the cases it holds."""

    claim: Claim
    held: int
    cases: int
    failing: tuple[str, ...]
    """Where it does not hold."""
    verdict: Verdict
    told: str


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
    def told(self) -> str:
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
        """The worst of those that could be reached; MISSING where there was nothing to judge."""
        order = (Verdict.DIFFERS, Verdict.PATTERN, Verdict.REPRODUCES)
        found = {table.verdict for table in self.tables}
        found |= {claim.verdict for claim in self.claims} | {check.verdict for check in self.checks}
        drawn = bool(self.experiment.plots) and self.ran > 0
        return next((one for one in order if one in found), Verdict.DRAWN if drawn else Verdict.MISSING)


def judge_table(experiment: Experiment, table: Published, results: Lookup) -> TableFound:
    """Put a published table beside ours."""
    frame = frame_of(experiment.grids[table.view.grid], table.view, results)
    lines = tuple(
        _line(table, row, column, float(value), _ours(frame, table, row, column))
        for (row, column), value in table.values.items()
    )
    known = [line for line in lines if line.ours is not None]
    if not known:
        return TableFound(table, lines, Verdict.MISSING, "nothing could be run")
    near = sum(line.near for line in known)
    worst = _worst(table, known)
    if near == len(known):
        return TableFound(table, lines, Verdict.REPRODUCES, f"within {worst}")
    agree, pairs = _ranking(table, known)
    unit = "points" if table.in_points else "%"
    told = f"{near} of {len(known)} within {_scale(table) * table.within:g} {unit}, the worst {worst} off"
    if pairs:
        told += f"; the order of the columns agrees in {agree} of {pairs} pairs"
    pattern = pairs > 2 and agree >= 0.75 * pairs
    return TableFound(table, lines, Verdict.PATTERN if pattern else Verdict.DIFFERS, told)


def _scale(table: Published) -> float:
    """Correlations count in their own unit, all others in per cent."""
    return 1.0 if table.in_points and table.view.relative_to is None else 100.0


def _worst(table: Published, lines: list[Line]) -> str:
    """How far the farthest value is off: in points where a ratio means nothing, else in per cent."""
    if table.in_points:
        distance = max(abs(line.ours.mean - line.published) for line in lines if line.ours is not None)
        return f"{distance:.2f} points" if _scale(table) == 1.0 else f"{distance:.0f} points"
    ratios = [abs(line.ratio - 1) for line in lines if line.ratio is not None]
    return f"{100 * max(ratios, default=0.0):.1f} %"


def _ours(frame: Frame, table: Published, row: str, column: str) -> Value | None:
    labels = {table.columns: column, **({} if table.rows is None else {table.rows: row})}
    single = {axis: frame.labels(axis)[0] for axis in frame.axes if axis not in labels and frame.labels(axis)}
    return frame.at({**single, **labels}) if frame.values else None


def _line(table: Published, row: str, column: str, published: float, ours: Value | None) -> Line:
    if ours is None:
        return Line(row, column, published, None, False)
    allowed = _scale(table) * table.within if table.in_points else table.within * abs(published)
    distance = abs(ours.mean - published) - (ours.half or 0.0)
    return Line(row, column, published, ours, distance <= allowed)


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
    """Count in how many cases the values ascend as a figure shows them."""
    frame = frame_of(experiment.grids[claim.view.grid], claim.view, results)
    each = frame.labels(claim.each) if claim.each is not None and frame.values else ("",)
    held = cases = 0
    failing = list[str]()
    for label in each:
        fixed = {} if claim.each is None else {claim.each: label}
        for low, high in zip(claim.order, claim.order[1:], strict=False):
            one, other = (_value(frame, claim.along, name, fixed) for name in (low, high))
            if one is None or other is None:
                continue
            cases += 1
            if one.mean < other.mean:
                held += 1
            else:
                where = f" at {claim.each} {label}" if claim.each else ""
                failing.append(f"{low} {one.mean:,.4g}, {high} {other.mean:,.4g}{where}")
    if not cases:
        return ClaimFound(claim, 0, 0, (), Verdict.MISSING, "nothing could be run")
    good = held >= claim.share * cases
    verdict = Verdict.REPRODUCES if good else Verdict.DIFFERS
    return ClaimFound(claim, held, cases, tuple(failing), verdict, f"holds in {held} of {cases} comparisons")


def _value(frame: Frame, along: str, label: str, fixed: Mapping[str, str]) -> Value | None:
    labels = {**fixed, along: label}
    single = {axis: frame.labels(axis)[0] for axis in frame.axes if axis not in labels and frame.labels(axis)}
    return frame.at({**single, **labels}) if frame.values else None
