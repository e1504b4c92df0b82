"""The status of the T3D's scheduler and of NQS at a moment, fact by fact."""

from collections.abc import Mapping, Sequence

from shadowtime.console.session import StatusValue
from shadowtime.console.words.phrases import base, count
from shadowtime.console.words.units import Unit

Fact = tuple[str, str]
"""The label of a fact, in twelve letters or fewer, and the fact."""
Status = Mapping[str, StatusValue]


def t3d(values: Status, now: int, nodes: int, unit: Unit) -> list[Fact]:
    """Return the table in force, the reservation, and the use of the limits, the wires and the storage."""
    facts = [
        ("table", f"{values['table']}{_until(values['until'], unit)}"),
        ("reservation", _reservation(values["reservation"], unit)),
        ("system", _of(values, "system", "system_limit")),
        ("large jobs", _of(values, "large", "large_limit")),
    ]
    processors = values["processors"]
    if isinstance(processors, Mapping):
        facts += [(name, f"{value:,} PE") for name, value in processors.items() if value]
    wires = values["wires"]
    jobs = ", ".join(str(jobs) for jobs in wires) if isinstance(wires, Sequence) else "-"
    facts += [("wires", f"{jobs} jobs"), ("stored", _of(values, "stored", "storage"))]
    moved = whole(values.get("relocations", 0))
    return [*facts, ("relocated", f"{moved:,}")] if moved else facts


def nqs(values: Status, now: int, nodes: int, unit: Unit) -> list[Fact]:
    """Return the jobs that NQS holds and has released, and until when its limits are in force."""
    front = values["nqs"]
    assert isinstance(front, Mapping)
    facts = [
        ("NQS holds", count(whole(front["held"]), "job")),
        ("NQS released", count(whole(front["released"]), "job")),
    ]
    if front["until"] is not None:
        facts.append(("NQS limits", f"the same{_until(front['until'], unit)}"))
    queues = front["queues"]
    if isinstance(queues, Mapping):
        for name, jobs in queues.items():
            if isinstance(jobs, Mapping) and (jobs["held"] or jobs["released"]):
                facts.append((name, f"{jobs['held']} held, {jobs['released']} released"))
    return facts


def _until(at: StatusValue, unit: Unit) -> str:
    return f" until {unit.instant(at)}" if isinstance(at, int) else ""


def _of(values: Status, key: str, limit: str) -> str:
    return f"{whole(values[key]):,} of {whole(values[limit]):,} PE"


def _reservation(value: StatusValue, unit: Unit) -> str:
    if not isinstance(value, Mapping):
        return "none"
    block = f"{value['size']} at {base(whole(value['base']))}"
    return f"job {value['job']}: {block}, clear at {unit.instant(whole(value['clear_at']))} or later"


def whole(value: StatusValue) -> int:
    return int(value) if isinstance(value, int | float) else 0
