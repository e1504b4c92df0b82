"""The score of a shift: the share of the gap between the baseline and the response, less the hindsight."""

import attrs

from shadowtime.console.session.shift.figures import Figures, index
from shadowtime.console.session.shift.on_duty import ShiftSession
from shadowtime.console.session.shift.responses import References

MOST = 100
"""The points of a shift."""


@attrs.frozen
class Score:
    """What a whole shift came to."""

    figures: Figures
    index: float
    """1 for the baseline; see `index`."""
    best: float
    """The index of the response."""
    hindsight: int
    """Points that the hindsight cost."""
    lost: int
    """How many jobs fewer are over than in the baseline; above 0 there are no points."""

    @property
    def share(self) -> float:
        """The share of the recoverable gap that was recovered: 0 to 1."""
        gap = 1 - self.best
        return min(1.0, max(0.0, (1 - self.index) / gap)) if gap > 0 else 0.0

    @property
    def points(self) -> int:
        """0 to 100: hundredths of the gap, rounded down, less the hindsight."""
        if self.lost > 0:
            return 0
        # A sum of fractions that should be the response's own may differ from it in the last bit.
        return max(0, int(MOST * self.share + 1e-9) - self.hindsight)


def scored(session: ShiftSession, compared: References) -> Score:
    """Return the score of the whole course of a shift, with what was done in it so far."""
    baseline, shift = compared.baseline.figures, session.shift
    found = session.final(compared.end)
    return Score(
        found,
        index(found, baseline, shift.fairness),
        compared.best.index,
        compared.hindsight(session),
        max(0, baseline.over - found.over),
    )
