"""Qualities of service (`sacctmgr show qos --json`) and associations (`scontrol show assoc_mgr`).

The text of the latter has the qualities of service, too.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from shadowtime.scenarios.slurm.documents import read_text
from shadowtime.scenarios.slurm.errors import broken
from shadowtime.scenarios.slurm.fields import Record
from shadowtime.scenarios.slurm.partitions import preempt_mode
from shadowtime.scenarios.slurm.records import Association, Limits, Quality, Used

NAMES = {
    "max.active_jobs.count": "GrpJobs",
    "max.jobs.active_jobs.per.account": "MaxJobsPA",
    "max.jobs.active_jobs.per.user": "MaxJobsPU",
    "max.tres.total": "GrpTRES",
    "max.tres.minutes.per.qos": "GrpTRESRunMins",
    "max.tres.minutes.per.account": "MaxTRESRunMinsPA",
    "max.tres.minutes.per.job": "MaxTRESMinsPJ",
    "max.tres.minutes.per.user": "MaxTRESRunMinsPU",
    "max.tres.minutes.total": "GrpTRESMins",
    "max.wall_clock.per.qos": "GrpWall",
    "max.tres.per.account": "MaxTRESPA",
    "max.tres.per.job": "MaxTRESPJ",
    "max.tres.per.node": "MaxTRESPN",
    "max.tres.per.user": "MaxTRESPU",
    "max.wall_clock.per.job": "MaxWallPJ",
    "min.tres.per.job": "MinTRESPJ",
}
"""The path of a limit in the JSON of a quality of service -> its name in the text."""
NO_LIMITS = "factor", "grace_time", "max.jobs.count", "max.jobs.per"
"""What stands among the limits and bounds no job that waits; 23.02 writes a factor as it writes a limit."""
_SUBMITTED = re.compile(r"(?:Grp|Max)SubmitJobs\w*")
_ASSOCIATION = re.compile(
    r"ClusterName=\S* Account=(\S*) UserName=([^\s(]*)\S* Partition=(\S*) .*\bID=(\d{1,12})\b.*", re.ASCII
)
_PARENT = re.compile(r"ParentAccount=([^\s(]*)")
_SHARES = re.compile(r"SharesRaw\S*=(\d{1,12}|parent)\b", re.ASCII)
_USAGE = re.compile(r"UsageRaw\S*=(\d{1,18}(?:\.\d{1,9})?)(?=/)", re.ASCII)
_LIMIT = re.compile(r"((?:Grp|Max|Min)\w+)=(\S*)")
_QUALITY = re.compile(r"QOS=([^\s(]+)(?:\(\d{1,12}\))?\s*", re.ASCII)
_PRIORITY = re.compile(r"(?<!\S)Priority=(\d{1,12})(?!\S)", re.ASCII)
_BEHIND = re.compile(r"(?:([\w/:]+)=)?\d{1,12}\((\d{1,15}(?:\.\d{1,9})?)\)", re.ASCII)
PAST = frozenset(("GrpTRESMins", "GrpWall"))
"""Limits on what has been used before."""
_SET = re.compile(r"(?:([\w/:]+)=)?(\d{1,12})\b.*", re.ASCII)
JOBS = "jobs"
Usage = Mapping[tuple[str | int, ...], Mapping[str, int]]
"""Whose count -> how many jobs, CPUs (`cpu`) and generic resources (`gres/gpu`). Whose: (`association`, id),
or of a quality of service (name, empty, empty), (name, `user`, user) or (name, `account`, account)."""
_USER = re.compile(r"UserName=([^\s(]+)\((\d{1,12})\).*", re.ASCII)
_KIND = re.compile(r"(User|Account) Limits")
_COUNT = re.compile(r"(?:GrpJobs|MaxJobsP[UA])=\w+\((\d{1,15})\)", re.ASCII)
_SIZES = re.compile(r"(?<!\S)(?:GrpTRES|MaxTRESP[UA])=(\S*)")
_SIZE = re.compile(r"(cpu|gres/[^=:]+)=\w+\((\d{1,15})\)", re.ASCII)


def read_quality(record: Record) -> Quality:
    record.require(["name", "limits", "priority"])
    limits = record.record("limits")
    return Quality(
        name=record.text("name"),
        priority=record.number("priority"),
        preempts=record.record("preempt").words("list"),
        limits=dict(_limits(limits, "")),
        grace=limits.number("grace_time"),
        preempt_mode=_own_mode(record.record("preempt").words("mode")),
        flags=frozenset(word.upper() for word in record.words("flags")),
        usage_factor=record.decimal("usage_factor", 1.0),
    )


def _own_mode(words: Iterable[str]) -> str:
    """The mode of a quality of service; DISABLED says that it has none of its own."""
    return preempt_mode(word for word in words if word != "DISABLED")


def _limits(record: Record, path: str, depth: int = 0) -> Iterator[tuple[tuple[str, str], int]]:
    """The limits that are set in a part of the limits of a quality of service."""
    for key, value in record.values.items():
        here = f"{path}.{key}" if path else str(key)
        if here.startswith(NO_LIMITS):
            continue
        name = NAMES.get(here, here)
        if isinstance(value, list):
            for entry in record.records(key):
                yield (name, _resource(entry)), entry.number("count")
        elif isinstance(value, dict) and "infinite" in value:
            if value.get("set") is True:
                yield (name, ""), record.number(key)
        elif isinstance(value, dict) and depth < 8:
            yield from _limits(record.record(key), here, depth + 1)


def _resource(entry: Record) -> str:
    name = entry.text("name")
    return entry.text("type") + (f"/{name}" if name else "")


def read_associations(path: Path) -> Iterator[Association]:
    lines = read_text(path).splitlines()
    if not any(line.startswith("Association Records") for line in lines):
        raise broken(path, "has no association records; expected the output of `scontrol show assoc_mgr`")
    begins = [number for number, line in enumerate(lines) if line.startswith("ClusterName=")]
    for begin, end in pairwise([*begins, len(lines)]):
        found = _ASSOCIATION.fullmatch(lines[begin])
        if found is None:
            raise broken(path, "is no association; expected account, user, partition and ID", "", begin + 1)
        block = _indented(lines[begin + 1 : end])
        shares = _SHARES.search(block)
        parent = _PARENT.search(block)
        usage = _USAGE.search(block)
        yield Association(
            id=int(found[4]),
            account=found[1],
            user=found[2],
            partition=found[3],
            shares=None if shares and shares[1] == "parent" else int(shares[1]) if shares else 0,
            limits=_written(block),
            parent=parent[1] if parent else "",
            usage=float(usage[1]) if usage else None,
            used=_used(block),
        )


def read_qualities(path: Path) -> Iterator[Quality]:
    """Yield the qualities of service of a file of text: for a cluster whose `sacctmgr` writes no JSON.

    The text has the limits on users with what each of them uses: a user without a job has no such line.
    It does not say which quality preempts which.
    """
    lines = read_text(path).splitlines()
    begins = [number for number, line in enumerate(lines) if _QUALITY.fullmatch(line)]
    for begin, end in pairwise([*begins, len(lines)]):
        found = _QUALITY.fullmatch(lines[begin])
        assert found is not None
        block = _indented(lines[begin + 1 : end])
        priority = _PRIORITY.search(block)
        limits, used = _written(block), _used(block)
        yield Quality(found[1], int(priority[1]) if priority else 0, (), limits, used=used)


def read_usage(path: Path) -> Usage:
    """Return what Slurm itself counts for its limits, by a file of text: `GrpJobs=45(28)`."""
    found: dict[tuple[str | int, ...], dict[str, int]] = {}
    names: dict[str, str] = {}
    quality = kind = ""
    scope: tuple[str | int, ...] = ()
    for line in map(str.strip, read_text(path).splitlines()):
        if user := _USER.fullmatch(line):
            # 22.05 shows users of a quality of service by their numbers.
            names[user[2]] = user[1]
        elif association := _ASSOCIATION.fullmatch(line):
            scope = "association", int(association[4])
        elif service := _QUALITY.fullmatch(line):
            quality, kind, scope = service[1], "", (service[1], "", "")
        elif group := _KIND.fullmatch(line):
            kind = group[1].lower()
        elif kind and line and "=" not in line:
            name = line.partition("(")[0]
            scope = quality, kind, names.get(name, name) if kind == "user" else name
        elif scope:
            counts = found.setdefault(scope, {})
            if count := _COUNT.search(line):
                counts[JOBS] = int(count[1])
            for sizes in _SIZES.findall(line):
                counts.update((name, int(number)) for name, number in _SIZE.findall(sizes))
    return found


def _indented(lines: list[str]) -> str:
    """The lines that belong to the record above them."""
    kept = []
    for line in lines:
        if not line.startswith(" "):
            break
        kept.append(line.strip())
    return " ".join(kept)


def _used(block: str) -> Used:
    """What has been used of the limits on that: `cpu=60(45)` has 45 minutes behind it, `15(14.39)` 14.39."""
    return {
        (name, found[1] or ""): float(found[2])
        for name, value in _LIMIT.findall(block)
        if name in PAST
        for word in value.split(",")
        if (found := _BEHIND.fullmatch(word))
    }


def _written(block: str) -> Limits:
    """The limits of a record that bound something: `node=24(2)` does, `cpu=N(0)` does not."""
    return {
        (name, found[1] or ""): int(found[2])
        for name, value in _LIMIT.findall(block)
        if not _SUBMITTED.fullmatch(name)
        for word in value.split(",")
        if (found := _SET.fullmatch(word))
    }
