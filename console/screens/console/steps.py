"""Moving in time a little: single steps, decisions, and play."""

from collections.abc import Callable
from time import monotonic

from console import words
from console.screens.console.play_keys import PlayKeys
from console.screens.console.session_screen import SessionScreen
from console.session import PolicyError
from console.session.errors import failure

PATIENCE = 0.012
"""Seconds that play may move within one frame."""
NEAR = 16
"""Events that play moves at a time before it looks at the clock."""


class Moving(PlayKeys, SessionScreen):
    """What the keys of steps and of play do."""

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

    @property
    def _at_end(self) -> bool:
        return self.session.number == 0 if self.player.backwards else self.session.over

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
