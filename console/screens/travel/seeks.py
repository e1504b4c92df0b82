"""Seeking: goes to the worst moment of the course, or to the next or last event at which something is so."""

from collections.abc import Callable
from functools import partial
from typing import Any

from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.travel.breakpoints import NextSearch, SearchJourney
from shadowtime.console.screens.travel.journey import CourseJourney
from shadowtime.console.screens.travel.view import Traveller
from shadowtime.console.session.course.places import START, AtJob
from shadowtime.console.session.course.worst import Worst, WorstSeeking
from shadowtime.console.words import moving as words
from shadowtime.console.words.units import Unit

PREEMPTIONS = {"next-preemption": (True, "preempt"), "previous-preemption": (False, "preempt")}
SIDES = {"next": True, "previous": False}


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
            return words.missed(self._moment)
        desk = self._seeks.desk
        job = self._seeks.job_of(worst)
        if job is not None:
            self.selects = partial(desk.select, AtJob(job, START))
        text = words.found(self._moment, worst, job or "", self._seeks.unit())
        return f"{text}; event {worst.event:,}, {desk.clock.format(desk.course.time)}"


class Seeks:
    """Seeks what is typed; `set_out` goes on a journey. `job_of` returns the job of a worst moment."""

    def __init__(
        self,
        desk: Traveller,
        set_out: Callable[[CourseJourney], None],
        unit: Callable[[], Unit],
        job_of: Callable[[Worst], str | None],
    ) -> None:
        self.desk = desk
        self._set_out = set_out
        self.unit = unit
        self.job_of = job_of

    @property
    def sought(self) -> tuple[str, ...]:
        """What can be sought; a side is followed by what a breakpoint takes."""
        return (*self.desk.course.stops.moments, *PREEMPTIONS, *SIDES)

    def seek(self, text: str) -> None:
        """Go to what is typed. Unknown or SessionError in one line if it is nothing to seek."""
        word, _, rest = text.partition(" ")
        moments = self.desk.course.stops.moments
        if word in SIDES and rest.strip():
            self._near(SIDES[word], rest)
        elif word in PREEMPTIONS and not rest:
            self._near(*PREEMPTIONS[word])
        elif word in moments and not rest:
            self._set_out(WorstSearch(self, word))
        else:
            raise Unknown(
                f"{text!r} is nothing to seek; expected {', '.join((*moments, *PREEMPTIONS))},"
                " or next or previous with what a breakpoint takes, as in next queue > 100"
            )

    def _near(self, forward: bool, text: str) -> None:
        course = self.desk.course
        self._set_out(NextSearch(course, course.stops.near(text, forward), forward, text))
