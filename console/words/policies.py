"""A policy: its name, its parameters as they are typed, and its status at a moment."""

import json
from collections.abc import Callable, Mapping, Sequence

from shadowtime.console.clock import duration
from shadowtime.console.session import StatusValue, format_duration, policies_table, reconstructions
from shadowtime.console.words.phrases import count, instant, mean, scheduler, score
from shadowtime.console.words.t3d import status as torus_status
from shadowtime.console.words.t3d.status import Fact, Status, whole
from shadowtime.console.words.units import Unit


def policy_name(policy: str, name: str = "") -> str:
    """Return a policy's name, or the one that a scenario or the operator gives it; mark a reconstruction."""
    shown = name or policy
    inside = [] if shown.partition(":")[0] == policy else [policy]
    if policy in reconstructions():
        inside.append("reconstruction")
    return f"{shown} ({', '.join(inside)})" if inside else shown


def in_force(
    began: tuple[str, Mapping[str, object]], name: str, policy: str, parameters: Mapping[str, object]
) -> str:
    """Return the policy in force; if the operator changed it, with the policy at the beginning of the run."""
    if policy == began[0] and all(began[1].get(key) == value for key, value in parameters.items()):
        return policy_name(policy, name)
    chosen = ",".join(f"{key}={value}" for key, value in changed(policy, parameters).items())
    return f"{scheduler(policy)}{':' if chosen else ''}{chosen}, began as {name or began[0]}"


# Parameters


def changed(policy: str, parameters: Mapping[str, object]) -> Mapping[str, str]:
    """Return the parameters that differ from the defaults of a policy, each as it is typed."""
    entry = next((entry for entry in policies_table() if entry.name == policy), None)
    usual = {} if entry is None else {known.name: known.default for known in entry.parameters}
    differ = {key: value for key, value in parameters.items() if key in usual and value != usual[key]}
    return settings(policy, differ)


