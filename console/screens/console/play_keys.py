"""The keys of play, for every view that plays: the clock is here, what moves is the view's own."""

from time import monotonic
from typing import TYPE_CHECKING

from textual.screen import Screen
from textual.timer import Timer

from console.screens.console.playing import FRAME, Player
from console.session import PolicyError

HICCUP = 0.25
"""Seconds of play at most between two pictures: after a longer pause of the machine nothing is caught up."""

if TYPE_CHECKING:
    _Base = Screen[None]
else:
    # No widget where it runs: of several bases that are widgets, styles know the first only.
    _Base = object


class PlayKeys(_Base):
    """Play, pause, direction and speed of a view; `player` holds their state. While `busy`, nothing moves."""

    player: Player
    busy: bool
    _ticker: Timer | None = None
    _ticked = 0.0

    if TYPE_CHECKING:

        def say(self, text: str, role: str = "dim") -> None: ...
        def arrive(self) -> None: ...
        def show_state(self) -> None: ...

        @property
        def _at_end(self) -> bool:
            """Whether there is no way on in the direction of play."""

        def _play_on(self, count: int) -> int:
            """Move so many times, or as often as a frame has time for; return how often."""

        def _failed(self, error: PolicyError) -> None:
            """Tell that the policy has failed."""

    def action_play(self) -> None:
        """Play or pause."""
        self.player.toggle()
        if self._ticker is not None:
            self._ticker.stop()
            self._ticker = None
        if self.player.playing:
            self._ticked = monotonic()
            self._ticker = self.set_interval(FRAME, self._tick)
        self.show_state()

    def pause(self) -> None:
        """Stop playing."""
        if self.player.playing:
            self.action_play()

    def action_reverse(self) -> None:
        """Turn the direction of play."""
        self.player.turn()
        self.show_state()

    def action_slower(self) -> None:
        """Half the speed."""
        self.set_speed(self.player.speed / 2)

    def action_faster(self) -> None:
        """Twice the speed."""
        self.set_speed(self.player.speed * 2)

    def action_speed_one(self) -> None:
        """The speed x1: one move a second."""
        self.set_speed(1.0)

    def set_speed(self, speed: float) -> None:
        """So many moves a second."""
        self.player.set_speed(speed)
        self.show_state()

    def _tick(self) -> None:
        now = monotonic()
        due = self.player.due(min(now - self._ticked, HICCUP))
        self._ticked = now
        if self.busy or due == 0:
            return
        try:
            moved = self._play_on(due)
        except PolicyError as error:
            self.pause()
            self._failed(error)
            return
        if moved:
            self.arrive()
        if self._at_end:
            self.pause()
            self.say("this is the beginning" if self.player.backwards else "this is the end")
