"""Generic resources as Slurm writes them: `gpu:a100:4`, `gres/gpu:2`, `gpu:a100:2(IDX:0-1)`, `tmp:350G`."""

import re
from collections.abc import Mapping
from functools import lru_cache

_WORD = re.compile(r"([^,()]+)((?:\([^)]*\))*)")
"""A resource, and what stands behind it in brackets."""
_PREFIX = re.compile(r"gres[/:]")
_COUNT = re.compile(r"(\d{1,9})([KMGTP]?)", re.ASCII | re.IGNORECASE)
_HELD = re.compile(r"\(CNT:(\d{1,15})\)", re.ASCII)
"""How much a job holds of a resource that is counted without single devices."""
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "P": 1 << 50}
_SHARED = "no_consume"
SERVED = 1 << 16
"""Jobs that a resource which no job uses up can serve at once: more than a node runs."""


@lru_cache(maxsize=1024)
def parse_devices(text: str) -> Mapping[tuple[str, str], int]:
    """Return (name, type) -> count; the type is empty if there is none, the count 1."""
    counts: dict[tuple[str, str], int] = {}
    for word, notes in _WORD.findall(text):
        parts = _PREFIX.sub("", word, count=1).replace("=", ":").split(":")
        if parts[0] in ("", "N/A", "(null)", "null"):
            continue
        shared = _SHARED in parts[1:]
        parts = [part for part in parts if part != _SHARED]
        found = _COUNT.fullmatch(parts[-1]) if len(parts) > 1 else None
        kind = parts[1] if len(parts) - (found is not None) > 1 else ""
        count = int(found[1]) * _UNITS[found[2].upper()] if found else 1
        held = _HELD.search(notes)
        key = parts[0], kind
        counts[key] = counts.get(key, 0) + (int(held[1]) if held else count * (SERVED if shared else 1))
    return counts


def format_devices(counts: Mapping[tuple[str, str], int]) -> str:
    """Return devices as a job that holds them shows them: `gpu:a100:2`."""
    return ",".join(":".join(filter(None, (*kind, str(count)))) for kind, count in counts.items())
