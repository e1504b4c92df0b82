"""Moving in time far: to an event, a time, a share, a job's start, a mark.

What takes longer than a frame is gone in a worker, told on the way, and can be stopped.
"""

from collections.abc import Callable

from textual.timer import Timer

from console.screens.console.journey import Journey
from console.screens.console.session_screen import SessionScreen
from console.session import Session, SessionError
from console.session.travel.places import AtEvent, AtJob, AtShare, AtTime, Place, parse_place

PATIENCE = 0.012
"""Seconds that a jump may take on the screen's own thread: less than a frame."""
TELLING = 0.2
"""Seconds between two reports of where a long jump has come to."""


class Jumping(SessionScreen):
    """What the keys of jumps and marks do."""

    _journey: Journey | None = None
    _teller: Timer | None = None
    awaited = ""
    """The key that waits for a letter: `m` or `'`."""

    def action_first(self) -> None:
        """To the beginning."""
        self._travel("to the beginning", _always, self.session.go_start)

    def action_last(self) -> None:
        """To the end."""
        self._travel("to the end", _total_known(self.session), self.session.go_end)

    def go(self, text: str) -> None:
        """To a place as it is typed; what is none is told in one line."""
        session = self.session
        try:
            place = parse_place(text)
            known = known_at(session, place)
        except SessionError as error:
            self.say(str(error), "warn")
            return

        def arrive() -> None:
            session.go(text)
            match place:
                case AtEvent(number) if session.number < number:
                    journey.told = f"there is no event {number:,}: event {session.number:,} is the last"

        journey = Journey(session, f"to {text}", known, arrive)
        self.set_out(journey)

    def action_mark(self) -> None:
        """Mark this position with the letter that follows."""
        self.awaited = "m"
        self.say(f"mark event {self.snapshot.number:,} with which letter?", "key")

    def action_to_mark(self) -> None:
        """To the mark of the letter that follows, or with ' to where the last jump began."""
        if self.awaited == "'":
            # The key twice, where the operator chose one that is no letter.
            self.answer_letter("'")
            return
        self.awaited = "'"
        known = self.marks.letters
        back = f"{self.key('to_mark')} goes back to where you were"
        self.say(f"to which mark? {known + '  ' if known else ''}{back}", "key")

    def answer_letter(self, letter: str) -> None:
        """The letter that a mark waited for."""
        asked, self.awaited = self.awaited, ""
        if asked == "m":
            self.set_mark(letter)
        elif letter in ("'", self.key("to_mark")):
            self._back_to(self.marks.before, "no jump has been made yet")
        else:
            self._back_to(
                self.marks.get(letter), f"no mark {letter}; set one with {self.key('mark')} {letter}"
            )

    def set_mark(self, letter: str) -> None:
        """Mark this position."""
        if len(letter) == 1 and letter.isalpha():
            self.marks.set(letter, self.snapshot.number)
            back = f"{self.key('to_mark')} {letter}"
            self.say(f"mark {letter} is event {self.snapshot.number:,}; {back} comes back here")
            self.show_state()
        else:
            self.say("a mark is one letter", "warn")

    def _back_to(self, number: int | None, otherwise: str) -> None:
        if number is None:
            self.say(otherwise, "warn")
        else:
            self.go(f"#{number}")

    def stop_journey(self) -> bool:
        """Stop a long jump where it has come to; whether there was one."""
        if self._journey is not None:
            self._journey.stop()
        return self._journey is not None

    def _travel(self, words: str, known: Callable[[], bool], arrive: Callable[[], object]) -> None:
        self.set_out(Journey(self.session, words, known, arrive))

    def set_out(self, journey: Journey) -> None:
        """Go on a journey: at once, or where that takes long in a thread, told on the way."""
        self.pause()
        if journey.advance(PATIENCE):
            self._ended(journey)
            return
        self.busy, self._journey = True, journey
        self._teller = self.set_interval(TELLING, self._tell)
        self.run_worker(lambda: self._go_on(journey), thread=True, group="journey")

    def _go_on(self, journey: Journey) -> None:
        journey.advance()
        self.app.call_from_thread(self._ended, journey)

    def _tell(self) -> None:
        if self._journey is not None:
            self.say(
                f"going {self._journey.words}: event {self._journey.number:,} ...  Esc stops here", "key"
            )

    def _ended(self, journey: Journey) -> None:
        if self._teller is not None:
            self._teller.stop()
        self.busy, self._journey, self._teller = False, None, None
        if self.session.number != journey.origin:
            self.marks.jumped(journey.origin)
            self.arrive()
        back = 2 * self.key("to_mark")
        if journey.fault is not None:
            self.say(" ".join(str(journey.fault).split()), "warn")
        elif journey.told and not journey.stopped:
            self.say(journey.told)
        elif journey.stopped:
            self.say(
                f"stopped at event {self.session.number:,}; {back} goes back to event {journey.origin:,}"
            )
        elif self.session.number == journey.origin:
            self.say(f"{journey.words}: already here")
        else:
            self.say(f"came {journey.words}; {back} goes back to event {journey.origin:,}")


def check_place(session: Session, text: str) -> None:
    """Check a place as it is typed. SessionError where it is none."""
    known_at(session, parse_place(text))


def known_at(session: Session, place: Place) -> Callable[[], bool]:
    """Whether the session can go to a place without running on far. SessionError for a job that is none."""
    total_known = _total_known(session)
    match place:
        case AtEvent(number):
            return lambda: session.number >= number or total_known()
        case AtTime(time):
            return lambda: session.time > time or total_known()
        case AtShare():
            return total_known
        case AtJob(job, moment):
            index = session.index_of(job)
            return lambda: total_known() or _happened(session, index, moment)


def _happened(session: Session, index: int, moment: str) -> bool:
    row = session.row(index)
    if moment == "submit":
        return row.state != ""
    return row.start is not None if moment == "start" else row.state == "F"


def _total_known(session: Session) -> Callable[[], bool]:
    return lambda: session.total is not None


def _always() -> bool:
    return True
