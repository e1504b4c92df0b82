"""Stepping a cluster behind its screen: where it stands, and ways that are gone in a thread beside the keys.

A cycle over a long queue takes a second, and the board after it as long. The thread computes both; the screen
shows only where the last way has arrived. Only one thread at a time has the history.
"""

from asyncio import sleep
from collections.abc import Callable, Iterator
from datetime import tzinfo
from threading import Thread
from time import monotonic

import attrs
from textual.screen import Screen
from textual.timer import Timer

from shadowtime.console.session import ScenarioError
from shadowtime.console.session.clock import dated_clock
from shadowtime.console.session.course.places import LAST, Place, parse_place
from shadowtime.console.session.slurm.board import Board, Changes
from shadowtime.console.session.slurm.board.changes import NOTHING
from shadowtime.console.session.slurm.stepping import Boards, Coming, History, Moment, coming
from shadowtime.console.session.slurm.stepping.history import Wanted, starts

SLICE = 0.03
"""Seconds for which the screen waits for a way before it goes on without it."""
LOOK = 0.01
"""Seconds between two looks whether a way has ended."""
BETWEEN = 0.25
"""Seconds between two messages of a long way."""
GROUP = "travel"
NO_MORE = "this is the end: no job waits that can start"
SLOWEST, FASTEST = 0.125, 16.0
"""Bounds of the speed of play, in events a second."""


@attrs.frozen
class Stand:
    """A position, and what is shown of it."""

    position: int
    board: Board
    changes: Changes
    coming: Coming


class Trip:
    """A way that is gone in a thread, and the stand at its end."""

    def __init__(self, way: Iterator[bool], stand: Callable[[], Stand]) -> None:
        self.halted = False
        self.stand: Stand | None = None
        """Where it led; None: nowhere."""
        self.fault = ""
        self.error: BaseException | None = None
        self._way, self._stand = way, stand
        self.thread = Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        try:
            for there in self._way:
                if there:
                    self.stand = self._stand()
                if there or self.halted:
                    return
        except ScenarioError as error:
            self.fault = str(error)
        except BaseException as error:
            # It is raised where it is seen.
            self.error = error


