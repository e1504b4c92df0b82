"""Generic resources as Slurm writes them: `gpu:a100:4`, `gres/gpu:2`, `gpu:a100:2(IDX:0-1)`, `tmp:350G`.

Counts of them are by kind: (name, type), the type empty if there is none.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from shadowtime.scenarios.slurm import Request

Kind = tuple[str, str]
GPU = "gpu"

_WORD = re.compile(r"([^,()]+)((?:\([^)]*\))*)")
"""A resource, and what stands behind it in brackets."""
_PREFIX = re.compile(r"gres[/:]")
_COUNT = re.compile(r"(\d{1,15})([KMGTP]?)", re.ASCII | re.IGNORECASE)
_HELD = re.compile(r"\(CNT:(\d{1,15})\)", re.ASCII)
"""How much a job holds of a resource that is counted without single devices."""
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50}
_SHARED = "no_consume"
SERVED = 1 << 16
"""Jobs that a resource which no job uses up can serve at once: more than a node runs."""


@lru_cache(maxsize=1024)
def parse_devices(text: str, shared: bool = True) -> Mapping[Kind, int]:
    """Return the counts; one that is not written is 1. `shared`: also of what no job uses up."""
    counts: dict[Kind, int] = {}
    for word, notes in _WORD.findall(text):
        parts = _PREFIX.sub("", word, count=1).replace("=", ":").split(":")
        if parts[0] in ("", "N/A", "(null)", "null"):
            continue
        serves_all = _SHARED in parts[1:]
        if serves_all and not shared:
            continue
        parts = [part for part in parts if part != _SHARED]
        found = _COUNT.fullmatch(parts[-1]) if len(parts) > 1 else None
        kind = parts[1] if len(parts) - (found is not None) > 1 else ""
        count = int(found[1]) * _UNITS[found[2].upper()] if found else 1
        held = _HELD.search(notes)
        key = parts[0], kind
        counts[key] = counts.get(key, 0) + (int(held[1]) if held else count * (SERVED if serves_all else 1))
    return counts


def format_devices(counts: Mapping[Kind, int]) -> str:
    """Return devices as a job that holds them shows them: `gpu:a100:2,tmp:350G`."""
    return ",".join(":".join(filter(None, (*kind, amount(count)))) for kind, count in counts.items())


def amount(count: int) -> str:
    """Return a count as Slurm writes it: `350G` for one of bytes that is large and round."""
    unit = next((unit for unit in "PTGM" if count and count % _UNITS[unit] == 0), "")
    return f"{count // _UNITS[unit]}{unit}"


@lru_cache(maxsize=1024)
def count_devices(text: str) -> int:
    """Return how many GPUs a text has, whatever their types."""
    return sum(count for (other, _), count in parse_devices(text).items() if other == GPU)


def added(texts: Iterable[str]) -> Mapping[Kind, int]:
    """Return the sum of several texts, without what no job uses up."""
    counts: Counter[Kind] = Counter()
    for text in filter(None, texts):
        counts.update(parse_devices(text, shared=False))
    return counts


def wanted_devices(request: Request) -> Mapping[Kind, int]:
    """Return what a job asks for in all: by node on its least nodes, otherwise as Slurm counts it."""
    if request.devices_per_node and not request.devices_otherwise:
        by_node = parse_devices(request.devices_per_node, shared=False)
        return {kind: count * request.least_nodes for kind, count in by_node.items()}
    if not request.devices_in_all:
        return {}
    counts = Counter(parse_devices(request.devices_in_all, shared=False))
    for (name, kind), count in list(counts.items()):
        # Slurm counts a device with a type under its name alone, too.
        if kind and (name, "") in counts:
            counts[name, ""] -= count
    return +counts


def kinds_of(text: str) -> str:
    """Return the names of devices, and the names with types: `gpu,gpu:a100`."""
    kinds = parse_devices(text, shared=False)
    names = [name for name, _ in kinds] + [f"{name}:{kind}" for name, kind in kinds if kind]
    return ",".join(dict.fromkeys(names))
