"""`shadowtime reproduce`: the papers' tables and figures beside the simulated ones."""

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from shadowtime.console.commands.endings import FAILED_EXPECTATION
from shadowtime.console.commands.options import debug_option, json_option, traces_option
from shadowtime.console.commands.output import say, say_json, say_table
from shadowtime.console.session.files.places import check_writable, make_folder
from shadowtime.console.session.lab.bundle import Bundle, check_bundle, opened, write_bundle
from shadowtime.console.session.lab.frames import written
from shadowtime.console.session.lab.judging.rows import by_paper, headline, rows_of
from shadowtime.console.session.lab.judging.verdicts import Found, TableFound
from shadowtime.console.session.lab.page import fill, pages_of
from shadowtime.console.session.lab.report import as_data, distance, means_cells, not_run
from shadowtime.console.session.lab.reproduce import Experiment, Lab, experiments
from shadowtime.console.session.lab.store import Store, user_cache
from shadowtime.console.session.lab.work import OnProgress
from shadowtime.console.terminal.gate import beneath

MOST_FAILING = 5
"""The most failing cases of a claim that are shown."""


@click.command("reproduce")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@traces_option
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes [default, and at most: one a processor].",
)
@click.option("--dask", metavar="ADDRESS", help="Simulate on the workers of a Dask scheduler.")
@click.option(
    "--report", metavar="FOLDER", help="Write a page of HTML, and all rows and cells, to this folder."
)
@click.option(
    "--results", metavar="FOLDER", help="Keep the results in this folder [default: the user's cache folder]."
)
@click.option("--page", metavar="FILE", help="Write the verdicts into a page and the pages of its folder.")
@click.option("--bundle", metavar="OUT.zip", help="Write files, hashes of logs and results into an archive.")
@click.option("--verify", metavar="BUNDLE.zip", help="Simulate a bundle here, and show what differs.")
@click.option("--list", "listed", is_flag=True, help="List the experiments without simulating them.")
@json_option
@debug_option
def command(
    names: tuple[str, ...],
    traces: str | None,
    jobs: int | None,
    dask: str | None,
    report: str | None,
    results: str | None,
    page: str | None,
    bundle: str | None,
    verify: str | None,
    listed: bool,
    as_json: bool,
) -> None:
    """Simulate the papers' experiments, and print the published figures beside the simulated ones.

    NAME is an experiment, the beginning of several (`fw98`), or an experiment file of your own (`mine.toml`);
    without NAME all are run. Each cell is simulated once, and its result is kept: an interrupted run resumes.
    """
    if verify is not None:
        if names or report or page or bundle or listed:
            raise click.UsageError("--verify goes with --traces, --results, --jobs, --dask and --json alone")
        with opened(verify) as whole:
            lab = Lab(whole.experiments, _store(results), traces, jobs or os.cpu_count() or 1, dask)
            _verify(whole, lab, as_json)
        return
    if dask is not None and jobs is not None:
        raise click.UsageError("--jobs does not go with --dask: its workers simulate")
    chosen = experiments(names)
    if listed:
        _list(chosen)
        return
    # Before the work, which may take long: a file that cannot be written is reported at once.
    if report is not None:
        make_folder(report)
        with tempfile.TemporaryFile(dir=report):
            pass
    if page is not None:
        for each in pages_of(Path(page)):
            each.read_text(encoding="utf-8")
            check_writable(str(each))
    if bundle is not None:
        check_bundle(bundle, chosen)
    lab = Lab(chosen, _store(results), traces, jobs or os.cpu_count() or 1, dask)
    with _bar() as on_progress:
        lab.run(on_progress)
    found = [lab.found(experiment) for experiment in chosen]
    if as_json:
        say_json(as_data(found))
    else:
        for item in found:
            _say(item)
        _say_summary(found)
    if page is not None:
        fill(Path(page), found, whole=not names)
    if report is not None:
        from shadowtime.console.widgets.study.page import PAGE, write_report

        write_report(lab, found, Path(report))
        if not as_json:
            say(f"{Path(report) / PAGE}: written, with rows.csv and {_counted(len(found), 'table')} of cells")
    if bundle is not None:
        write_bundle(lab, found, bundle)
        if not as_json:
            say(f"{bundle}: written; shadowtime reproduce --verify {bundle} checks it")
    if any(item.wanting for item in found):
        click.get_current_context().exit(FAILED_EXPECTATION)


