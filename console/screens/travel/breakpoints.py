"""Breakpoints: set them, list them, go on to them, forward and back. Searches for the worst moments."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar

from textual.binding import Binding, BindingType

from shadowtime.console import words
from shadowtime.console.screens.command_table import ABSENT_ARGUMENTS
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.pages.page import CursorPage
from shadowtime.console.screens.travel.journey import CourseJourney
from shadowtime.console.screens.travel.view import Traveller, TravelView
from shadowtime.console.session.course.course import Course
from shadowtime.console.session.course.places import START, AtEvent, AtJob
from shadowtime.console.session.course.seeking import Search
from shadowtime.console.session.course.stops import Stops
from shadowtime.console.session.course.worst import Worst, WorstSeeking
from shadowtime.console.widgets.frame.ink import Line, wrap
from shadowtime.console.words import moving as searches
from shadowtime.console.words.units import Unit

HINT = "preempt   job 31   start 31   queue > 100   utilization < 0.5   wait(31) > 2h"
PREEMPTIONS = {"next-preemption": (True, "preempt"), "previous-preemption": (False, "preempt")}
SIDES = {"next": True, "previous": False}


class SearchJourney(CourseJourney):
    """A search for an event, which then is gone to."""

    def __init__(
        self, course: Course, search: Search, words: str, met: Callable[[int], object] = int
    ) -> None:
        """`met` gets the event that was found."""
        super().__init__(course, words, self._there(course, search), self._go)
        self.search, self.met = search, met
        self._course = course

    def _there(self, course: Course, search: Search) -> Iterator[int]:
        yield from search.looking
        search.run()
        if search.found is not None:
            yield from course.way(AtEvent(search.found))

    def _go(self) -> None:
        if self.search.found is not None:
            self._course.go_event(self.search.found)
            self.met(self.search.found)
        self.report = self.describe()

    def describe(self) -> str:
        raise NotImplementedError


class NextSearch(SearchJourney):
    """A search for the next event of a breakpoint, or for the one before; `sought` for one as it is typed."""

    def __init__(
        self,
        course: Course,
        search: Search,
        forward: bool,
        sought: str = "",
        met: Callable[[int], object] = int,
    ) -> None:
        self._forward, self._sought = forward, sought
        super().__init__(course, search, f"to {sought or 'a breakpoint'}", met)

    def describe(self) -> str:
        found = self.search.found
        if found is None:
            return searches.nothing(self._sought, self._forward)
        if self._sought:
            return f"{self._sought}: event {found:,}"
        return f"breakpoint: {', '.join(self.search.met)}"


class Breakpoints:
    """Sets breakpoints, lists them, and goes on to them; `set_out` goes on a journey."""

    def __init__(
        self,
        view: TravelView,
        desk: Traveller,
        set_out: Callable[[CourseJourney], None],
        hint: str = HINT,
    ) -> None:
        """`hint` has examples of what can be typed."""
        self._view = view
        self._desk = desk
        self._set_out = set_out
        self._hint = hint

    @property
    def _stops(self) -> Stops[Any]:
        return self._desk.course.stops

    def set_here(self) -> None:
        """Set a breakpoint on the selected job; without one, on what is typed."""
        job = self._desk.chosen_job
        if job:
            self.add(f"job {job}")
        else:
            self._view.ask("break", "break at ", hint=self._hint)

    def add(self, text: str) -> None:
        """Set a breakpoint as it is typed, or list them all. SessionError if the text is no breakpoint."""
        if not text:
            self.show()
            return
        made = self._stops.set(text)
        on, back, every = (self._view.key(id) for id in ("continue", "continue_back", "breakpoints"))
        self._view.say(f"breakpoint: {made.text}   {on} goes on to it, {back} back to it, {every} lists them")

    def show(self) -> None:
        if self._stops.points.all:
            self._view.open_page(BreakpointList(self._stops, self._hint))
        else:
            self._view.say(f"no breakpoint is set; {self._view.key('break_here')} sets one", "warn")

    def go_on(self, forward: bool) -> None:
        """Go on to the next event of a breakpoint, or back to the one before."""
        if self._stops.points.enabled:
            search = self._stops.seek(forward)
            self._set_out(NextSearch(self._desk.course, search, forward, met=self._desk.met.add))
            return
        keys = self._view.key("break_here"), self._view.key("breakpoints")
        self._view.say(
            f"no breakpoint is set; {keys[0]} sets one, {keys[1]} lists those that are off", "warn"
        )


class BreakpointList(CursorPage):
    """The breakpoints; Enter turns one off or on, x removes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("x,delete", "remove", "remove")]
    KEYS = (("detail", "on or off"), ("x", "remove"), ("escape", "back"))

    def __init__(self, stops: Stops[Any], hint: str = HINT) -> None:
        """`hint` has examples of what can be typed."""
        self._stops, self._hint = stops, hint
        super().__init__("BREAKPOINTS", self._each, lambda: len(stops.points.all), self._toggle)

    def _each(self, width: int) -> Sequence[Line]:
        points = self._stops.points.all
        if not points:
            return [[("  no breakpoint is set", "dim")]]
        return [
            [("on   " if each.enabled else "off  ", "good" if each.enabled else "dim"),
             (each.text, "text" if each.enabled else "dim")]
            for each in points
        ]  # fmt: skip

    def below(self, place: int, width: int) -> Sequence[Line]:
        """How another is set: the key takes the selected job, all else is typed."""
        hint = self._hint.replace("   ", ", ")
        text = f"another one: type :break and what to stop at, as one of {hint}"
        return wrap(text, width, "dim", [("  ", "dim")], 2)

    def _toggle(self, place: int) -> None:
        self._stops.points = self._stops.points.toggle(place)
        self.freshen()

    def action_remove(self) -> None:
        if self.count:
            self._stops.points = self._stops.points.remove(self.place)
            self.freshen()
            shown = words.count(self.count, "breakpoint")
            self.show_keys((f"{shown} left   ", "strong"))


