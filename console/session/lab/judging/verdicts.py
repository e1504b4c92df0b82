"""Verdicts: what a paper says beside what came out here, and what is to be made of it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum

import attrs

from shadowtime.console.session.lab.intervals import Value
from shadowtime.console.session.lab.judging.means import MeansFound
from shadowtime.scenarios.experiment import FOLDER, Claim, Experiment, Published

MOSTLY = 0.75
"""The part of its comparisons that a pattern agrees in."""
FEWEST = 3
"""Comparisons from which a claim that does not hold in all of them can be a pattern."""


class Verdict(StrEnum):
    """What is to be made of one row: a published value, or a claim."""

    REPRODUCED = "reproduced"
    """In the band, the whole interval of ours."""
    PATTERN = "pattern"
    """The order, and the sign."""
    BRACKETED = "bracketed"
    """Between the results of two stated readings."""
    UNDECIDED = "undecided"
    """Our interval reaches into the band and out of it, or the values that are compared are too near."""
    CONTRADICTS = "contradicts"
    """The same data and a closed definition, and outside the band."""
    AGREES = "agrees"
    """In the band, on data that stand in for the paper's."""
    DIFFERS = "differs"
    """Not in the band, on data that stand in for the paper's."""
    NO_DATA = "no data"
    """What is needed is private or lost, or not on this machine; never counted as a failure."""


ON_STAND_INS = (Verdict.AGREES, Verdict.DIFFERS)
"""The verdicts of rows whose data are another log or a model in the place of the paper's."""
WEAKEST_FIRST = (
    Verdict.NO_DATA,
    Verdict.DIFFERS,
    Verdict.CONTRADICTS,
    Verdict.UNDECIDED,
    Verdict.BRACKETED,
    Verdict.PATTERN,
)


def verdict_of(
    near: bool, pattern: bool, bracketed: bool, undecided: bool, *, stand_in: bool = False
) -> Verdict:
    if stand_in:
        return Verdict.AGREES if near else Verdict.DIFFERS
    if near:
        return Verdict.REPRODUCED
    if pattern:
        return Verdict.PATTERN
    if bracketed:
        return Verdict.BRACKETED
    return Verdict.UNDECIDED if undecided else Verdict.CONTRADICTS


def verdict_of_all(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict of a sentence of several values: a pattern if three quarters of them are met.

    Otherwise it is the weakest that one of them has.
    """
    met = sum(each in (Verdict.REPRODUCED, Verdict.AGREES) for each in verdicts)
    if met == len(verdicts):
        return verdicts[0]
    if verdicts[0] not in ON_STAND_INS and len(verdicts) >= FEWEST and met >= MOSTLY * len(verdicts):
        return Verdict.PATTERN
    return next(each for each in WEAKEST_FIRST if each in verdicts)


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
    """Whether ours comes as near as it has to, with its whole interval."""
    undecided: bool
    """Whether only a part of its interval does."""
    chance: float | None = None
    """How often what knows nothing of the paper would come as near (`chance.py`)."""
    readings: Mapping[str, Value] = attrs.field(factory=dict)
    """Ours under each stated reading, if there are several."""
    verdict: Verdict = Verdict.NO_DATA

    @property
    def published(self) -> float:
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
        return counted(self.verdicts) if source.is_judged else source.role

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts of its rows: one for each value, or one for all if they are one sentence."""
        each = tuple(line.verdict for line in self.lines)
        return (verdict_of_all(each),) if self.table.sentence else each

    @property
    def because(self) -> str:
        """Why what does not come near does not; '' if all does, or nothing was run."""
        return self.table.because if any(line.ours and not line.near for line in self.lines) else ""

    @property
    def reading(self) -> str:
        return " ".join(
            filter(None, (self.table.source.reading, f"({shown})" if (shown := self.shown) else ""))
        )

    @property
    def shown(self) -> str | None:
        """The label of the reading that is judged; None if there is one reading."""
        return shown_reading(self.table, self.lines[0].readings if self.lines else {})

    @property
    def against(self) -> str:
        """How ours is put against the published: by their ratio, or by how much ours is off."""
        return "off" if self.table.in_points else "ratio"


@attrs.frozen
class ClaimFound:
    """A claim, and in how many of the cases it holds."""

    claim: Claim
    held: int
    cases: int
    """Comparisons that are decided: neither within 1 %, nor is the difference within its interval."""
    failing: tuple[str, ...]
    """The cases in which it does not hold."""
    verdict: Verdict
    finding: str
    chance: float | None = None
    """How often it would hold by chance (`console/session/lab/judging/chance.py`)."""

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
        return Verdict.CONTRADICTS if self.failing else Verdict.REPRODUCED

    @property
    def finding(self) -> str:
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
    means: tuple[MeansFound, ...] = ()

    @property
    def wanting(self) -> bool:
        """Whether a cell failed, or a study of one's own lacks a log."""
        return bool(self.failures) or bool(self.missing and self.experiment.path.parent != FOLDER)


def shown_reading(table: Published, readings: Mapping[str, Value]) -> str | None:
    return table.reading or next(iter(readings), None)
