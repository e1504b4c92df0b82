"""What the T3D's scheduler and NQS go by at a moment, fact by fact."""

from collections.abc import Mapping, Sequence

from console.clock import clock
from console.session import StatusValue
from console.words.phrases import base, count

Fact = tuple[str, str]
Status = Mapping[str, StatusValue]


def t3d(told: Status, now: int, nodes: int) -> list[Fact]:
    """The table in force, the reservation, and what the limits, the wires and the storage bear."""
    facts = [
        ("table", f"{told['table']}{_until(told['until'])}"),
        ("reservation", _reservation(told["reservation"])),
        ("system", _of(told, "system", "system_limit")),
        ("large jobs", _of(told, "large", "large_limit")),
    ]
    processors = told["processors"]
    if isinstance(processors, Mapping):
        facts += [(name, f"{value:,} PE") for name, value in processors.items() if value]
    wires = told["wires"]
    jobs = ", ".join(str(jobs) for jobs in wires) if isinstance(wires, Sequence) else "-"
    return [*facts, ("wires", f"{jobs} jobs"), ("stored", _of(told, "stored", "storage"))]


def nqs(told: Status, now: int, nodes: int) -> list[Fact]:
    """The jobs that NQS holds and has released, and until when its limits are in force."""
    front = told["nqs"]
    assert isinstance(front, Mapping)
    facts = [
        ("NQS holds", count(_whole(front["held"]), "job")),
        ("NQS released", count(_whole(front["released"]), "job")),
    ]
    if front["until"] is not None:
        facts.append(("NQS limits", f"the same{_until(front['until'])}"))
    queues = front["queues"]
    if isinstance(queues, Mapping):
        for name, jobs in queues.items():
            if isinstance(jobs, Mapping) and (jobs["held"] or jobs["released"]):
                facts.append((name, f"{jobs['held']} held, {jobs['released']} released"))
    return facts


def _until(at: StatusValue) -> str:
    return f" until {clock(at)}" if isinstance(at, int) else ""


def _of(told: Status, key: str, limit: str) -> str:
    return f"{_whole(told[key]):,} of {_whole(told[limit]):,} PE"


def _reservation(told: StatusValue) -> str:
    if not isinstance(told, Mapping):
        return "nobody's"
    block = f"{told['size']} at {base(_whole(told['base']))}"
    return f"job {told['job']}: {block}, clear at {clock(_whole(told['clear_at']))} or later"


def _whole(value: StatusValue) -> int:
    return int(value) if isinstance(value, int | float) else 0
