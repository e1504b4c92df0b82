"""The report of a log or a scenario as a page."""

from collections.abc import Iterator, Sequence

import attrs

from shadowtime.console import words
from shadowtime.console.clock import HOUR, Clock, duration
from shadowtime.console.session.comparison.verdict import Evidence
from shadowtime.console.session.files.exports.swf import our_version
from shadowtime.console.session.jobs.classes import LARGEST, LENGTHS, LONGEST, SIZES
from shadowtime.console.session.report.machine import MachineReport
from shadowtime.console.session.report.stretches import Stretch
from shadowtime.console.session.report.waits import WaitSummary
from shadowtime.console.session.report.worst import together
from shadowtime.console.widgets.compare.verdict import cells, headings, verdict_lines
from shadowtime.console.widgets.report.parts import (
    Html,
    block,
    facts,
    figure,
    listed,
    page,
    paragraph,
    section,
    table,
)
from shadowtime.console.widgets.report.plot import Curve, ceiling, plot
from shadowtime.console.words.report import machine as said
from shadowtime.console.words.units import Unit

MOST_GROUPS = 25
"""Users, or other groups, that are listed."""
ENTRIES = 10
"""Entries of the longest waits."""
WAITS = ("jobs", "mean", "median", "90 % up to", "longest", "slowdown")


def machine_page(report: MachineReport, clock: Clock) -> str:
    """Return the page of a report, with instants by a clock."""
    unit = words.unit_of(report.case.scenario.machine, clock)
    return page(f"{report.case.scenario.title}: waits and utilization", _sections(report, unit))


def _sections(report: MachineReport, unit: Unit) -> Iterator[Html]:
    yield paragraph(said.nature(report))
    yield facts(_facts(report, unit))
    yield section("Summary", listed((*said.summary(report, unit), *_changed(report, unit)), ordered=True))
    yield section("The machine over time", *pictures(report.stretches, report.case.nodes, unit))
    yield section("Waits by size and runtime", *_classes(report, unit))
    yield section("Waits by user", *_users(report.waits.groups, unit))
    yield section("The longest waits, and why", *_worst(report, unit))
    yield section("Forecasts, and what came", *_forecasts(report))
    yield section(f"What {report.rival.names[1]} would have done", *_rival(report, unit))
    made = paragraph(f"shadowtime {our_version()}", "note")
    yield section("How the figures are meant", listed(said.HOW), made)


def _changed(report: MachineReport, unit: Unit) -> Iterator[str]:
    lines = list(verdict_lines(attrs.evolve(report.rival, users=()), unit.clock))
    yield " ".join(lines[:2])


def _facts(report: MachineReport, unit: Unit) -> Iterator[tuple[str, str]]:
    case, window = report.case, report.window
    yield "file", said.file_of(case)
    yield "policy", said.policy_of(case)
    yield "window", f"{unit.instant(window.start)} to {unit.instant(window.stop - 1)}"
    yield "machine", unit.sized(case.nodes)
    left = report.waits.left
    never = f"; {left:,} of them never start" if left else ""
    jobs = left + (report.waits.all.jobs if report.waits.all else 0)
    yield "jobs", f"{jobs:,} submitted in the window{never}"


def pictures(course: Sequence[Stretch], whole: int, unit: Unit) -> Iterator[Html]:
    """Yield the utilization of `whole` units and the queue over time."""
    edges = [course[0].begin, *(each.end for each in course)]
    length = duration(course[0].end - course[0].begin)
    share = sum(each.busy * (each.end - each.begin) for each in course) / (whole * (edges[-1] - edges[0]))
    mean = f"mean {words.per_cent(share)}"
    caption = f"Utilization: share of the {unit.several} that run jobs, mean of each {length}"
    curve = Curve(edges, [each.busy / whole for each in course], 1.0, True, share, mean)
    yield figure(plot(curve, unit.clock, caption), caption)
    fullest = max(course, key=lambda each: each.longest)
    yield figure(*_queue(course, edges, fullest, length, unit))