class Travel:
    """The history of one board's cluster, and the ways of an operator in it."""

    def __init__(
        self, screen: Screen[None], first: Board, moved: Callable[[], None], say: Callable[[str, str], None]
    ) -> None:
        self._screen, self._first, self._moved, self._say = screen, first, moved, say
        self.history = History(first.capture, first.now)
        self._boards = Boards(self.history)
        self._stand = Stand(0, first, NOTHING, coming(self.history))
        self.going = False
        """Whether a way is being gone beside the keys."""
        self._trip: Trip | None = None
        self._playing: Timer | None = None
        self._speed = 1.0
        self.backwards = False
        """Whether play goes back."""
        self._note = ""
        """What is to be said at the end of a way."""

    @property
    def position(self) -> int:
        """The number of the event that is shown; 0 is the capture."""
        return self._stand.position

    @property
    def at(self) -> int:
        """The instant that is shown, in seconds since 1970."""
        return self.history.instant(self.position)

    @property
    def stepped(self) -> bool:
        """Whether the cluster stands after its capture."""
        return self.position > 0

    @property
    def moment(self) -> Moment | None:
        """What happened last; None at the capture."""
        return self.history.moment_at(self.position)

    @property
    def board(self) -> Board:
        """The board of the position."""
        return self._stand.board

    @property
    def changes(self) -> Changes:
        """What the last moment changed."""
        return self._stand.changes

    @property
    def coming(self) -> Coming:
        """When the queue is tried next."""
        return self._stand.coming

    def _stand_now(self) -> Stand:
        """What is shown of the position of the history."""
        place = self.history.position
        board = self._boards.board(place) if place else self._first
        return Stand(place, board, self._boards.changes(place), coming(self.history))

    @property
    def playing(self) -> bool:
        """Whether moments follow each other by themselves."""
        return self._playing is not None

    def play(self) -> None:
        """Play, some events a second; or pause."""
        if self.playing:
            self.stop()
            self._say("paused", "dim")
        else:
            self.stop()
            self._set_timer()
            self._say(f"plays {self._how}", "key")

    def reverse(self) -> None:
        """Turn the direction of play."""
        self.backwards = not self.backwards
        self._say(f"{'plays' if self.playing else 'will play'} {self._how}", "key")

    @property
    def _how(self) -> str:
        """In which direction, and how fast."""
        return f"{'back ' if self.backwards else ''}at x{self._speed:g}"

    def speed(self, factor: float) -> None:
        """Play faster or slower."""
        self._speed = min(FASTEST, max(SLOWEST, self._speed * factor))
        if self._playing is not None:
            self._playing.stop()
            self._set_timer()
        self._say(f"{'plays' if self.playing else 'will play'} {self._how}", "key")

    def set_speed(self, speed: float) -> None:
        """Play so many events a second."""
        self._speed = 1.0
        self.speed(speed)

    def _set_timer(self) -> None:
        self._playing = self._screen.set_interval(1 / self._speed, self._play)

    def _play(self) -> None:
        if not self.going:
            self._set_out(self._back_by(1) if self.backwards else self._by(1), "")

    def forward(self, count: int) -> None:
        """So many moments forward."""
        self._go(self._by(count), "")

    def _by(self, count: int) -> Iterator[bool]:
        """The way so many moments forward, or as far as there are; what breaks the capture is reported."""
        history = self.history
        place = history.position
        try:
            for _ in range(count):
                if not history.reach(place + 1):
                    self._note = NO_MORE
                    break
                place += 1
                yield False
        except ScenarioError as error:
            self._note = str(error)
        history.go(place)
        yield True

    def back(self, count: int) -> None:
        """So many moments back."""
        self._go(self._back_by(count), "")

    def _back_by(self, count: int) -> Iterator[bool]:
        """The way so many moments back, or as far as there are."""
        if not self.history.back(count):
            self._note = "this is the capture"
        yield True

    def search(self, wanted: Wanted, forward: bool, met: Callable[[], str], nothing: str) -> None:
        """To the next moment that is wanted, or the one before; `met` says what is there."""
        way = self.history.search(wanted) if forward else self._before(wanted)
        self._go(way, nothing, met)

    def _before(self, wanted: Wanted) -> Iterator[bool]:
        if self.history.previous(wanted):
            yield True

    def seek(self, way: Callable[[History], Iterator[bool]], met: Callable[[], str], nothing: str) -> None:
        """To the moment to which a search leads; `met` says what is there."""
        self._go(way(self.history), nothing, met)

    def next_start(self) -> None:
        """To the next moment in which a job starts."""
        self._go(self.history.search(starts), "no job starts any more")

    def previous_start(self) -> None:
        """To the moment before in which a job started."""
        self._go(self._before(starts), "no job starts before")

    def first(self) -> None:
        """Back to the capture."""
        self.number(0)

    def last(self) -> None:
        """To the last moment."""
        self._go(self.history.way(LAST), "")

    def to(self, text: str, zone: tzinfo | None) -> None:
        """To a place as it is typed. SessionError if there is no such place."""
        place = self.check(text, zone)
        self._join()
        self._go(self.history.way(place), f"{text.strip()} is after the last event")

    def check(self, text: str, zone: tzinfo | None) -> Place:
        """Return the place as it is typed. SessionError if there is none."""
        return parse_place(text, dated_clock(zone, self.history.begin), self.at)

    def number(self, position: int) -> None:
        """To the moment of a known number."""

        def way() -> Iterator[bool]:
            self.history.go(position)
            yield True

        self._go(way(), "")

    def stop(self) -> None:
        """Break a way or play off; the cluster stands where it stood."""
        if self._playing is not None:
            self._playing.stop()
            self._playing = None
        if self._trip is not None:
            self._trip.halted = True
        if self.going:
            self.going = False
            self._screen.workers.cancel_group(self._screen, GROUP)

    def _go(self, way: Iterator[bool], nothing: str, met: Callable[[], str] | None = None) -> None:
        """Go a way instead of what is being gone or played. `met` says what is at its end."""
        self.stop()
        self._set_out(way, nothing, met)

    def _join(self) -> None:
        """Wait for the end of the event at which a way was broken off: then the history is at rest."""
        if self._trip is not None:
            self._trip.halted = True
            self._trip.thread.join()
            self._trip = None
            self.history.go(self.position)

    def _set_out(self, way: Iterator[bool], nothing: str, met: Callable[[], str] | None = None) -> None:
        """Go a way: at once if it is short, otherwise beside the keys."""
        self._join()
        self._note = ""
        trip = self._trip = Trip(way, self._stand_now)
        trip.thread.start()
        trip.thread.join(SLICE)
        if not trip.thread.is_alive():
            self._arrive(trip, nothing, met)
            return
        self.going = True
        self._screen.run_worker(self._wait(trip, nothing, met), group=GROUP, exclusive=True)

    async def _wait(self, trip: Trip, nothing: str, met: Callable[[], str] | None) -> None:
        said = monotonic()
        while trip.thread.is_alive():
            if monotonic() - said > BETWEEN:
                said = monotonic()
                self._say(f"on the way: {self.history.known} events are known; Esc breaks it off", "key")
            await sleep(LOOK)
        if self.going and trip is self._trip:
            self.going = False
            self._arrive(trip, nothing, met)

    def _arrive(self, trip: Trip, nothing: str, met: Callable[[], str] | None) -> None:
        """Show the end of a way."""
        self._trip = None
        if trip.error is not None:
            raise trip.error
        if trip.stand is None:
            self.history.go(self.position)
            self._moved()
            self._say(trip.fault or nothing, "warn")
            return
        self._stand = trip.stand
        self._moved()
        note = self._note or (met() if met is not None else "")
        if self._note and self.playing:
            self.stop()
        if note:
            self._say(note, "dim" if self._note else "text")
