"""`shadowtime run FILE`: the whole simulation without a screen."""

from collections.abc import Iterator, Mapping, Sequence

import click

from shadowtime.console import words
from shadowtime.console.commands.looks import clock_option
from shadowtime.console.commands.options import clock_of, json_option, takes_case
from shadowtime.console.commands.output import (
    progress_bar,
    say,
    say_json,
    say_long_json,
    say_table,
)
from shadowtime.console.commands.slurm.cluster import or_cluster, print_plan
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session import (
    Case,
    SessionError,
    format_duration,
    open_session,
    reconstructions,
)
from shadowtime.console.session.clock import Clock
from shadowtime.console.session.files.writers import refuse_inputs, refuse_twice
from shadowtime.console.session.jobs.looseness import estimate_use
from shadowtime.console.words.measures import listed, meaning, written

LEFT: Mapping[str, str] = {
    "cancelled": "cancelled",
    "struck": "killed by a failure",
    "not_started": "not started",
}
"""The ways in which a job leaves without running to its end, or does not start."""
SHOWN = ("reservations", "out", "partitions")
REFUSALS = 5
"""Refused actions that are listed one by one."""


def _print_cluster(
    reached: Reached, show: str | None, as_json: bool, csv: str | None, force: bool, **others: object
) -> None:
    if show is None:
        others |= {"as_json": as_json}
        if csv is not None:
            raise click.UsageError("--csv writes a list; expected --show with it; forecast writes the plan")
    for name, value in others.items():
        if value:
            option = {"as_json": "json", "with_jobs": "jobs"}.get(name, name)
            raise click.UsageError(f"--{option} is for scenarios; see forecast --help")
    if show is None:
        print_plan(reached)
    elif reached.every is not None:
        raise click.UsageError("--show prints a list once; expected no --follow with it")
    else:
        # Imported late: scenarios have no such lists.
        from shadowtime.console.commands.slurm.lists import print_list

        print_list(reached, show, as_json, csv, force)


@click.command("run")
@or_cluster(_print_cluster)
@takes_case
@json_option
@click.option("--schedule", metavar="OUT.csv", help="Write when each job started and ended.")
@click.option("--events", metavar="OUT.jsonl", help="Write every event with its decisions and their reasons.")
@click.option("--swf", metavar="OUT.swf", help="Write the schedule in the Standard Workload Format.")
@click.option(
    "--batsim", metavar="OUT.csv", help="Write the jobs with their nodes in Batsim's format, for evalys."
)
@click.option(
    "--until",
    metavar="TIME",
    help="Stop after this instant: seconds, 1h30m, 'D HH:MM:SS', or 'YYYY-MM-DD HH:MM' if that is known.",
)
@click.option("--jobs", "with_jobs", is_flag=True, help="With --json: the start, end and nodes of every job.")
@clock_option
@click.option(
    "--show",
    type=click.Choice(SHOWN),
    help="Of a cluster, not the plan: reservations, nodes out of service, or partitions by their wait.",
)
@click.option("--csv", metavar="OUT.csv", help="With --show: write the list to this file, too.")
@click.option("--force", is_flag=True, help="With --csv: write over a file that is there.")
@click.option("--predictions", is_flag=True, help="Predict every job's start at its submission (takes long).")
def command(
    case: Case,
    as_json: bool,
    schedule: str | None,
    events: str | None,
    swf: str | None,
    batsim: str | None,
    until: str | None,
    with_jobs: bool,
    clock: str | None,
    show: str | None,
    csv: str | None,
    force: bool,
    predictions: bool,
) -> None:
    """Simulate FILE to the end and print the metrics.

    FILE can be a captured Slurm cluster, a folder, or the word slurm: then the plan of its next cycle is
    printed, or with --show a list of the cluster.
    """
    for option, given in (("show", show), ("csv", csv), ("force", force)):
        if given:
            raise click.UsageError(f"--{option} is for clusters; see --schedule, --swf and --batsim")
    if with_jobs and not as_json:
        raise click.UsageError("--jobs adds the jobs to the object of --json; expected --json with it")
    refuse_inputs((schedule, events, swf, batsim), (case.scenario.path, case.scenario.log))
    refuse_twice((schedule, events, swf, batsim))
    written = clock_of(case, clock)
    session = open_session(case)
    with progress_bar("Simulating") as on_progress:
        if until is None:
            session.go_end(on_progress)
        else:
            session.go_time(_instant(until, written), on_progress)
    with progress_bar("Predicting") as on_progress:
        outcomes = session.outcomes(predictions, on_progress)
    if schedule is not None or with_jobs:
        with progress_bar("Finding nodes") as on_progress:
            outcomes.locate(on_progress)
    if schedule is not None:
        with progress_bar(f"Writing {schedule}") as on_progress:
            outcomes.save_schedule(schedule, on_progress)
    if events is not None:
        with progress_bar("Writing events") as on_progress:
            session.events_jsonl(events, on_progress)
    for kind, path in (("swf", swf), ("batsim", batsim)):
        if path is not None:
            # Imported late: most runs write no file.
            from shadowtime.console.session.files.exports import Export

            with progress_bar(f"Writing {path}") as on_progress:
                Export(session, kind, path).run(on_progress)
    report, steered = outcomes.report(), outcomes.steered()
    if as_json:
        found = {**report, **({"steered": steered} if steered else {})}
        if with_jobs:
            say_long_json(found, "schedule", outcomes.schedule())
        else:
            say_json(found)
    else:
        _say_report(report, case, outcomes.column("preemptions"), steered, written)


