"""Generic resources: what a node has, what a job holds of it, what a job asks for (section 8)."""

import re
from collections.abc import Mapping

Devices = Mapping[tuple[str, str], int]
"""(name, type) -> count; the type is empty if there is none."""


UNITS = {"K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4, "P": 1024**5}
JOBS = 65536
"""More jobs than a node runs."""


def amount(text: str) -> int | None:
    """`2` or `350G` -> a number; None for a type."""
    digits, unit = (text[:-1], text[-1]) if text[-1:].upper() in UNITS else (text, "")
    return int(digits) * UNITS.get(unit.upper(), 1) if digits.isdigit() else None


def counted(text: str) -> Devices:
    """`gpu:a100:4,gpu:h100:1` -> counts; of `tmp:no_consume:4G` any number of jobs may have 4 G each."""
    counts: dict[tuple[str, str], int] = {}
    for word in re.sub(r"\([^)]*\)", "", text).split(","):
        if not word or word == "N/A":
            continue
        parts = word.removeprefix("gres/").removeprefix("gres:").replace("=", ":").split(":")
        often = JOBS if "no_consume" in parts else 1
        name, *rest = [part for part in parts if part != "no_consume"]
        count = amount(rest[-1]) if rest else None
        kind = "" if not rest or (count is not None and len(rest) == 1) else rest[0]
        counts[name, kind] = counts.get((name, kind), 0) + (1 if count is None else count) * often
    return counts


def held_devices(detail: str) -> Devices:
    """What `gpu:a100:2(IDX:0-1),tmp(CNT:500)` says that a job holds."""
    return counted(re.sub(r"\(CNT:(\d+)\)", r":\1", detail))


def free_devices(here: Devices, held: list[Devices]) -> dict[tuple[str, str], int]:
    """What is free of a node's devices."""
    free = dict(here)
    for devices in held:
        for kind, count in devices.items():
            free[kind] = free.get(kind, 0) - count
    return free


def enough_devices(free: Devices, wanted: Devices) -> bool:
    """Whether every wish is met; one without a type takes any."""
    for (name, kind), count in wanted.items():
        there = sum(
            have for (other, its), have in free.items() if other == name and (not kind or its == kind)
        )
        if there < count:
            return False
    return True


def pick_devices(free: Devices, wanted: Devices) -> Devices:
    """The devices that a started job takes: of its type, or of the first types that have some."""
    taken: dict[tuple[str, str], int] = {}
    for (name, kind), count in wanted.items():
        left = count
        for (other, its), have in free.items():
            if other == name and (not kind or its == kind) and left > 0 and have > 0:
                part = min(have, left)
                taken[other, its] = taken.get((other, its), 0) + part
                left -= part
    return taken
