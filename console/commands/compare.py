"""`shadowtime compare FILE`: several policies on one workload, side by side."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import chain

import attrs
import click

from shadowtime.console import words
from shadowtime.console.clock import clock as elapsed
from shadowtime.console.commands.looks import clock_option
from shadowtime.console.commands.options import (
    clock_of,
    count_option,
    debug_option,
    file_argument,
    json_option,
    named,
    nodes_option,
    refuse_live,
    refuse_place,
    traces_option,
)
from shadowtime.console.commands.output import (
    BEHIND_FIRST,
    WIDE,
    has_room,
    progress_bar,
    say,
    say_json,
    say_table,
)
from shadowtime.console.commands.slurm.lanes import lanes_of
from shadowtime.console.session import Case, Comparison, compare, load, reconstructions
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.comparison.outcomes import outcomes_lanes
from shadowtime.console.session.comparison.runs import Begins, Changed
from shadowtime.console.session.comparison.verdict import ALL, typed_window, write_users
from shadowtime.console.session.files.writers import refuse_overwriting
from shadowtime.console.widgets.compare import verdict as comparing
from shadowtime.console.words.measures import listed, never_started, written
from shadowtime.console.words.plan import marked_lanes


@click.command("compare")
@file_argument()
@click.argument("policies", metavar="[POLICY]...", nargs=-1)
@click.option(
    "--policy",
    "options",
    metavar="NAME[:KEY=VALUE,...]",
    multiple=True,
    help="A POLICY, as open and run have it, before those without it; several also with commas [default:"
    " the scenario's own and every variant; of a captured Slurm cluster also slurm].",
)
@click.option(
    "--outcomes",
    metavar="FILE",
    multiple=True,
    help="Another simulator's result for the same jobs: jobs.csv of Batsim, a schedule of AccaSim.",
)
@count_option("--changed", 5, "List the N jobs whose wait changes most.")
@count_option("--starts", 0, "List the starts of N jobs that wait under each policy, the first ones first.")
@click.option(
    "--from",
    "since",
    metavar="WHEN",
    help="Measure the jobs submitted from then on: a time, '31 submit'. The whole log is run.",
)
@click.option(
    "--until", metavar="WHEN", help="Measure the jobs submitted until then; +30d is from --from on."
)
@click.option("--user", metavar="NAME", help="Measure the jobs of this user alone.")
@count_option("--users", 5, "List the N users whose waits change most.")
@click.option("--csv", "output", metavar="OUT", help="Write the waits of all users to a new file as CSV.")
@click.option("--force", is_flag=True, help="Overwrite the file of --csv.")
@clock_option
@nodes_option
@traces_option
@json_option
@debug_option
def command(
    file: str,
    policies: tuple[str, ...],
    options: tuple[str, ...],
    outcomes: tuple[str, ...],
    changed: int,
    starts: int,
    since: str | None,
    until: str | None,
    user: str | None,
    users: int,
    output: str | None,
    force: bool,
    clock: str | None,
    nodes: int | None,
    traces: str | None,
    as_json: bool,
) -> None:
    """Run FILE under each POLICY: one table, what changes for whom, and the jobs that change most.

    The table of metrics is that of the whole run. The sentences and the lists are about the measured jobs:
    all, or those of --from, --until and --user.
    """
    refuse_live("compare", file)
    refuse_overwriting([output], force)
    with progress_bar(f"Reading {file}") as on_progress:
        case = named(load(file, nodes=nodes, traces=traces, progress=on_progress))
    refuse_place(file, case)
    written = clock_of(case, clock)
    window = typed_window(case, since, until, user, written)
    lanes = [*lanes_of(file, case, (*options, *policies)), *outcomes_lanes(outcomes, case)]
    with progress_bar("Comparing") as on_progress:
        comparison = compare(lanes, on_progress, changed, case, starts, window)
    found = comparison.verdict
    assert found is not None
    if output is not None:
        write_users(found, output, force)
    names = case.columns.called
    if as_json:
        jobs = [
            {
                "job": names.get(job.job, job.job),
                "size": job.size,
                "submit": job.submit,
                "waits": list(job.waits),
            }
            for job in comparison.changed
        ]
        outside = _outside(case)
        steered = {"steered": outside} if any(outside.values()) else {}
        compared: dict[str, object] = {"policies": _by_name(comparison), "changed": jobs}
        compared["verdict"] = found.as_dict()
        if starts:
            compared["starts"] = [
                attrs.asdict(job) | {"job": names.get(job.job, job.job)} for job in comparison.begins
            ]
        say_json({"scenario": case.scenario.title, **compared, **steered})
    else:
        say(case.scenario.title)
        _say_outside(case)
        say()
        if window != ALL:
            say("The whole run, all jobs:")
        _say_metrics(comparison)
        for left in never_started(comparison.names, comparison.reports):
            say(left)
        for marked in marked_lanes(comparison.names, comparison.reports):
            say(marked)
        if len(comparison.names) > 1:
            say()
            for line in comparing.verdict_lines(found, written):
                say(line)
        if found.users[:users] and window.user is None:
            say()
            say("For whom it changes most, mean and median wait:")
            titles, cells = comparing.headings(found.names), [*map(comparing.cells, found.users[:users])]
            right: Container[int] = BEHIND_FIRST
            if not has_room(titles, cells):
                lanes_of_users = (comparing.by_lane(found.names, row) for row in found.users[:users])
                titles, cells = comparing.BY_LANE, [*chain.from_iterable(lanes_of_users)]
                right = (1, 3, 4, 5, 6)
            say_table(titles, cells, right=right, ruled=True)
        if comparison.changed:
            say()
            say("Whose wait changes most:")
            waits = [(job, [elapsed(wait) for wait in job.waits]) for job in comparison.changed]
            _say_jobs(waits, comparison.names, written, names)
        if comparison.begins:
            say()
            say("When they start:")
            starts_of = [
                (job, ["never" if start is None else written.format(start) for start in job.starts])
                for job in comparison.begins
            ]
            _say_jobs(starts_of, comparison.names, written, names)


def _outside(case: Case) -> Mapping[str, Mapping[str, int]]:
    """Count the actions and the outages of the scenario by kind."""
    scenario = case.scenario
    ways = ("kill" if outage.kill else "drain" for outage in scenario.outages)
    return {"actions": Counter(action.do for action in scenario.actions), "outages": Counter(ways)}


def _say_outside(case: Case) -> None:
    """Print in one line the actions and outages of the scenario, if there are any."""
    parts = [
        f"{words.count(sum(kinds.values()), what.removesuffix('s'))}"
        f" ({', '.join(f'{number} {kind}' for kind, number in kinds.items())})"
        for what, kinds in _outside(case).items()
        if kinds
    ]
    if parts:
        refused = "; a policy refuses the actions that it does not offer" if case.scenario.actions else ""
        say(f"In force under every policy: {' and '.join(parts)} of the scenario{refused}.")


def _by_name(comparison: Comparison) -> list[dict[str, object]]:
    pairs = zip(comparison.names, comparison.reports, strict=True)
    return [{"name": name, **report} for name, report in pairs]


def _say_jobs(
    jobs: Iterable[tuple[Changed | Begins, Sequence[str]]],
    lanes: Sequence[str],
    clock: Clock,
    names: Mapping[int, str],
) -> None:
    rows = [
        (str(names.get(job.job, job.job)), f"{job.size:,}", clock.format(job.submit), *cells)
        for job, cells in jobs
    ]
    say_table(("job", "size", "submitted", *lanes), rows, right=range(WIDE), ruled=True)


def _say_metrics(comparison: Comparison) -> None:
    shown = listed(
        *(metrics for report in comparison.reports if isinstance(metrics := report["metrics"], dict))
    )
    titles = [
        name + (" (reconstruction)" if report["policy"] in reconstructions() else "")
        for name, report in zip(comparison.names, comparison.reports, strict=True)
    ]
    rows = [
        (metric, *(written(metric, value) for value in values))
        for metric, values in comparison.rows()
        if metric in shown
    ]
    say_table(("metric", *titles), rows, right=BEHIND_FIRST, ruled=True)
