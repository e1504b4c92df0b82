"""The choices beside the right answer: wrong ones of the same instant, near enough to be thought over.

Each carries the misconception that it stands for.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shadowtime.console.session.training.facts import Choices, Mistaken, Value

MOST = 4
"""Choices at most: one is right."""
STATES = "NRWOSioHF"
"""The states that are offered, the usual ones first."""


def first(*why: tuple[bool, str]) -> str:
    """Return the misconception of the first condition that holds; empty if nothing is certainly false."""
    return next((code for holds, code in why if holds), "")


def among(
    right: Sequence[Value],
    wrong: Mapping[Any, Mistaken],
    nobody: Mistaken | None = None,
    rank: Callable[[Any], Any] | None = None,
) -> Choices:
    """The first right answer with the first of the wrong ones, as many as there is room for.

    `nobody` is what is wrong with nobody, which is offered then unless it is right. The choices are in the
    order of their values, or of their `rank`, nobody and never last; a seed shuffles them.
    """
    offers_nobody = nobody is not None and right[0] is not None
    room = MOST - 2 if offers_nobody else MOST - 1
    some: dict[Value, Mistaken] = dict([it for it in wrong.items() if it[0] not in right][:room])
    if nobody is not None and offers_nobody:
        some[None] = nobody
    offered = sorted({right[0], *some}, key=lambda value: (value is None, (rank or _rank)(value)))
    return Choices(tuple(offered), some)


def latest(delays: Mapping[int, float]) -> tuple[Value, ...]:
    """Return the jobs that are delayed most, by the seconds of those that are; nobody if none is."""
    most = max(delays.values(), default=0)
    return tuple(job for job, delay in delays.items() if delay == most) or (None,)


def _rank(value: Any) -> Any:
    if isinstance(value, tuple):
        return (value[0], -1 if value[1] is None else value[1])
    return str(STATES.index(value)) if isinstance(value, str) and value in STATES else value
