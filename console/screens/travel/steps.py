"""Steps: moving in time a little, by events or instants and by decisions."""

from collections.abc import Callable, Iterable
from time import monotonic
from typing import TYPE_CHECKING, Union

from shadowtime.console import words
from shadowtime.console.screens.travel.play import PATIENCE, Play
from shadowtime.console.screens.travel.view import View
from shadowtime.console.session import PolicyError, Session
from shadowtime.console.words.moving import ENDS, Ends

if TYPE_CHECKING:
    from shadowtime.console.session.comparison.lockstep import Lockstep

NEAR = 16
"""Events that play moves at a time before it looks at the clock."""


Timeline = Union[Session, "Lockstep"]
"""What steps move. Each move returns how far it went."""


class Steps:
    """Moves a timeline by single steps and by decisions."""

    def __init__(self, view: View, timeline: Timeline, play: Play, ends: Ends = ENDS) -> None:
        self._view = view
        self._timeline = timeline
        self._play = play
        self._ends = ends

    def forward(self, count: int) -> None:
        self._say_skipped(self.move(lambda: self._timeline.step(count), self._ends.forward) - count)

    def back(self, count: int) -> None:
        self._say_skipped(self.move(lambda: self._timeline.back(count), self._ends.back) - count)

    def next_decision(self) -> None:
        self.move(self._timeline.next_decision, self._ends.next_decision)

    def previous_decision(self) -> None:
        """To the event before that started a job."""
        self.move(self._timeline.previous_decision, self._ends.previous_decision)

    def move(self, move: Callable[[], int], otherwise: str) -> int:
        """Pause, move, paint, and return how far it went; if that is nowhere, say so."""
        self._play.pause()
        try:
            moved = move()
        except PolicyError as error:
            self._view.failed(error)
            return 0
        if moved:
            self._view.arrive()
        else:
            self._view.say(otherwise)
        return moved

    def _say_skipped(self, events: int) -> None:
        if events > 0:
            kinds = ", ".join(sorted(self._timeline.skipped))
            self._view.say(f"passed over {words.count(events, 'event')}; skipped: {kinds}")

    def skip(self, kinds: str) -> None:
        """Let steps pass over the kinds of events that are named: no kind for `none`, the same for nothing.

        SessionError if one is no kind of event.
        """
        if kinds:
            self.skip_kinds(() if kinds == "none" else kinds.replace(",", " ").split())
            self._view.show_state()
        self._view.say(words.skipped(self._timeline.skipped))

    def skip_kinds(self, kinds: Iterable[str]) -> None:
        self._timeline.skip(kinds)
        self._play.player.skips = bool(self._timeline.skipped)


class PlayedSession:
    """Plays a session, event by event."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def at_end(self, backwards: bool) -> bool:
        return self._session.number == 0 if backwards else self._session.over

    def play(self, count: int, backwards: bool) -> int:
        """Move as many events as a frame has time for; those left over are dropped."""
        if backwards:
            return self._session.back(count)
        deadline = monotonic() + PATIENCE
        moved = 0
        while moved < count and monotonic() < deadline:
            step = self._session.step(min(NEAR, count - moved))
            if step == 0:
                break
            moved += step
        return moved