def _instant(text: str, clock: Clock) -> int:
    try:
        return clock.parse(text)
    except ValueError as error:
        raise SessionError(f"--until: {error}") from None


def _steered(case: Case, steered: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Yield the effects of actions and failures, each with its label."""
    if not steered:
        return
    parameters = steered["parameters"]
    assert isinstance(parameters, Mapping)
    if steered["actions"]:
        yield "actions", str(steered["actions"])
    refused = steered["refused"]
    assert isinstance(refused, list)
    for text in refused[:REFUSALS]:
        yield "refused", text
    if len(refused) > REFUSALS:
        yield "refused", f"and {len(refused) - REFUSALS:,} more"
    if (steered["policy"], parameters) != (case.policy, dict(case.parameters)):
        policy = words.in_force((case.policy, case.parameters), case.name, str(steered["policy"]), parameters)
        yield "in force", f"{policy}, at the end"
    left = [f"{steered[key]} {how}" for key, how in LEFT.items() if steered[key]]
    if left:
        yield "of the jobs", ", ".join(left)


def _say_report(
    report: Mapping[str, object],
    case: Case,
    stops: Sequence[int],
    steered: Mapping[str, object],
    clock: Clock,
) -> None:
    """Print a report; `stops` are the preemptions of each job, `steered` the effects of the operator."""
    parameters, dropped, metrics = report["parameters"], report["dropped"], report["metrics"]
    assert isinstance(parameters, Mapping) and isinstance(dropped, Mapping) and isinstance(metrics, Mapping)
    settings = ", ".join(f"{key} = {value}" for key, value in words.settings(case.policy, parameters).items())
    about = [
        text for text in ("reconstruction" if case.policy in reconstructions() else "", settings) if text
    ]
    lines = case.scenario.workload.dropped_lines
    gone = ", ".join(
        f"{count:,} {reason}{words.from_line(lines.get(reason))}"
        for reason, count in dropped.items()
        if count
    )
    nodes, span = report["nodes"], report["span"]
    unit = words.unit_of(case.scenario.machine)
    assert isinstance(nodes, int)
    facts: list[tuple[str, str]] = []
    facts.append(("scenario", str(report["scenario"])))
    facts.append(("policy", case.policy + (f" ({'; '.join(about)})" if about else "")))
    facts.append(("machine", unit.sized(nodes)))
    facts.append(("jobs", f"{report['jobs']:,}" + (f"; dropped: {gone}" if gone else "")))
    use = estimate_use(case.columns)
    if use is not None:
        facts.append(("estimates", f"{words.per_cent(use.share)} used, looseness {use.looseness:.2f}"))
    facts.append(("events", f"{report['events']:,}"))
    facts.append(("span", format_duration(span) if isinstance(span, int) else "-"))
    if clock.dated and isinstance(span, int):
        begun = case.columns.submit[0]
        facts.append(("calendar", f"{clock.format(begun)} to {clock.format(begun + span)}"))
    if any(stops):
        jobs = sum(number > 0 for number in stops)
        facts.append(("preempted", f"{words.count(jobs, 'job')}, {words.count(sum(stops), 'time')} in all"))
    facts += _steered(case, steered)
    facts += [("note", note) for note in case.scenario.workload.notes]
    say_table(("", ""), facts, headed=False)
    say()
    rows = ((name, written(name, metrics[name]), meaning(name, unit)) for name in listed(metrics))
    say_table(("metric", "value", ""), rows, right=(1,), ruled=True)
