"""Moving lanes together a little: from instant to instant, to decisions, and by playing."""

from collections.abc import Callable
from time import monotonic

from textual.screen import Screen
from textual.timer import Timer

from console import words
from console.screens.moving import HICCUP, PATIENCE
from console.screens.playing import FRAME, Player
from console.session import PolicyError, Session
from console.session.errors import failure
from console.session.lockstep import Lockstep


class Together(Screen[None]):
    """Lanes in lockstep, and what moves them. While `busy`, another thread has them."""

    _ticker: Timer | None = None
    _ticked = 0.0

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
            self.say(failure(error), "warn")
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
        """The speed x1: an instant a second."""
        self.set_speed(1.0)

    def set_speed(self, speed: float) -> None:
        """So many instants a second."""
        self.player.set_speed(speed)
        self.show_state()

    def _tick(self) -> None:
        now = monotonic()
        instants = self.player.due(min(now - self._ticked, HICCUP))
        self._ticked = now
        if self.busy or instants == 0:
            return
        try:
            moved = self._play_on(instants)
        except PolicyError as error:
            self.pause()
            self.say(failure(error), "warn")
            return
        if moved:
            self.arrive()
        if not self.lockstep.begun if self.player.backwards else self.lockstep.over:
            self.pause()
            self.say("this is the beginning" if self.player.backwards else "this is the end")

    def _play_on(self, instants: int) -> int:
        """Move as many instants as a frame has time for; those left over are dropped."""
        move = self.lockstep.back if self.player.backwards else self.lockstep.step
        deadline, moved = monotonic() + PATIENCE, 0
        while moved < instants and monotonic() < deadline and move():
            moved += 1
        return moved
