"""Generic resources as Slurm writes them: `gpu:a100:4`, `gres/gpu:2`, `gpu:a100:2(IDX:0-1)`."""

import re
from collections.abc import Mapping
from functools import lru_cache

_NOTE = re.compile(r"\([^)]*\)")
_PREFIX = re.compile(r"gres[/:]")


@lru_cache(maxsize=1024)
def parse_devices(text: str) -> Mapping[tuple[str, str], int]:
    """Return (name, type) -> count; the type is empty if there is none, the count 1."""
    counts: dict[tuple[str, str], int] = {}
    for word in _NOTE.sub("", text).split(","):
        parts = _PREFIX.sub("", word, count=1).replace("=", ":").split(":")
        if parts[0] in ("", "N/A", "(null)"):
            continue
        last = parts[-1]
        count = int(last[:9]) if len(parts) > 1 and last.isascii() and last.isdigit() else None
        kind = parts[1] if len(parts) - (count is not None) > 1 else ""
        key = parts[0], kind
        counts[key] = counts.get(key, 0) + (1 if count is None else count)
    return counts


def format_devices(counts: Mapping[tuple[str, str], int]) -> str:
    """Return devices as a job that holds them shows them: `gpu:a100:2`."""
    return ",".join(":".join(filter(None, (*kind, str(count)))) for kind, count in counts.items())
