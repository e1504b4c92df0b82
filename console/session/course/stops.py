"""Where going on stops: the breakpoints of a course, and the searches for them and for its worst moments."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import attrs

from shadowtime.console.session.course.breakpoints import Point, Points, Terms, parse_breakpoint
from shadowtime.console.session.course.seeking import Seeking, Walker
from shadowtime.console.session.course.worst import WorstSeeking

State = TypeVar("State", bound=Walker)
Scouting = Callable[[int], State]
"""Returns a run of its own after so many events; it belongs to one thread."""


class Stops(Generic[State]):
    """The breakpoints of one course, and its searches."""

    def __init__(
        self,
        terms: Terms[State],
        here: Callable[[], int],
        scouting: Callable[[], Scouting[State]],
        moments: Sequence[str],
        worst: Callable[[Scouting[State], str], WorstSeeking[State]],
        piece: int | None = None,
    ) -> None:
        """`here` is the present event; `piece` is how many events are done between two looks at Esc."""
        self._terms, self._here, self._scouting = terms, here, scouting
        self._worst, self._piece = worst, piece
        self.moments = moments
        """The worst moments that can be sought."""
        self.points: Points[State] = Points()

    def parse(self, text: str) -> Point[State]:
        """Return a breakpoint as it is typed. SessionError in one line if it is wrong."""
        return parse_breakpoint(text, self._terms)

    def set(self, text: str) -> Point[State]:
        """Set a breakpoint as it is typed. SessionError in one line if it is wrong."""
        made = self.parse(text)
        self.points = self.points.add(made)
        return made

    def repeat(self, others: "Stops[State]") -> None:
        """Set the breakpoints of a course on which the same jobs may have other rows."""
        self.points = Points(
            tuple(attrs.evolve(self.parse(each.text), enabled=each.enabled) for each in others.points.all)
        )

    def seek(self, forward: bool = True) -> Seeking[State]:
        """Return the search for the next event of a breakpoint, or the one before, for any thread."""
        return self._seeking(self.points.enabled, forward)

    def near(self, text: str, forward: bool = True) -> Seeking[State]:
        """Return the search for the next event, or the one before, at which a breakpoint as typed is met."""
        return self._seeking((self.parse(text),), forward)

    def _seeking(self, points: Sequence[Point[State]], forward: bool) -> Seeking[State]:
        return Seeking(self._scouting(), self._here(), points, forward, self._piece)

    def worst(self, moment: str) -> WorstSeeking[State]:
        """Return the search of the whole course for one of `moments`."""
        return self._worst(self._scouting(), moment)
