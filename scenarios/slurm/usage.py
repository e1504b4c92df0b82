"""What Slurm itself counts for its limits, as `scontrol show assoc_mgr` shows it: `GrpJobs=45(28)`."""

import re
from collections.abc import Mapping
from pathlib import Path

from shadowtime.scenarios.slurm.documents import read_text

JOBS = "jobs"
Usage = Mapping[tuple[str | int, ...], Mapping[str, int]]
"""Whose count -> how many jobs, CPUs (`cpu`) and generic resources (`gres/gpu`). Whose: (`association`, id),
or of a quality of service (name, empty, empty), (name, `user`, user) or (name, `account`, account)."""
_ASSOCIATION = re.compile(r"ClusterName=.* ID=(\d{1,12})\b.*", re.ASCII)
_QUALITY = re.compile(r"QOS=([^\s(]+).*")
_USER = re.compile(r"UserName=([^\s(]+)\((\d{1,12})\).*", re.ASCII)
_KIND = re.compile(r"(User|Account) Limits")
_COUNT = re.compile(r"(?:GrpJobs|MaxJobsP[UA])=\w+\((\d{1,15})\)", re.ASCII)
_SIZES = re.compile(r"(?<!\S)(?:GrpTRES|MaxTRESP[UA])=(\S*)")
_SIZE = re.compile(r"(cpu|gres/[^=:]+)=\w+\((\d{1,15})\)", re.ASCII)


def read_usage(path: Path) -> Usage:
    """Return what a file of text shows; empty if it shows nothing of that kind."""
    found: dict[tuple[str | int, ...], dict[str, int]] = {}
    names: dict[str, str] = {}
    quality = kind = ""
    scope: tuple[str | int, ...] = ()
    for line in map(str.strip, read_text(path).splitlines()):
        if user := _USER.fullmatch(line):
            # 22.05 shows users of a quality of service by their numbers.
            names[user[2]] = user[1]
        elif association := _ASSOCIATION.fullmatch(line):
            scope = "association", int(association[1])
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
