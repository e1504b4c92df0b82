"""Breakpoints and searches among the events of a cluster."""

from collections.abc import Callable
from datetime import tzinfo
from typing import Protocol

from shadowtime.console.clock import duration
from shadowtime.console.screens.console.breakpoints import BreakpointList
from shadowtime.console.screens.console.marks import Marks
from shadowtime.console.screens.console.view import Opens
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.session import SessionError
from shadowtime.console.session.slurm import Moment
from shadowtime.console.session.slurm.board import PlanRow
from shadowtime.console.session.slurm.stepping.breakpoints import EXPECTED as STOPS
from shadowtime.console.session.slurm.stepping.breakpoints import Wanted, parse_stop
from shadowtime.console.session.slurm.stepping.worst import QUEUE, Worst
from shadowtime.console.session.travel.breakpoints import Points
from shadowtime.console.words.phrases import count


class OpensPages(Opens, Protocol):
    """A screen that knows its keys, too."""

    def key(self, id: str, /) -> str:
        """The key of an action."""


class Stops:
    """Sets breakpoints and goes on to them, and to the worst moments."""

    def __init__(
        self,
        view: OpensPages,
        captures: Captures,
        marks: Marks,
        *,
        current: Callable[[], PlanRow | None],
        zone: Callable[[], tzinfo | None],
        ask_command: Callable[[str], None],
    ) -> None:
        self.breakpoints: Points[Wanted] = Points()
        self._view, self._captures, self._marks = view, captures, marks
        self._current, self._zone, self._ask_command = current, zone, ask_command

    def jump(self, text: str) -> None:
        """To a place as it is typed; a text that is no place gives a message."""
        travel = self._captures.travel
        before = travel.position
        try:
            travel.to(text, self._zone())
        except SessionError as error:
            self._view.say(str(error), "warn")
        else:
            self._marks.jumped(before)

    def stop_here(self) -> None:
        """Set a breakpoint on the job under the cursor; without one, on what is typed."""
        row = self._current()
        if row is not None:
            self.stop_at(f"job {row.number}")
        else:
            self._ask_command("break ")

    def stop_at(self, text: str) -> None:
        """Set a breakpoint as it is typed, or list them all. SessionError for anything else."""
        if not text:
            self.list_stops()
            return
        made = parse_stop(text)
        self.breakpoints = self.breakpoints.add(made)
        keys = [self._view.key(id) for id in ("continue", "continue_back", "breakpoints")]
        self._view.say(
            f"breakpoint: {made.text}   {keys[0]} goes on to it, {keys[1]} back to it, {keys[2]} lists them"
        )

    def list_stops(self) -> None:
        """List the breakpoints."""
        if self.breakpoints.all:
            self._view.open_page(BreakpointList(self, STOPS))
        else:
            self._view.say(f"no breakpoint is set; {self._view.key('break_here')} sets one", "warn")

    def go_on(self, forward: bool) -> None:
        """Go on to the next event of a breakpoint, or back to the one before."""
        heeded = self.breakpoints.enabled
        if not heeded:
            self._view.say(f"no breakpoint is set; {self._view.key('break_here')} sets one", "warn")
            return
        travel = self._captures.travel
        self._marks.jumped(travel.position)

        def met() -> str:
            moment = travel.moment
            names = [point.text for point in heeded if moment is not None and point.probe(moment)]
            return f"breakpoint: {', '.join(names)}"

        def wanted(moment: Moment) -> bool:
            return any(point.probe(moment) for point in heeded)

        travel.search(wanted, forward, met, f"no breakpoint is met {'after' if forward else 'before'} this")

    def seek(self, rest: str) -> None:
        """Go to the worst moment of a kind. SessionError if there is no such kind."""
        travel = self._captures.travel
        worst = Worst.parse(rest)
        self._marks.jumped(travel.position)

        def reached() -> str:
            if worst.what == QUEUE:
                return f"{worst.what}: {count(worst.size, 'job')} wait; an array counts once"
            return f"{worst.what}: job {worst.job} has waited {duration(worst.size)}"

        travel.seek(worst.way, reached, "no job starts")
