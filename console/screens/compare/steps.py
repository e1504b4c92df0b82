"""Moving lanes together a little: from instant to instant, to decisions, and by playing."""

from collections.abc import Callable
from time import monotonic

from textual.screen import Screen

from console import words
from console.screens.console.play_keys import PlayKeys
from console.screens.console.playing import Player
from console.screens.console.steps import PATIENCE
from console.session import PolicyError, Session
from console.session.comparison.lockstep import Lockstep
from console.session.errors import failure


class Together(PlayKeys, Screen[None]):
    """Lanes in lockstep, and what moves them. While `busy`, another thread has them."""

    def __init__(self, lockstep: Lockstep) -> None:
        super().__init__()
        self.lockstep = lockstep
        self.player = Player(skips=bool(lockstep.skipped))
        self.busy = False

    # What the screen paints.

    def say(self, text: str, role: str = "dim") -> None:
        """Tell the operator something in one line."""
        raise NotImplementedError

    def arrive(self) -> None:
        """Paint everything from where the lanes stand now."""
        raise NotImplementedError

    def show_state(self) -> None:
        """Paint whether, where to and how fast it plays."""
        raise NotImplementedError

    # Steps.

    def action_forward(self, instants: int) -> None:
        """So many instants forward."""
        self._go(lambda: self.lockstep.step(instants), "this is the end of every lane")

    def action_back(self, instants: int) -> None:
        """So many instants back."""
        self._go(lambda: self.lockstep.back(instants), "this is the beginning")

    def action_next_decision(self) -> None:
        """To the next instant at which a job starts in any lane."""
        self._go(self.lockstep.next_decision, "no job starts after this in any lane")

    def action_previous_decision(self) -> None:
        """To the instant before at which one started."""
        self._go(self.lockstep.previous_decision, "no job started before this in any lane")

    def _go(self, move: Callable[[], int], otherwise: str) -> None:
        self.pause()
        try:
            moved = move()
        except PolicyError as error:
            self._failed(error)
            return
        if moved:
            self.arrive()
        else:
            self.say(otherwise)

    def skip(self, kinds: str) -> None:
        """Let steps pass over the kinds of events that are named; none for `none`, the same for nothing.

        SessionError where one is no kind of event.
        """
        if kinds:
            self.lockstep.skip(() if kinds == "none" else kinds.replace(",", " ").split())
            self.player.skips = bool(self.lockstep.skipped)
            self.show_state()
        self.say(words.skipped(self.lockstep.skipped))

    def skip_as(self, lane: Session) -> None:
        """Let steps pass over what those of a lane do."""
        self.lockstep.skip(lane.skipped)
        self.player.skips = bool(lane.skipped)

    # Play.

    @property
    def _at_end(self) -> bool:
        return not self.lockstep.begun if self.player.backwards else self.lockstep.over

    def _failed(self, error: PolicyError) -> None:
        self.say(failure(error), "warn")

    def _play_on(self, instants: int) -> int:
        """Move as many instants as a frame has time for; those left over are dropped."""
        move = self.lockstep.back if self.player.backwards else self.lockstep.step
        deadline, moved = monotonic() + PATIENCE, 0
        while moved < instants and monotonic() < deadline and move():
            moved += 1
        return moved
