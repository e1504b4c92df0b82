"""Qualities of service (`sacctmgr show qos --json`) and associations (`scontrol show assoc_mgr`).

The text of the latter has the qualities of service, too.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

from shadowtime.scenarios.slurm.documents import read_text
from shadowtime.scenarios.slurm.errors import broken
from shadowtime.scenarios.slurm.fields import Record
from shadowtime.scenarios.slurm.partitions import preempt_mode
from shadowtime.scenarios.slurm.records import Association, Quality

MOST_PER_USER = "max.tres.per.user"
NO_LIMITS = "factor", "grace_time"
"""What stands among the limits and bounds nothing; 23.02 writes it as it writes a limit."""
_ASSOCIATION = re.compile(
    r"ClusterName=\S* Account=(\S*) UserName=([^\s(]*)\S* Partition=(\S*) .*\bID=(\d{1,12})\b.*", re.ASCII
)
_SHARES = re.compile(r"SharesRaw\S*=(\d{1,12}|parent)\b", re.ASCII)
_LIMIT = re.compile(r"(Grp\w+|Max\w+)=(\S*)")
_QUALITY = re.compile(r"QOS=([^\s(]+)(?:\(\d{1,12}\))?\s*", re.ASCII)
_PRIORITY = re.compile(r"(?<!\S)Priority=(\d{1,12})(?!\S)", re.ASCII)
_OF_USERS = "MaxTRESPU"
_SET = re.compile(r"(?:[\w/]+=)?\d")


def read_quality(record: Record) -> Quality:
    """Return a quality of service."""
    record.require(["name", "limits", "priority"])
    limits = record.record("limits")
    per_user = limits.record("max").record("tres").record("per").records("user")
    return Quality(
        name=record.text("name"),
        priority=record.number("priority"),
        preempts=record.record("preempt").words("list"),
        most_per_user={_resource(entry): entry.number("count") for entry in per_user},
        other_limits=tuple(path for path in _limits_set(limits.values, "") if path != MOST_PER_USER),
        grace=limits.number("grace_time"),
        preempt_mode=_own_mode(record.record("preempt").words("mode")),
        flags=frozenset(word.upper() for word in record.words("flags")),
    )


def _own_mode(words: Iterable[str]) -> str:
    """The mode of a quality of service; DISABLED says that it has none of its own."""
    return preempt_mode(word for word in words if word != "DISABLED")


def _resource(entry: Record) -> str:
    name = entry.text("name")
    return entry.text("type") + (f"/{name}" if name else "")


def _limits_set(values: object, path: str, depth: int = 0) -> Iterator[str]:
    """The paths of the limits that bound something."""
    if isinstance(values, list) or (isinstance(values, dict) and "infinite" in values):
        listed = bool(values) if isinstance(values, list) else values.get("set") is True
        if listed and not path.startswith(NO_LIMITS):
            yield path
    elif isinstance(values, dict) and depth < 8:
        for key, value in values.items():
            yield from _limits_set(value, f"{path}.{key}" if path else str(key), depth + 1)


def read_associations(path: Path) -> Iterator[Association]:
    """Yield the associations of a file of text."""
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
        limits = {name: ",".join(words) for name, value in _LIMIT.findall(block) if (words := _bounds(value))}
        count = int(shares[1]) if shares and shares[1] != "parent" else 0
        yield Association(int(found[4]), found[1], found[2], found[3], count, limits)


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
        bounds = {name: words for name, value in _LIMIT.findall(block) if (words := _bounds(value))}
        priority = _PRIORITY.search(block)
        yield Quality(
            name=found[1],
            priority=int(priority[1]) if priority else 0,
            preempts=(),
            most_per_user={
                name: int(count) for name, _, count in map(_parted, bounds.pop(_OF_USERS, ())) if count
            },
            other_limits=tuple(bounds),
        )


def _parted(word: str) -> tuple[str, str, str]:
    """A resource and its bound: `node=24`; nothing is matched without a number of a sane length."""
    name, equals, count = word.partition("=")
    return name, equals, count if count.isascii() and count.isdigit() and len(count) <= 12 else ""


def _indented(lines: list[str]) -> str:
    """The lines that belong to the record above them."""
    kept = []
    for line in lines:
        if not line.startswith(" "):
            break
        kept.append(line.strip())
    return " ".join(kept)


def _bounds(value: str) -> list[str]:
    """The words of a limit that bound something: `node=24(2)` does, `cpu=N(0)` does not."""
    return [word.partition("(")[0] for word in value.split(",") if _SET.match(word)]