class WorstSearch(SearchJourney):
    """A search of the whole course for its worst moment; `seeks` says what is there."""

    def __init__(self, seeks: "Seeks", moment: str) -> None:
        course = seeks.desk.course
        self._seeks, self._moment = seeks, moment
        self._worst: WorstSeeking[Any] = course.stops.worst(moment)
        super().__init__(course, self._worst, f"to the {moment.replace('-', ' ')}")

    def describe(self) -> str:
        worst = self._worst.worst
        if worst is None:
            return searches.missed(self._moment)
        desk = self._seeks.desk
        job = self._seeks.job_of(worst)
        if job is not None:
            self.selects = partial(desk.select, AtJob(job, START))
        text = searches.found(self._moment, worst, job or "", self._seeks.unit())
        return f"{text}; event {worst.event:,}, {desk.clock.format(desk.course.time)}"


class Seeks:
    """Seeks what is typed; `set_out` goes on a journey. `job_of` returns the job of a worst moment."""

    def __init__(
        self,
        desk: Traveller,
        set_out: Callable[[CourseJourney], None],
        unit: Callable[[], Unit],
        job_of: Callable[[Worst], str | None],
        lists: Mapping[str, Callable[[str], None]] = MappingProxyType({}),
    ) -> None:
        """`lists` open pages of what was sought; each gets the rest of its line."""
        self.desk, self._lists = desk, lists
        self._set_out = set_out
        self.unit = unit
        self.job_of = job_of

    @property
    def sought(self) -> tuple[str, ...]:
        """What can be sought; a side is followed by what a breakpoint takes."""
        return (*self.desk.course.stops.moments, *self._lists, *PREEMPTIONS, *SIDES)

    def seek(self, text: str) -> None:
        """Go to what is typed. Unknown or SessionError in one line if it is nothing to seek."""
        word, _, rest = text.partition(" ")
        moments = self.desk.course.stops.moments
        if word in SIDES and rest.strip():
            self._near(SIDES[word], rest)
        elif word in self._lists:
            self._lists[word](rest)
        elif word in PREEMPTIONS and not rest:
            self._near(*PREEMPTIONS[word])
        elif word in moments and not rest:
            self._set_out(WorstSearch(self, word))
        else:
            expected = (
                f"expected {', '.join((*moments, *self._lists, *PREEMPTIONS))},"
                " or next or previous with what a breakpoint takes, as in next queue > 100"
            )
            raise Unknown(f"{text!r} is nothing to seek; {ABSENT_ARGUMENTS.get(text, expected)}")

    def _near(self, forward: bool, text: str) -> None:
        course = self.desk.course
        self._set_out(NextSearch(course, course.stops.near(text, forward), forward, text))