def _queue(
    course: Sequence[Stretch], edges: Sequence[int], fullest: Stretch, length: str, unit: Unit
) -> tuple[Html, str]:
    most = fullest.longest
    caption = f"Queue: jobs that wait, mean of each {length}; dashed: the most at once"
    curve = Curve(
        edges,
        [each.queue for each in course],
        ceiling(most),
        False,
        most,
        f"at most {most:,}, {unit.clock.minute(fullest.begin)}",
    )
    return plot(curve, unit.clock, caption), caption


def _figures(waits: WaitSummary) -> tuple[str, ...]:
    """Return the cells of `WAITS`."""
    return (
        f"{waits.jobs:,}",
        *map(duration, (waits.mean, waits.median, waits.late, waits.longest)),
        "-" if waits.slowdown is None else f"{waits.slowdown:,.1f}",
    )


def waits_table(by: str, groups: Sequence[WaitSummary], unit: Unit) -> Html:
    """Return the waits of those who used most, a group a row."""
    rows = [
        (waits.name or "unknown", f"{waits.used / HOUR:,.0f}", *_figures(waits))
        for waits in groups[:MOST_GROUPS]
    ]
    return table((by, f"{unit.one}-hours", *WAITS), rows)


def _classes(report: MachineReport, unit: Unit) -> Iterator[Html]:
    sizes, found = (*(name for _, name in SIZES), LARGEST), report.waits.classes
    met = {length for _, length in found}
    lengths = [length for length in (*(name for _, name in LENGTHS), LONGEST) if length in met]
    yield paragraph("The median wait, in brackets what nine in ten do not exceed, and how many jobs.")
    rows = []
    for size in sizes:
        cells = [found.get((size, length)) for length in lengths]
        if any(cells):
            rows.append((size, *map(_of_class, cells)))
    yield table((unit.several, *(f"runs {length}" for length in lengths)), rows)


def _of_class(waits: WaitSummary | None) -> str:
    return "" if waits is None else f"{duration(waits.median)} ({duration(waits.late)}) · {waits.jobs:,}"


def _users(users: Sequence[WaitSummary], unit: Unit) -> Iterator[Html]:
    yield waits_table("user", users, unit)
    if len(users) > MOST_GROUPS:
        yield paragraph(f"Those who used most of {len(users):,} users.", "note")


def _worst(report: MachineReport, unit: Unit) -> Iterator[Html]:
    if not report.worst:
        yield paragraph("No job had to wait.")
    else:
        yield paragraph(said.ASKED, "note")
    for place, group in enumerate(together(report.worst)[:ENTRIES], 1):
        lines = (*said.why(group[0], unit), said.others(group, unit))
        yield block(f"{place}. {said.long_wait(group[0], unit)}", *map(paragraph, lines))


def _forecasts(report: MachineReport) -> Iterator[Html]:
    if not report.scores:
        yield paragraph("No job waited long enough for a forecast.")
        return
    headings = ("start expected in", "forecasts", "median error", "at the limits", "between the bounds")
    rows = [
        (
            name,
            f"{score.forecasts:,}",
            duration(score.likely_error),
            duration(score.expected_error),
            words.per_cent(score.coverage, 0),
        )
        for name, score in report.scores.items()
    ]
    yield table(headings, rows)


def _rival(report: MachineReport, unit: Unit) -> Iterator[Html]:
    found = report.rival
    for line in verdict_lines(found, unit.clock, report.decided):
        yield paragraph(line)
    head, *others = headings(found.names)
    users = [row for row in found.users if row.user in report.evidence]
    rows = [(cells(row)[0], _judged(report.evidence[row.user]), *cells(row)[1:]) for row in users]
    if rows:
        yield table((head, f"under {found.names[1]}", *others), rows, names=2)
        yield paragraph("The users whose waits change most in all.", "note")


def _judged(evidence: Evidence | None) -> str:
    """Return what the evidence says about the jobs of a user alone."""
    if evidence is None or not evidence.carries:
        return "undecided"
    return "waits longer" if evidence.low > 0 else "waits less"
