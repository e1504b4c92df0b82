"""Stepping a cluster behind its screen: where it stands, and long ways that leave the keys alive."""

from asyncio import sleep
from collections.abc import Callable, Iterator
from datetime import tzinfo
from time import monotonic

from textual.screen import Screen
from textual.timer import Timer

from console.session import ScenarioError
from console.session.slurm.board import Board, Changes
from console.session.slurm.stepping import Boards, Coming, History, Moment, coming
from console.session.slurm.stepping.history import starts
from console.session.slurm.stepping.places import way_to

SLICE = 0.05
"""Seconds of a way after which keys and the screen have their turn."""
BETWEEN = 0.25
"""Seconds between two messages of a long way."""
GROUP = "travel"
NO_MORE = "this is the end: no job waits that can start"
SLOWEST, FASTEST = 0.125, 16.0
"""Bounds of the speed of play, in events a second."""


class Travel:
    """The history of one board's cluster, and the ways of an operator in it."""

    def __init__(
        self, screen: Screen[None], first: Board, moved: Callable[[], None], say: Callable[[str, str], None]
    ) -> None:
        self._screen, self._first, self._moved, self._say = screen, first, moved, say
        self.history = History(first.capture, first.now)
        self._boards = Boards(self.history)
        self.going = False
        """Whether a long way is being gone."""
        self._playing: Timer | None = None
        self._speed = 1.0
        self._broken = ""
        """What is wrong with the capture further on."""

    @property
    def stepped(self) -> bool:
        """Whether the cluster stands after its capture."""
        return self.history.position > 0

    @property
    def moment(self) -> Moment | None:
        """What happened last; None at the capture."""
        return self.history.moment

    @property
    def board(self) -> Board:
        """The board of the position."""
        return self._boards.board(self.history.position) if self.stepped else self._first

    @property
    def changes(self) -> Changes:
        """What the last moment changed."""
        return self._boards.changes(self.history.position)

    @property
    def coming(self) -> Coming:
        """When the queue is tried next."""
        return coming(self.history)

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
            self._set_timer()
            self._say(f"plays at x{self._speed:g}", "key")

    def speed(self, factor: float) -> None:
        """Play faster or slower."""
        self._speed = min(FASTEST, max(SLOWEST, self._speed * factor))
        if self.playing:
            self._set_timer()
        self._say(f"{'plays' if self.playing else 'will play'} at x{self._speed:g}", "key")

    def _set_timer(self) -> None:
        self.stop()
        self._playing = self._screen.set_interval(1 / self._speed, self._play)

    def _play(self) -> None:
        enough = self._forward(1)
        self._moved()
        if not enough:
            self.stop()
            self._say(self._broken or NO_MORE, "dim")

    def forward(self, count: int) -> None:
        """So many moments forward."""
        self._steps(self._forward(count), NO_MORE)

    def _forward(self, count: int) -> bool:
        """Whether there are so many; what breaks the capture further on is reported, once."""
        try:
            return self.history.forward(count)
        except ScenarioError as error:
            self._broken = str(error)
            return False

    def back(self, count: int) -> None:
        """So many moments back."""
        self._steps(self.history.back(count), "this is the capture")

    def _steps(self, enough: bool, otherwise: str) -> None:
        self.stop()
        self._moved()
        if not enough:
            self._say(self._broken or otherwise, "dim")
            self._broken = ""

    def next_start(self) -> None:
        """To the next moment in which a job starts."""
        self._go(self.history.search(starts), "no job starts any more")

    def previous_start(self) -> None:
        """To the moment before in which a job started."""
        self._steps(self.history.previous(starts), "no job starts before")

    def first(self) -> None:
        """Back to the capture."""
        self.history.go(0)
        self._steps(True, "")

    def last(self) -> None:
        """To the last moment."""
        self._go(self.history.to_end(), "")

    def to(self, text: str, zone: tzinfo | None) -> None:
        """To a place as it is typed. SessionError if there is no such place."""
        self._go(
            way_to(self.history, text, zone),
            f"{text.strip()} is after the last event",
        )

    def check(self, text: str, zone: tzinfo | None) -> None:
        """SessionError if there is no place as it is typed."""
        way_to(self.history, text, zone)

    def number(self, position: int) -> None:
        """To the moment of a known number."""
        self.history.go(position)
        self._steps(True, "")

    def stop(self) -> None:
        """Break a long way or play off; the cluster stands where it stood."""
        if self._playing is not None:
            self._playing.stop()
            self._playing = None
        if self.going:
            self.going = False
            self._screen.workers.cancel_group(self._screen, GROUP)

    def _go(self, way: Iterator[bool], nothing: str) -> None:
        """Go a way: at once if it is short, otherwise beside the keys."""
        self.stop()
        if not self._slice(way, nothing):
            self.going = True
            self._screen.run_worker(self._long(way, nothing), group=GROUP, exclusive=True)

    def _slice(self, way: Iterator[bool], nothing: str) -> bool:
        """Go a part of a way. Whether it is over."""
        until = monotonic() + SLICE
        try:
            for there in way:
                if there:
                    self._moved()
                    return True
                if monotonic() > until:
                    return False
        except ScenarioError as error:
            nothing = str(error)
        self._moved()
        self._say(nothing, "warn")
        return True

    async def _long(self, way: Iterator[bool], nothing: str) -> None:
        said = 0.0
        while self.going and not self._slice(way, nothing):
            if monotonic() - said > BETWEEN:
                said = monotonic()
                self._say(f"on the way: {self.history.known} events are known; Esc breaks it off", "key")
            await sleep(0)
        self.going = False