def _store(results: str | None) -> Store:
    return Store(Path(results) if results else user_cache())


def _verify(whole: Bundle, lab: Lab, as_json: bool) -> None:
    """Simulate what a bundle asks for, and print what differs. Exits with 1 if anything does."""
    with _bar() as on_progress:
        lab.run(on_progress)
    found = list(whole.differences(lab))
    names = [experiment.name for experiment in whole.experiments]
    about = {"shadowtime": whole.version, "experiments": names, "logs": whole.logs}
    if as_json:
        say_json({**about, "differences": found})
    else:
        say(f"{', '.join(names)}: the bundle is whole, written by shadowtime {whole.version}")
        for line in found:
            say(f"  differs: {line}")
        same = "all logs, results and rows are the same here"
        say(_counted(len(found), "difference") if found else same)
    if found:
        click.get_current_context().exit(FAILED_EXPECTATION)


@contextmanager
def _bar() -> Iterator[OnProgress]:
    """Yield a function that takes the number of finished cells; a terminal shows a bar with the time left."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    columns = TextColumn("Simulating"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(file=beneath(sys.stderr)), transient=True) as bar:
        task = bar.add_task("cells", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _list(chosen: tuple[Experiment, ...]) -> None:
    rows = ((one.name, one.paper, one.title, ", ".join(one.logs) or "none needed") for one in chosen)
    say_table(("name", "paper", "what it shows", "logs"), rows)


def _say(found: Found) -> None:
    experiment = found.experiment
    say(f"{experiment.name}: {experiment.title}" + (f" ({experiment.paper})" if experiment.paper else ""))
    for log, cells in found.missing.items():
        say(f"  not run: {not_run(log, cells)}")
    for reason in found.failures:
        say(f"  not run: {reason}")
    for difference in experiment.differs:
        say(f"  differs: {difference}")
    for place, table in enumerate(found.tables):
        again = place > 0 and table.because == found.tables[place - 1].because
        _say_published(table, "" if again else table.because)
    for means in found.means:
        say(f"  {means.means.view.title}")
        head, *rows = means_cells(means)
        say_table(head, rows)
        if means.without:
            say(f"    no value: {', '.join(means.without)}")
    for claim in found.claims:
        say(f"  {claim.word}: {claim.claim.view.title}; {claim.finding}")
        for where in claim.failing[:MOST_FAILING]:
            say(f"    not so: {where}")
        if len(claim.failing) > MOST_FAILING:
            say(f"    and {len(claim.failing) - MOST_FAILING} more (--json has all)")
        if claim.because:
            say(f"    {claim.because}")
    for check in found.checks:
        say(f"  {check.verdict}: {check.name}; {check.finding}")
        for line in check.failing:
            say(f"    {line}")
    for absent in experiment.absent:
        say(f"  no data: {absent.title}")
        say(f"    {absent.because}")
    for tried in experiment.tried:
        say(f"  tried for {tried.item}: {tried.reading}: {tried.ours}")
    for plot in experiment.plots:
        say(f"  a plot for --report: {plot.view.title}")
    say()


def _say_published(found: TableFound, because: str) -> None:
    view = found.table.view
    say(f"  {found.word}: {view.title}; {found.finding}")
    if because:
        say(f"    {because}")
    titles = (found.table.rows or "", found.table.columns, "published", "ours", found.against, "")
    rows = []
    for line in found.lines:
        word = str(line.verdict) if found.table.source.is_judged and line.ours and not line.near else ""
        figures = f"{line.said:,}", written(line.ours), distance(found, line)
        rows.append((line.row, line.column, *figures, word))
    say_table(titles, rows, right=range(2, len(titles)))


def _say_summary(found: list[Found]) -> None:
    rows = [row for item in found for row in rows_of(item)]
    papers = by_paper(rows)
    for paper, own in papers.items() if len(papers) > 1 else ():
        say(f"{paper}: {headline(own)}")
    say(", ".join([_counted(len(found), "experiment"), *([headline(rows)] if rows else [])]))
    missing = Counter[str]()
    for item in found:
        missing.update(item.missing)
    for log, cells in sorted(missing.items()):
        say(f"not run: {not_run(log, cells)}")


def _counted(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