def spelled(value: object, kind: str = "", *, inside: bool = False) -> str:
    """A value as `--policy` takes it: `1h`, `true`, `["flex", {name = "maui"}]`; `not set` for none."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and kind == "duration":
        return format_duration(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if inside else value
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key} = {spelled(what, inside=True)}' for key, what in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(spelled(what, inside=True) for what in value)}]"
    return f"{value}"


def settings(policy: str, parameters: Mapping[str, object]) -> Mapping[str, str]:
    """The parameters of a policy, each as it is typed."""
    entries = {entry.name: entry for entry in policies_table()}
    known = entries[policy].parameters if policy in entries else ()
    kinds = {parameter.name: parameter.kind for parameter in known}
    return {name: spelled(value, kinds.get(name, "")) for name, value in parameters.items()}


# The status

ROWS = 4
"""Rows of a matrix that are listed job by job."""


def status(values: Status, now: int, nodes: int, unit: Unit) -> list[Fact]:
    """Return the status of a policy at the instant `now`, on a machine of `nodes` nodes, fact by fact.

    Values of an unknown policy keep the names that it gives them.
    """
    facts: list[Fact] = []
    left = dict(values)
    in_force = left.pop("in_force", None)
    if in_force is not None:
        facts.append(("in force", scheduler(str(in_force))))
    inner = left.pop("scheduler", None)
    for keys, sayings in _KINDS:
        if keys <= left.keys():
            facts += sayings(left, now, nodes, unit)
            left = {key: value for key, value in left.items() if key not in _SPENT[keys]}
    facts += [fact for key, value in left.items() for fact in _plain(key.replace("_", " "), value)]
    if isinstance(inner, Mapping) and inner:
        name = str(in_force).partition(":")[0]
        facts += [(f"{name}: {label}", value) for label, value in status(inner, now, nodes, unit)]
    return facts


def _plain(label: str, value: StatusValue) -> list[Fact]:
    """Return the facts for a value of an unknown policy: one, or one for each value of a table."""
    if isinstance(value, Mapping):
        return [
            fact for key, what in value.items() for fact in _plain(f"{label} {key}".replace("_", " "), what)
        ]
    if isinstance(value, tuple):
        return [(label, ", ".join(_number(item) for item in value) or "-")]
    return [(label, _number(value))]


def _number(value: StatusValue) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def _listed(value: StatusValue) -> Sequence[StatusValue]:
    return value if isinstance(value, tuple) else ()


def _ahead(at: StatusValue, now: int, unit: Unit) -> str:
    """Return a future instant, and the time until then."""
    return f"{unit.instant(at)} ({duration(at - now)})" if isinstance(at, int) and at > now else instant(None)


def _dynp(values: Status, now: int, nodes: int, unit: Unit) -> list[Fact]:
    aert, waiting, threshold = values["aert"], whole(values["waiting"]), whole(values["threshold"])
    few = f"; kept below {threshold:,}" if waiting < threshold else ""
    if isinstance(aert, int | float):
        mean_estimate = f"{duration(aert)} of {count(waiting, 'job')}{few}"
    else:
        mean_estimate = "no job waits"
    bounds = f"sjf {format_duration(whole(values['lower']))}, fcfs {format_duration(whole(values['upper']))}"
    return [("AERT", mean_estimate), ("up to", bounds)]


def _ivs(values: Status, now: int, nodes: int, unit: Unit) -> list[Fact]:
    busy, share = whole(values["busy"]), values["utilized"]
    assert isinstance(share, int | float)
    utilized = "yes" if busy >= share * nodes else "no"
    return [
        ("interactive", f"{whole(values['interactive']):,} wait"),
        ("batch", f"{whole(values['batch']):,} wait, delta {whole(values['delta']):,}"),
        ("busy", f"{busy:,} of {unit.sized(nodes)}"),
        ("utilized", f"{utilized}, from {100 * share:.4g} %"),
    ]


def _pbas(values: Status, now: int, nodes: int, unit: Unit) -> list[Fact]:
    metric, names, scores = values["metric"], _listed(values["candidates"]), _listed(values["scores"])
    known = any(value is not None for value in scores)
    last = f"last {format_duration(whole(values['history']))}" if known else "no frame is over yet"
    found = [(str(metric), last)]
    for name, value in zip(names, scores, strict=False):
        reached = value if isinstance(value, int | float) else None
        found.append((scheduler(str(name)), score(str(metric), reached)))
    return [*found, ("next review", _ahead(values["next_review"], now, unit))]


def _wbas(values: Status, now: int, nodes: int, unit: Unit) -> list[Fact]:
    found = []
    for label, key in (("AP last", "recent"), ("AP", "average"), ("this frame", "recent_so_far")):
        value = values.get(key)
        found.append((label, f"{mean(value)} {unit.several}" if isinstance(value, int | float) else "-"))
    names = [scheduler(str(name)) for name in _listed(values["candidates"])]
    found += list(zip(("wide", "narrow"), names, strict=False))
    return [*found, ("next review", _ahead(values["next_review"], now, unit))]


def _checkpoint(values: Status, now: int, nodes: int, unit: Unit) -> list[Fact]:
    when = instant(values["reserve_time"], unit.clock)
    return [("reserve time", when), ("of the head", f"job {values['head']}")]


def _prime(values: Status, now: int, nodes: int, unit: Unit) -> list[Fact]:
    period = "prime" if values["prime"] else "non-prime"
    return [("period", period), ("until", instant(values["boundary"], unit.clock))]


def _gang(values: Status, now: int, nodes: int, unit: Unit) -> list[Fact]:
    """The matrix: the row that has the machine, the time until the switch, and the jobs of each row."""
    current, rows = values["current"], _listed(values["rows"])
    found = [
        ("current row", "none" if current is None else f"{current} of {len(rows):,}"),
        ("next switch", _ahead(values["next_switch"], now, unit)),
        ("switches", f"{whole(values['switches']):,}, every {format_duration(whole(values['quantum']))}"),
    ]
    for number, jobs in enumerate(rows[:ROWS]):
        found.append((f"row {number}", "job " + ", ".join(str(job) for job in _listed(jobs))))
    if len(rows) > ROWS:
        found.append(("more rows", f"{len(rows) - ROWS:,}"))
    return found


Saying = Callable[[Status, int, int, Unit], list[Fact]]

_KINDS: Sequence[tuple[frozenset[str], Saying]] = (
    (frozenset(("aert", "waiting", "threshold", "lower", "upper")), _dynp),
    (frozenset(("interactive", "batch", "delta", "busy", "utilized")), _ivs),
    (frozenset(("metric", "candidates", "scores", "frame", "history", "next_review")), _pbas),
    (frozenset(("average", "recent", "candidates", "next_review")), _wbas),
    (frozenset(("head", "reserve_time")), _checkpoint),
    (frozenset(("prime", "boundary")), _prime),
    (frozenset(("current", "rows", "next_switch", "quantum", "switches")), _gang),
    (frozenset(("table", "until", "reservation", "processors", "wires")), torus_status.t3d),
    (frozenset(("nqs",)), torus_status.nqs),
)
"""The keys of each kind of status, and the function that words it."""
_ALSO = {
    "average": frozenset(("recent_so_far", "maf", "frame")),
    "quantum": frozenset(("utilization_slots", "slot_utilizations")),
    "wires": frozenset(
        ("blocks", "large", "system", "stored", "large_limit", "system_limit", "storage", "relocations")
    ),
}
"""More keys that a kind covers, by one of its keys."""
_SPENT = {keys: keys.union(*(more for key, more in _ALSO.items() if key in keys)) for keys, _ in _KINDS}
"""All keys that each kind covers."""
