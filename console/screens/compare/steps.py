"""Steps and play of lanes in lockstep, from instant to instant."""

from time import monotonic

from shadowtime.console.screens.travel.play import PATIENCE
from shadowtime.console.session.comparison.lockstep import Lockstep


class LockstepCourse:
    """Plays lanes, instant by instant."""

    def __init__(self, lockstep: Lockstep) -> None:
        self._lockstep = lockstep

    def at_end(self, backwards: bool) -> bool:
        return not self._lockstep.begun if backwards else self._lockstep.over

    def play(self, count: int, backwards: bool) -> int:
        """Move as many instants as a frame has time for; those left over are dropped."""
        move = self._lockstep.back if backwards else self._lockstep.step
        deadline, moved = monotonic() + PATIENCE, 0
        while moved < count and monotonic() < deadline and move():
            moved += 1
        return moved
