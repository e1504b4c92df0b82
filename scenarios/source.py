"""The [workload] of a scenario file: a log or a model, and what is done to it."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import attrs

from scenarios import estimates
from scenarios.errors import LogMissing, ScenarioError, one_of
from scenarios.estimates import Estimates, estimated, shrunk
from scenarios.logs import find_log
from scenarios.machine import Draft
from scenarios.months import MONTH_EXPECTED, month_window
from scenarios.swf import Log, Rules, log_nodes, open_log, read_jobs_of
from scenarios.table import Table
from scenarios.times import format_time
from scenarios.workload import Workload

_LOG_KEYS = ("log", "month", "from", "until", "overrun", "missing_estimate")
_MODEL_KEYS = ("model", "kind", "jobs", "load", "seed")
_MODELS = ("lublin99",)
_MOST_STRETCH = 1000


@attrs.frozen
class Source:
    """Where the jobs come from: the workload, and the size of its log's machine."""

    workload: Workload
    nodes: int


def read_source(root: Table, draft: Draft | None, beside: Path, traces: Path | None) -> Source | None:
    """The workload that [workload] describes; None, with faults, where there is none.

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
    return _read_log(table, draft, beside, traces) if kinds == ["log"] else _read_model(table, draft)


def _read_log(table: Table, draft: Draft | None, beside: Path, traces: Path | None) -> Source | None:
    name = table.text("log", required=True, empty=False)
    change = _read_change(table, estimates.KINDS)
    month = table.text("month")
    window = table.seconds("from", instant=True), table.seconds("until", instant=True)
    rules = Rules(
        overrun=table.choice("overrun", ("kill", "extend")) or "kill",
        missing_estimate=table.choice("missing_estimate", ("runtime", "drop")) or "runtime",
    )
    table.refuse(_MODEL_KEYS, "goes with a model; the workload is a log")
    table.close()
    log = _open(table, name, beside, traces) if name else None
    if log is None:
        return None
    rules = _with_window(table, log, rules, month, window, draft)
    if table.flawed or draft is None:
        return None
    try:
        machine = draft.machine(draft.nodes or log_nodes(log, None))
        return Source(_changed(table, read_jobs_of(log, machine.capacity, rules), change), machine.nodes)
    except ScenarioError as error:
        table.document.faults.extend(error.faults)
        return None


def _open(table: Table, name: str, beside: Path, traces: Path | None) -> Log | None:
    try:
        return open_log(find_log(name, beside, traces))
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
        told = f"{format_time(first or 0)} to {'the end' if last is None else format_time(last)}"
        rules = attrs.evolve(rules, first=first or 0, window=told)
        return rules if last is None else attrs.evolve(rules, last=last)
    return rules


def _read_model(table: Table, draft: Draft | None) -> Source | None:
    from scenarios import lublin

    table.choice("model", _MODELS, required=True)
    kind = table.choice("kind", lublin.KINDS) or "typed"
    jobs = table.integer("jobs", 1, lublin.MOST_JOBS, required=True)
    load = table.ratio("load", Decimal("0.001"), 1000)
    seed = table.integer("seed")
    change = _read_change(table, ("exact", "uniform"))
    table.refuse(_LOG_KEYS, "goes with a log; the workload is a model")
    table.close()
    if draft is not None and draft.nodes is None:
        table.missing("machine to fit; expected [machine] with its nodes, or --nodes")
    if table.flawed or draft is None or draft.nodes is None or jobs is None:
        return None
    machine = draft.machine(draft.nodes)
    try:
        workload = lublin.lublin99(
            jobs, machine.capacity, seed=1 if seed is None else seed, kind=kind, load=load
        )
    except ValueError as error:
        table.fault("load", str(error))
        return None
    return Source(_changed(table, workload, change), machine.nodes)


@attrs.frozen
class _Change:
    """What is done to a workload that is read: other estimates, submissions closer together."""

    estimates: Estimates
    shrink: Fraction | None


def _read_change(table: Table, kinds: tuple[str, ...]) -> _Change:
    return _Change(_read_estimates(table, kinds), table.ratio("shrink", Decimal("0.001"), _MOST_STRETCH))


def _read_estimates(root: Table, kinds: tuple[str, ...]) -> Estimates:
    table = root.table("estimates", "estimates")
    if table is None:
        return Estimates()
    kind = table.choice("kind", kinds, required=True)
    uses = {"uniform": ["factor", "seed"], "alpha": ["alpha"]}.get(kind or "", [])
    factor = table.ratio("factor", 1, 1_000_000, required=True) if "factor" in uses else None
    alpha = table.ratio("alpha", 0, 1, required=True) if "alpha" in uses else None
    seed = table.integer("seed") if "seed" in uses else None
    if kind is None:
        # What goes with a kind that is not known is not known either.
        return Estimates()
    others = [key for key in ("factor", "seed", "alpha") if key not in uses]
    table.refuse(others, f"does not go with {kind}" + (f"; {one_of(uses)}" if uses else ""))
    table.close()
    if table.flawed:
        return Estimates()
    return Estimates(
        kind, factor or Fraction(1), 1 if seed is None else seed, Fraction(1) if alpha is None else alpha
    )


def _changed(table: Table, workload: Workload, change: _Change) -> Workload:
    """The workload after what is done to it; as it was, with a fault, where its times would pass all
    bounds.
    """
    try:
        workload = estimated(workload, change.estimates)
        return workload if change.shrink is None else shrunk(workload, change.shrink)
    except ValueError as error:
        table.document.fault(table.path, str(error), "key")
        return workload
