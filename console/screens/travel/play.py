"""Play: the clock of every view that plays; what moves is the view's own."""

from collections.abc import Callable
from time import monotonic
from typing import Protocol

from textual.timer import Timer

from shadowtime.console.screens.travel.playing import FRAME, Player
from shadowtime.console.screens.travel.view import View
from shadowtime.console.session import PolicyError
from shadowtime.console.words.moving import ENDS, Ends

HICCUP = 0.25
"""Seconds of play at most between two pictures: after a longer pause of the machine nothing is caught up."""
PATIENCE = 0.012
"""Seconds that play may move within one frame."""


class Played(Protocol):
    """What plays."""

    def at_end(self, backwards: bool) -> bool:
        """Whether there is no way on in a direction."""

    def play(self, count: int, backwards: bool) -> int:
        """Move so many times, or as often as `PATIENCE` allows; return how often."""


class Play:
    """Plays, pauses, turns the direction and sets the speed of a view. While `busy`, nothing moves.

    `held` says after each move whether something holds up the way forward: then play pauses.
    """

    def __init__(
        self,
        view: View,
        player: Player,
        course: Played,
        busy: Callable[[], bool],
        held: Callable[[], bool] = lambda: False,
        ends: Ends = ENDS,
    ) -> None:
        self.player = player
        self._view = view
        self._course = course
        self._busy = busy
        self._held = held
        self._ends = ends
        self._ticker: Timer | None = None
        self._ticked = 0.0

    def toggle(self) -> None:
        self.player.toggle()
        if self._ticker is not None:
            self._ticker.stop()
            self._ticker = None
        if self.player.playing:
            self._ticked = monotonic()
            self._ticker = self._view.set_interval(FRAME, self._tick)
        self._view.show_state()

    def pause(self) -> None:
        if self.player.playing:
            self.toggle()

    def reverse(self) -> None:
        self.player.turn()
        self._view.show_state()

    def slower(self) -> None:
        self.set_speed(self.player.speed / 2)

    def faster(self) -> None:
        self.set_speed(self.player.speed * 2)

    def usual_speed(self) -> None:
        """The speed x1: one move a second."""
        self.set_speed(1.0)

    def set_speed(self, speed: float) -> None:
        self.player.set_speed(speed)
        self._view.show_state()

    def _tick(self) -> None:
        self._move()
        if self.player.playing and not self.player.backwards and self._held():
            self.pause()

    def _move(self) -> None:
        now = monotonic()
        due = self.player.due(min(now - self._ticked, HICCUP))
        self._ticked = now
        if self._busy() or due == 0:
            return
        backwards = self.player.backwards
        try:
            moved = self._course.play(due, backwards)
        except PolicyError as error:
            self.pause()
            self._view.failed(error)
            return
        if moved:
            self._view.arrive()
        if self._course.at_end(backwards):
            self.pause()
            self._view.say(self._ends.back if backwards else self._ends.forward)
