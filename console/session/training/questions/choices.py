"""The choices beside the right answer: wrong ones of the same instant, near enough to be thought over.

Each carries the misconception that it stands for.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from shadowtime.console.session.training.facts import Choices, Mistaken, Value

Sized = TypeVar("Sized", bound=int | str)
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
    spread: bool = False,
) -> Choices:
    """The first right answer with the first of the wrong ones, as many as there is room for.

    `nobody` is what is wrong with nobody, which is offered then unless it is right. `spread` draws the place
    of the right answer among the others (`beside`). The choices are in the order of their values, or of their
    `rank`, nobody and never last; a seed shuffles them.
    """
    offers_nobody = nobody is not None and right[0] is not None
    room = MOST - 2 if offers_nobody else MOST - 1
    left = [value for value in wrong if value not in right]
    if spread and isinstance(right[0], int):
        left = [*beside(right[0], [it for it in left if isinstance(it, int)], room), *left]
    some: dict[Value, Mistaken] = {value: wrong[value] for value in [*dict.fromkeys(left)][:room]}
    if nobody is not None and offers_nobody:
        some[None] = nobody
    offered = sorted({right[0], *some}, key=lambda value: (value is None, (rank or _rank)(value)))
    return Choices(tuple(offered), some)


def beside(right: Sized, wrong: Sequence[Sized], room: int) -> list[Sized]:
    """Return so many of the wrong numbers, or texts, the first ones as far as that goes.

    What they are settles how many of them are smaller than the right number, or shorter than the right text.
    """
    size = _size(right)
    below = [it for it in wrong if _size(it) < size]
    above = [it for it in wrong if _size(it) >= size]
    most = min(room, len(below))
    least = Random(repr((right, wrong))).randint(min(max(0, room - len(above)), most), most)
    taken = (*below[:least], *above[: room - least])
    return [it for it in wrong if it in taken]


def _size(value: int | str) -> int:
    return len(value) if isinstance(value, str) else value


def latest(delays: Mapping[int, float]) -> tuple[Value, ...]:
    """Return the jobs that are delayed most, by the seconds of those that are; nobody if none is."""
    most = max(delays.values(), default=0)
    return tuple(job for job, delay in delays.items() if delay == most) or (None,)


def _rank(value: Any) -> Any:
    if isinstance(value, tuple):
        return (value[0], -1 if value[1] is None else value[1])
    return str(STATES.index(value)) if isinstance(value, str) and value in STATES else value
