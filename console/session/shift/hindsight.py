"""Hindsight: what was done before an instant that had been seen already."""

import attrs

POINTS = 30
"""The points that a whole shift costs that is done again in knowledge of it."""


@attrs.define
class Hindsight:
    """What an operator knows of the course: instants in seconds of the scenario's clock."""

    seen: int = 0
    """The last instant that was seen of the course as it is."""
    furthest: int = 0
    """The last instant that was ever seen, in this attempt or an earlier one."""
    replayed: int = 0
    """Seconds of the course that were done again."""
    stood: int = attrs.field(default=attrs.Factory(lambda self: self.seen, takes_self=True))
    """The furthest instant at which the operator stood since the course was changed, or begun anew."""

    def see(self, time: int) -> None:
        self.seen = max(self.seen, time)
        self.furthest = max(self.furthest, time)
        self.stood = max(self.stood, time)

    def change(self, time: int) -> None:
        """The operator changes what follows an instant: what was seen of it is done again."""
        self.replayed += max(0, self.seen - time)
        self.seen = self.stood = time

    def points(self, span: int) -> int:
        """Return what it costs, of 100 points: `POINTS` for each `span` seconds done again, rounded up."""
        return -(-POINTS * self.replayed // max(span, 1))
