"""What the priority of a job is made of, with its neighbours in the queue."""

from collections.abc import Iterator

from shadowtime.console.session.slurm import Factor
from shadowtime.console.session.slurm.board.factors import Standpoint, standpoint
from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.widgets.frame.ink import Line, cell, fact, wrap

INDENT = 10
NAMES = {
    Factor.SITE: "site",
    Factor.AGE: "age",
    Factor.ASSOCIATION: "association",
    Factor.FAIR_SHARE: "fair share",
    Factor.SIZE: "job size",
    Factor.PARTITION: "partition",
    Factor.QUALITY: "QOS",
    Factor.NICE: "nice",
    Factor.TRES: "TRES",
}
UNKNOWN = "the capture does not have its factors (sprio -l)"
HEADINGS = ("FACTOR", "POINTS", "WEIGHT", "RAW")
WIDTHS = (12, 12, 12, 8)


def factor_words(found: Standpoint) -> str:
    """Return the factors in one line: `age 410, job size 31`; empty if they are not known."""
    words = [f"{NAMES[each.factor]} {each.points:,}" for each in found.factors if each.points]
    return "; since the capture ".join(filter(None, (", ".join(words), _grown(found))))


def priority_lines(board: Board, row: PlanRow, width: int) -> Iterator[Line]:
    found = standpoint(board, row)
    place = f", place {row.order} in the queue" if row.order is not None else ", not in the queue"
    title = f"job {row.job} of {row.user} in {row.partition}: priority {row.priority:,}{place}"
    yield from wrap(title, width, "strong")
    if not found.factors:
        yield from wrap(UNKNOWN, width, "dim")
    else:
        yield []
        yield [(_line(HEADINGS), "head")]
        for each in found.factors:
            weight = "" if each.weight is None else f"{each.weight:,}"
            raw = "" if each.raw is None else f"{each.raw:.4f}"
            yield [(_line((NAMES[each.factor], f"{each.points:,}", weight, raw)), "text")]
        if found.grown:
            yield from wrap(f"since the priorities were read: {_grown(found)}", width, "dim")
        yield []
    for label, other in (("above", found.above), ("below", found.below)):
        if other is not None:
            yield from fact(label, _neighbour(row, other), width, INDENT)


def _grown(found: Standpoint) -> str:
    return ", ".join(f"{NAMES[factor]} {by:+,}" for factor, by in found.grown.items())


def _line(cells: tuple[str, str, str, str]) -> str:
    return "".join(
        cell(text, width, right=place > 0)
        for place, (text, width) in enumerate(zip(cells, WIDTHS, strict=True))
    )


def _neighbour(row: PlanRow, other: PlanRow) -> str:
    difference = other.priority - row.priority
    by = f"{abs(difference):,} {'more' if difference > 0 else 'less'}" if difference else "as much"
    return f"job {other.job} of {other.user} in {other.partition}: {other.priority:,}, {by}"
