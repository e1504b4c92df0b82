"""The decisions of an event as facts, each made when it is asked for: one pass may move thousands of jobs."""

from collections.abc import Callable, Iterator, Sequence
from typing import overload

import attrs

from shadowtime.console.session.facts import Decision
from shadowtime.kernels.core.decision_view import DecisionView

Raw = tuple[str, int, str, dict[str, int]]
"""A decision as the kernel gives it: kind, row, reason, numbers."""


class Decisions(Sequence[Decision]):
    """What one event decided, in its order; equal to a tuple of the same decisions."""

    def __init__(self, raw: DecisionView, fact: Callable[[Raw], Decision]) -> None:
        self.raw = raw
        self._fact = fact

    def __len__(self) -> int:
        return len(self.raw)

    @overload
    def __getitem__(self, place: int) -> Decision: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Decision, ...]: ...
    def __getitem__(self, place: int | slice) -> Decision | tuple[Decision, ...]:
        if isinstance(place, slice):
            return tuple(self._fact(raw) for raw in self.raw[place])
        return self._fact(self.raw[place])

    def __iter__(self) -> Iterator[Decision]:
        return (self._fact(raw) for raw in self.raw)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Decisions | tuple) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(tuple(self))


@attrs.frozen
class DecisionGroup:
    """The decisions of one kind with one reason, about jobs."""

    kind: str
    code: str
    places: Sequence[int]
    """Of the first of them among all decisions."""
    count: int


def jobless(decisions: Sequence[Decision]) -> list[Decision]:
    """Return the decisions about the policy or about nodes."""
    if isinstance(decisions, Decisions):
        return [decisions[place] for place in decisions.raw.jobless()]
    return [made for made in decisions if made.job is None]


def groups(decisions: Sequence[Decision], most: int) -> list[DecisionGroup]:
    """Return the others by kind and reason, in order of the first of each, with `most` places."""
    if isinstance(decisions, Decisions):
        return [DecisionGroup(*found) for found in decisions.raw.groups(most)]
    places: dict[tuple[str, str], list[int]] = {}
    for place, made in enumerate(decisions):
        if made.job is not None:
            places.setdefault((made.kind, made.reason.code), []).append(place)
    return [DecisionGroup(*key, found[:most], len(found)) for key, found in places.items()]
