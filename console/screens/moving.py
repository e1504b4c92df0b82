"""Moving in time a little: single steps, decisions, and play."""

from collections.abc import Callable
from time import monotonic

from textual.timer import Timer

from console import words
from console.screens.desk import Desk
from console.screens.playing import FRAME
from console.session import PolicyError
from console.session.errors import failure

PATIENCE = 0.012
"""Seconds that play may move within one frame."""
NEAR = 16
"""Events that play moves at a time before it looks at the clock."""
HICCUP = 0.25
"""Seconds of play at most between two pictures: after a longer pause of the machine nothing is caught up."""


class Moving(Desk):
    """What the keys of steps and of play do."""

    _ticker: Timer | None = None
    _ticked = 0.0

    def action_forward(self, events: int) -> None:
        """So many events forward."""
        moved = self._move(lambda: self.session.step(events))
        if moved:
            self.arrive()
            self._tell_skipped(moved - events)
        elif moved is not None:
            self.say("this is the end: nothing is left to happen")

    def action_back(self, events: int) -> None:
        """So many events back."""
        moved = self._move(lambda: self.session.back(events))
        if moved:
            self.arrive()
            self._tell_skipped(moved - events)
        elif moved is not None:
            self.say("this is the beginning")

    def _move(self, move: Callable[[], int]) -> int | None:
        """Pause and move; None where the policy failed: that is told, and it stands at what came before."""
        self.pause()
        try:
            return move()
        except PolicyError as error:
            self._failed(error)
            return None

    def _failed(self, error: PolicyError) -> None:
        if self.session.number != self.snapshot.number:
            self.arrive()
        self.say(failure(error), "warn")

    def _tell_skipped(self, events: int) -> None:
        if events > 0:
            kinds = ", ".join(sorted(self.session.skipped))
            self.say(f"passed over {words.count(events, 'event')}; skipped: {kinds}")

    def skip(self, kinds: str) -> None:
        """Let steps pass over the kinds of events that are named; none for `none`, the same for nothing.

        SessionError where one is no kind of event.
        """
        if kinds:
            self.session.skip(() if kinds == "none" else kinds.replace(",", " ").split())
            self.player.skips = bool(self.session.skipped)
            self.show_state()
        self.say(words.skipped(self.session.skipped))

    def action_next_decision(self) -> None:
        """To the next event that starts a job."""
        moved = self._move(self.session.next_decision)
        if moved:
            self.arrive()
        elif moved is not None:
            self.say("no job starts after this")

    def action_previous_decision(self) -> None:
        """To the event before that started a job."""
        moved = self._move(self.session.previous_decision)
        if moved:
            self.arrive()
        elif moved is not None:
            self.say("no job started before this")

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
        """The speed x1."""
        self.set_speed(1.0)

    def set_speed(self, speed: float) -> None:
        """So many events a second."""
        self.player.set_speed(speed)
        self.show_state()

    def _tick(self) -> None:
        now = monotonic()
        events = self.player.due(min(now - self._ticked, HICCUP))
        self._ticked = now
        if self.busy or events == 0:
            return
        try:
            moved = self._play_on(events)
        except PolicyError as error:
            self.pause()
            self._failed(error)
            return
        if moved:
            self.arrive()
        if self.session.number == 0 if self.player.backwards else self.session.over:
            self.pause()
            self.say("this is the beginning" if self.player.backwards else "this is the end")

    def _play_on(self, events: int) -> int:
        """Move as many events as a frame has time for; those left over are dropped."""
        if self.player.backwards:
            return self.session.back(events)
        deadline = monotonic() + PATIENCE
        moved = 0
        while moved < events and monotonic() < deadline:
            step = self.session.step(min(NEAR, events - moved))
            if step == 0:
                break
            moved += step
        return moved
