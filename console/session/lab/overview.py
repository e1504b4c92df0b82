"""Overviews of a reproduction: rows by verdict, how near, what is contradicted, what the data forbid."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence

import attrs

from shadowtime.console.session.lab.frames import written
from shadowtime.console.session.lab.judging.data import data_of
from shadowtime.console.session.lab.judging.rows import (
    COUNTED,
    Row,
    by_chance,
    by_paper,
    counts_of_paper,
    headline,
    rows_of,
)
from shadowtime.console.session.lab.judging.verdicts import Found, TableFound, Verdict
from shadowtime.scenarios.experiment import CAUSES, Citation
from shadowtime.scenarios.text.gate import printable

NEAR = (0.5, 0.8, 0.95, 1.05, 1.25, 2.0)
"""The ends of the classes in which ours over the published values are counted."""


@attrs.frozen
class Subject:
    """A table, claim, scenario or absent item, and the rows of it that have one verdict."""

    found: Found
    item: str
    title: str
    rows: str
    """How many rows have the verdict: `2 of 12`, or `1`."""
    finding: str
    because: str
    cause: str
    readings: tuple[str, ...] = ()
    """The lines of ours under each stated reading, or in each comparison that fails."""


def counted_by_paper(found: Sequence[Found]) -> str:
    """Return the rows of all experiments, counted by paper and verdict, as a table under a headline."""
    rows = [row for item in found for row in rows_of(item)]
    lines = [*counts_table(by_paper(rows), sorted_by=str), "", chance_line(rows)]
    return f"{headline(rows)}.\n\n" + "\n".join(lines) + "\n"


def counts_table(
    papers: Mapping[str, Sequence[Row]], sorted_by: Callable[[str], str] | None = None
) -> Iterator[str]:
    """Yield a table: the rows of each paper by verdict, and how many chance would meet."""
    yield table_row(*COUNTED)
    yield "|" + "---|" * len(COUNTED)
    for paper in sorted(papers, key=sorted_by) if sorted_by else papers:
        yield table_row(*counts_of_paper(paper, papers[paper]))


def chance_line(rows: Sequence[Row]) -> str:
    """Return in a sentence what chance would reproduce of the rows that have a stated chance."""
    known, met, expected = by_chance(rows)
    return (
        f"A chance can be stated for {known:,} rows on the papers' data: {met:,} of them are reproduced, "
        f"{expected:,.1f} would be by chance."
    )


def nearness(found: Sequence[Found]) -> str:
    """Return how many values are how near, by paper and data: ours over the published value, in classes."""
    ends = [f"{number:g}" for number in NEAR]
    classes = [f"below {ends[0]}", *(f"to {end}" for end in ends[1:]), f"above {ends[-1]}"]
    counts = dict[tuple[str, str], list[int]]()
    for item in found:
        for table in item.tables:
            if not table.table.source.is_judged or table.table.in_points:
                continue
            data = data_of(item.experiment, table.table.source, table.table.view.grid)
            own = counts.setdefault((item.experiment.publication, data), [0] * len(classes))
            for line in table.lines:
                if line.ratio is not None:
                    own[bisect_left(NEAR, line.ratio)] += 1
    lines = [table_row("paper", "data", *classes), "|---" * (2 + len(classes)) + "|"]
    lines += [table_row(*place, *map(str, own)) for place, own in sorted(counts.items())]
    return "\n".join(lines) + "\n"


def contradicted(found: Sequence[Found]) -> str:
    """Return what is contradicted, a section an item, with every reading that was tried and its figures."""
    items = dict[tuple[str, str], list[Subject]]()
    for subject in _subjects(found, Verdict.CONTRADICTS):
        items.setdefault((subject.found.experiment.publication, subject.item), []).append(subject)
    return "\n".join(line for place, subjects in items.items() for line in _section(*place, subjects))


def _section(paper: str, item: str, subjects: Sequence[Subject]) -> Iterator[str]:
    yield f"### {paper}, {item}"
    yield ""
    for subject in subjects:
        words = f"{subject.rows}, cause: {subject.cause}; {subject.finding}. {subject.because}"
        yield f"- {marked(subject.title)}: {words}".rstrip()
    yield ""
    for subject in subjects:
        yield from subject.readings
    tried = dict.fromkeys(
        f"- tried: {each.reading}: {each.ours}"
        for subject in subjects
        for each in subject.found.experiment.tried
        if each.item == item
    )
    yield from tried
    yield from [""] * bool(tried)


def without_data(found: Sequence[Found]) -> str:
    """Return what the data forbid to compare, a line a table, claim or absent item."""
    lines = list[str]()
    paper = ""
    for subject in _subjects(found, Verdict.NO_DATA):
        if subject.found.experiment.publication != paper:
            paper = subject.found.experiment.publication
            lines += [*[""] * bool(lines), f"### {paper}", ""]
        why = subject.because or f"{subject.finding}."
        lines.append(f"- {subject.item}: {marked(subject.title)} ({subject.rows}). {marked(why)}")
    return "\n".join(lines) + "\n"


def table_row(*cells: str) -> str:
    """Return a row of a table of Markdown; a bar inside a cell becomes a slash."""
    return "| " + " | ".join(marked(cell).replace("|", "/") for cell in cells) + " |"


def _subjects(found: Sequence[Found], verdict: Verdict) -> Iterator[Subject]:
    """Yield what has rows of a verdict, paper by paper."""
    for item in sorted(found, key=lambda each: (each.experiment.publication, each.experiment.name)):
        yield from _of_one(item, verdict)


def _of_one(found: Found, verdict: Verdict) -> Iterator[Subject]:
    def subject(
        source: Citation, title: str, rows: str, finding: str, because: str, readings: tuple[str, ...] = ()
    ) -> Subject:
        cause = CAUSES[0] if verdict is Verdict.NO_DATA else source.cause or CAUSES[-1]
        return Subject(found, source.item, title, rows, finding, because, cause, readings)

    for table in found.tables:
        number = sum(line.verdict is verdict for line in table.lines)
        if number and table.table.source.is_judged:
            rows = f"{number} of {len(table.lines)}"
            title, values = table.table.view.title, tuple(_under_readings(table, verdict))
            yield subject(table.table.source, title, rows, table.finding, table.because, values)
    for claim in found.claims:
        if claim.verdict is verdict and claim.claim.source.is_judged:
            title, source = claim.claim.view.title, claim.claim.source
            failing = tuple(f"- not so: {where}" for where in claim.failing)
            yield subject(source, title, "1", claim.finding, claim.because, (*failing, *[""] * bool(failing)))
    for check in found.checks:
        if check.verdict is verdict:
            source = found.experiment.source
            yield subject(source, f"scenario `{check.name}`", "1", check.finding, "")
    if verdict is Verdict.NO_DATA:
        for absent in found.experiment.absent:
            yield subject(absent.source, absent.title, "1", "", absent.because)


def _under_readings(found: TableFound, verdict: Verdict) -> Iterator[str]:
    """Yield a table: each value of that verdict, published, and ours under every stated reading."""
    lines = [line for line in found.lines if line.verdict is verdict and line.ours is not None]
    labels = list(dict.fromkeys(label for line in lines for label in line.readings)) or [""]
    if not lines:
        return
    yield table_row("value", "published", *(f"ours, {label}" if label else "ours" for label in labels))
    yield "|---" * (2 + len(labels)) + "|"
    for line in lines:
        at = ", ".join(filter(None, (found.table.view.title, line.row, line.column)))
        values = [line.readings.get(label) if label else line.ours for label in labels]
        yield table_row(at, f"{line.said:,}", *map(written, values))
    yield ""


def marked(text: str) -> str:
    return printable(text.replace("\n", " ")).replace("<", "&lt;")
