"""Seeking: goes to the worst moment of the course, or to the next or last event at which something is so."""

from collections.abc import Callable

from shadowtime.console.screens.console.breakpoints import Search
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.travel.journey import SessionJourney
from shadowtime.console.session import Session
from shadowtime.console.session.travel.worst import MOMENTS
from shadowtime.console.words import seeking as words

PREEMPTIONS = {"next-preemption": (True, "preempt"), "previous-preemption": (False, "preempt")}
SIDES = {"next": True, "previous": False}
SOUGHT = (*MOMENTS, *PREEMPTIONS, *SIDES)
"""What can be sought; a side is followed by what a breakpoint takes."""


class WorstSearch(Search):
    """A search of the whole course for its worst moment."""

    def __init__(self, session: Session, desk: Desk, moment: str) -> None:
        self._desk = desk
        self._moment = moment
        self._worst = session.seek_worst(moment)
        super().__init__(session, True, self._worst, f"to the {moment.replace('-', ' ')}")

    def _arrived(self) -> None:
        worst = self._worst.worst
        if worst is None:
            self.report = words.missed(self._moment)
            return
        self._session.go_event(worst.event)
        label = "" if worst.job is None else str(self._session.id_of(worst.job))
        text = words.found(self._moment, worst, label, self._desk.unit)
        self.report = f"{text}; event {worst.event:,}, {self._desk.clock.format(self._session.time)}"
        self.selects = worst.job


class Seeks:
    """Seeks what is typed; `set_out` goes on a journey."""

    def __init__(self, desk: Desk, set_out: Callable[[SessionJourney], None]) -> None:
        self._desk = desk
        self._session = desk.session
        self._set_out = set_out

    def seek(self, text: str) -> None:
        """Go to what is typed. Unknown or SessionError in one line if it is nothing to seek."""
        word, _, rest = text.partition(" ")
        if word in SIDES and rest.strip():
            self._near(SIDES[word], rest)
        elif word in PREEMPTIONS and not rest:
            self._near(*PREEMPTIONS[word])
        elif word in MOMENTS and not rest:
            self._set_out(WorstSearch(self._session, self._desk, word))
        else:
            raise Unknown(
                f"{text!r} is nothing to seek; expected {', '.join((*MOMENTS, *PREEMPTIONS))},"
                " or next or previous with what a breakpoint takes, as in next queue > 100"
            )

    def _near(self, forward: bool, text: str) -> None:
        search = self._session.seek_near(text, forward)
        self._set_out(Search(self._session, forward, search, f"to {text}"))
