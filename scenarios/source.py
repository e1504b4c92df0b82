"""The [workload] of a scenario file: a log or a model, and what is done to it."""

from pathlib import Path

import attrs

from shadowtime.scenarios.errors import LogMissing, ScenarioError
from shadowtime.scenarios.files import Progress
from shadowtime.scenarios.machine import Draft
from shadowtime.scenarios.models.changes import MODEL_KINDS, read_change
from shadowtime.scenarios.models.estimates import KINDS
from shadowtime.scenarios.models.registry import MODEL_KEYS, read_recipe
from shadowtime.scenarios.models.resampling import fed_back
from shadowtime.scenarios.text.table import Table
from shadowtime.scenarios.times import format_time
from shadowtime.scenarios.traces.finding import find_log
from shadowtime.scenarios.traces.months import MONTH_EXPECTED, month_window
from shadowtime.scenarios.traces.recorded import recorded_waits
from shadowtime.scenarios.traces.rows import CANCELLED
from shadowtime.scenarios.traces.swf import Log, Rules, log_nodes, open_log, read_jobs_of
from shadowtime.scenarios.workload import Workload

ARRIVALS = ("open", "closed")
"""What settles submissions: the log or the model, or the end of the job that a job follows."""
FEEDBACK = "feedback"
"""The last, for a log that does not say which job that is: it is the user's."""
_NOBODY_FOLLOWS = (
    "no row of the log names a preceding job; expected open, or feedback",
    "no job of the log follows another of its user (does it have users and wait times?); expected open",
)
_LOG_KEYS = ("log", "month", "from", "until", "overrun", "missing_estimate", "status")


@attrs.frozen
class JobSource:
    """Where the jobs come from: the workload, and the size of its log's machine."""

    workload: Workload
    nodes: int
    log: Path | None = None
    """The log that was found; None for a model."""


def read_source(
    root: Table, draft: Draft | None, beside: Path, traces: Path | None, progress: Progress | None = None
) -> JobSource | None:
    """Return the workload that [workload] describes, or None, with faults.

    Logs are looked for beside the scenario and in `traces`, as `find_log` says.
    """
    table = root.table("workload", "[workload]")
    if table is None:
        return None
    kinds = table.given("log", "model")
    if len(kinds) != 1:
        table.known.extend(("log", "model"))
        if kinds:
            table.document.fault(
                (*table.path, "model"), "the workload has a log too; expected one of them", "key"
            )
        else:
            table.missing("log and no model; expected one of them")
        return None
    if kinds == ["log"]:
        return _read_log(table, draft, beside, traces, progress)
    return _read_model(table, draft)


def _read_log(
    table: Table, draft: Draft | None, beside: Path, traces: Path | None, progress: Progress | None
) -> JobSource | None:
    name = table.text("log", required=True, empty=False)
    change = read_change(table, KINDS)
    month = table.text("month")
    window = table.seconds("from", instant=True), table.seconds("until", instant=True)
    arrivals = table.choice("arrivals", (*ARRIVALS, FEEDBACK))
    rules = Rules(
        overrun=table.choice("overrun", ("kill", "extend")) or "kill",
        missing_estimate=table.choice("missing_estimate", ("runtime", "drop")) or "runtime",
        status=table.choice("status", CANCELLED) or CANCELLED[0],
        closed=arrivals == "closed",
    )
    if arrivals not in (None, "open") and rules.status == "replay":
        table.fault(
            "status",
            "replay does not go with closed arrivals; expected keep or drop",
        )
    table.refuse(MODEL_KEYS, "goes with a model; the workload is a log")
    table.close()
    log = _open(table, name, beside, traces, progress) if name else None
    if log is None:
        return None
    rules = _with_window(table, log, rules, month, window, draft)
    if table.flawed or draft is None:
        return None
    try:
        machine = draft.machine(draft.nodes or log_nodes(log, None))
        workload = read_jobs_of(log, machine.capacity, rules)
        if arrivals == FEEDBACK:
            workload = fed_back(workload, recorded_waits(log, workload))
        workload = change.made(table, workload)
        if workload.after is not None and max(workload.after) < 0:
            table.fault("arrivals", _NOBODY_FOLLOWS[arrivals == FEEDBACK])
        return JobSource(workload, machine.nodes, log.path)
    except ScenarioError as error:
        table.document.faults.extend(error.faults)
        return None


def _open(
    table: Table, name: str, beside: Path, traces: Path | None, progress: Progress | None
) -> Log | None:
    try:
        return open_log(find_log(name, beside, traces), progress)
    except ScenarioError as error:
        for fault in error.faults:
            if fault.file:
                table.document.faults.append(fault)
            else:
                table.document.fault((*table.path, "log"), fault.message)
        table.document.missing_logs += isinstance(error, LogMissing)
        return None


def _with_window(
    table: Table,
    log: Log,
    rules: Rules,
    month: str | None,
    window: tuple[int | None, int | None],
    draft: Draft | None,
) -> Rules:
    """The rules with the instants that month, or from and until, select."""
    first, last = window
    if first is not None and last is not None and last <= first:
        table.fault("until", "expected a time after from")
    elif month is not None and window != (None, None):
        table.fault("month", "expected either month, or from and until")
    elif month is not None:
        epoch = log.epoch or (draft.epoch if draft else None)
        if epoch is None:
            table.fault(
                "month", "the log has no UnixStartTime, so its months are not known; expected from and until"
            )
        elif (found := month_window(epoch, month)) is None:
            table.fault("month", f"expected {MONTH_EXPECTED}")
        else:
            return attrs.evolve(rules, first=found[0], last=found[1], window=month)
    elif window != (None, None):
        period = f"{format_time(first or 0)} to {'the end' if last is None else format_time(last)}"
        rules = attrs.evolve(rules, first=first or 0, window=period)
        return rules if last is None else attrs.evolve(rules, last=last)
    return rules


def _read_model(table: Table, draft: Draft | None) -> JobSource | None:
    recipe, change = read_recipe(table), read_change(table, MODEL_KINDS)
    closed = table.choice("arrivals", ARRIVALS) == "closed"
    table.refuse(_LOG_KEYS, "goes with a log; the workload is a model")
    table.close()
    if draft is not None and draft.nodes is None:
        table.missing("machine to fit; expected [machine] with its nodes, or --nodes")
    if table.flawed or draft is None or draft.nodes is None or recipe is None:
        return None
    machine = draft.machine(draft.nodes)
    generated = recipe.made(table, machine.capacity)
    if generated is None:
        return None
    workload = generated.workload
    if closed and generated.preceding is None:
        table.fault("arrivals", f"{recipe.model} has no jobs that are run again; expected open")
    elif closed:
        workload = attrs.evolve(workload, after=generated.preceding)
    return JobSource(change.made(table, workload), machine.nodes)
