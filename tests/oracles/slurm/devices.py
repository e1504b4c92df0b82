"""Generic resources: what a node has, what a job holds of it, what a job asks for (section 8)."""

import re
from collections.abc import Mapping

Devices = Mapping[tuple[str, str], int]
"""(name, type) -> count; the type is empty if there is none."""


def words(text: str) -> list[str]:
    """The words of a list, without what stands in brackets."""
    return [word for word in re.sub(r"\([^)]*\)", "", text).split(",") if word and word != "N/A"]


def counted(text: str) -> Devices:
    """`gpu:a100:4,gpu:h100:1` -> counts."""
    counts: dict[tuple[str, str], int] = {}
    for word in words(text):
        parts = word.removeprefix("gres/").removeprefix("gres:").replace("=", ":").split(":")
        count = int(parts[-1]) if parts[-1].isdigit() else 1
        kind = parts[1] if len(parts) == 3 or (len(parts) == 2 and not parts[1].isdigit()) else ""
        counts[parts[0], kind] = counts.get((parts[0], kind), 0) + count
    return counts


def held_devices(detail: str) -> Devices:
    """What `gpu:a100:2(IDX:0-1)` says that a job holds."""
    return counted(detail)


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
