"""The report of a captured cluster as a page."""

from collections.abc import Iterator
from functools import partial

import attrs

from shadowtime.console.clock import duration
from shadowtime.console.session.clock import dated_clock
from shadowtime.console.session.files.exports.swf import our_version
from shadowtime.console.session.report.cluster import ClusterReport
from shadowtime.console.session.slurm.board.facts import PlanRow
from shadowtime.console.session.slurm.board.standing import USERS, standings
from shadowtime.console.widgets.compare.verdict import cells, headings, verdict_lines
from shadowtime.console.widgets.report.machine import pictures, waits_table
from shadowtime.console.widgets.report.parts import (
    Html,
    block,
    facts,
    listed,
    page,
    paragraph,
    section,
    table,
)
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.standing_text import standing_columns
from shadowtime.console.widgets.slurm.why_text import summary_line
from shadowtime.console.words.cluster.capture import summary
from shadowtime.console.words.cluster.likely import odds_words, sentence
from shadowtime.console.words.phrases import per_cent
from shadowtime.console.words.report import cluster as said
from shadowtime.console.words.units import CPUS

MOST = 25
"""Rows of a table."""
SIDES = ("likely off by", "at the limits", "Slurm off by")
"""Of whom the median error is shown."""


def cluster_page(report: ClusterReport, dates: Dates) -> str:
    """Return the page of a report, with instants by a calendar."""
    return page(f"{report.board.cluster}: utilization, queue and forecasts", _sections(report, dates))


def _sections(report: ClusterReport, dates: Dates) -> Iterator[Html]:
    board, clock = report.board, dated_clock(dates.zone)
    unit = attrs.evolve(CPUS, clock=clock)
    yield paragraph(said.nature(board, dates.whole(board.now)))
    yield facts(_facts(report, dates))
    why = [_why(report, dates, 0)] if report.longest else []
    lines = (*said.summary(report, unit), *why, *_outlook(report))
    yield section("Summary", listed((*lines, *map(said.forecast, report.forecasts[-1:])), ordered=True))
    if report.window is None:
        nothing = "The capture has no accounting, so nothing is known of the weeks before it."
        yield section("The last weeks", paragraph(nothing))
    else:
        yield section("The last weeks", *pictures(report.stretches, report.cpus, unit))
    for by, waits in report.waits.items():
        if waits.groups:
            yield section(f"Waits by {by}", waits_table(by, waits.groups, unit))
    over = [
        block(f"{place}. {said.waited(wait)}", *map(paragraph, said.meanwhile(wait, unit)))
        for place, wait in enumerate(report.over, 1)
    ]
    if report.window is not None:
        yield section("The longest waits, and why", *(over or [paragraph("No job had to wait.")]))
    standing = standings(board, USERS)[:MOST]
    columns = [
        column
        for column in standing_columns(board, dates)
        if not column.rank or any(column.text(row) for row in standing)
    ]
    titles = [column.title.lower() or USERS for column in columns]
    texts = [[column.text(row) for column in columns] for row in standing]
    yield section("Who holds and wants what now", table(titles, texts))
    blocks = (
        block(f"{place + 1}. {said.long_wait(row, board.now)}", *map(paragraph, _lines(report, dates, place)))
        for place, row in enumerate(report.longest)
    )
    yield section("Who has waited longest now, and why", *(blocks if report.longest else ()))
    yield section("Forecasts, and what came", *_forecasts(report))
    if report.rival is not None:
        found = report.rival
        users = [cells(row) for row in found.users[:MOST]]
        changes = map(paragraph, verdict_lines(found, clock, decided=()))
        names = table(headings(found.names), users) if users else Html("")
        yield section(f"What {found.names[1]} would do", *changes, names)
    made = paragraph(f"shadowtime {our_version()}", "note")
    yield section("How the figures are meant", listed(said.HOW), made)


def _forecasts(report: ClusterReport) -> Iterator[Html]:
    if not report.forecasts:
        yield paragraph("No earlier forecast of this cluster is known.")
        return
    titles = ("start expected in", "forecasts", "with a start", *SIDES, "between the bounds")
    rows = []
    for found in report.forecasts:
        sides = (found.likely, found.ours_beside, found.slurm_beside)
        held = "" if found.held is None else per_cent(found.held, 0)
        medians = ("" if side.median is None else duration(side.median) for side in sides)
        rows.append((found.name, f"{found.forecasts:,}", f"{found.settled:,}", *medians, held))
    yield table(titles, rows)


def _facts(report: ClusterReport, dates: Dates) -> Iterator[tuple[str, str]]:
    board = report.board
    yield "cluster", summary(board.capture)
    yield "captured", dates.whole(board.now)
    yield "machine", f"{len(board.nodes):,} nodes, {report.cpus:,} CPUs"
    if report.window is not None:
        yield "accounting", f"from {dates.whole(report.window.start)} on"


def _why(report: ClusterReport, dates: Dates, place: int) -> str:
    row = report.longest[place]
    return f"{said.long_wait(row, report.board.now)}. {_plan(report, dates, row)}"


def _plan(report: ClusterReport, dates: Dates, row: PlanRow) -> str:
    """Return why a row starts when it does, as a sentence whose subject is named before."""
    text = summary_line(report.board, row, dates).removeprefix(f"job {row.job}: ")
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def _lines(report: ClusterReport, dates: Dates, place: int) -> Iterator[str]:
    row = report.longest[place]
    yield _plan(report, dates, row)
    odds = report.likely.starts.get(row.job)
    if odds is not None:
        yield sentence(odds, report.likely.record, partial(dates.brief, now=report.board.now))


def _outlook(report: ClusterReport) -> Iterator[str]:
    yield " ".join(f"{text[:1].upper()}{text[1:]}." for text in odds_words(report.likely))
    if report.rival is not None:
        lines = list(verdict_lines(attrs.evolve(report.rival, users=()), dated_clock()))
        yield " ".join(lines[:2])
