"""The desk: a session, what the operator looks at, and what is known there."""

from collections.abc import Callable, Collection, Mapping, Sequence

import attrs

from shadowtime.console import words
from shadowtime.console.clock import Clock
from shadowtime.console.screens.travel.view import Marks
from shadowtime.console.session import Case, Note, Session, SessionError
from shadowtime.console.session.course.places import AtJob
from shadowtime.console.session.course.worst import Worst
from shadowtime.console.session.facts import Event, Row, Snapshot
from shadowtime.console.session.jobs.fields import FORECAST, LIKELY, QUEUE
from shadowtime.console.session.table.filtering import asked
from shadowtime.console.session.table.ordering import Order
from shadowtime.console.widgets.events.text import ChosenJob
from shadowtime.console.widgets.queue.columns import Distinct

FORESEEN = FORECAST | LIKELY
"""The columns that hang on predictions."""
EVER = 10**18
"""Seconds before and after every instant."""


class Desk:
    """A session, the snapshot on the screen, the selection and the view of the queue.

    Only the desk asks the session about jobs and events: while a journey holds the session in another thread
    (`busy`), the answers are empty. `cover` hides of a row what must not be seen, and `last_event` is the
    number of the last event that may be seen; None is no limit.
    """

    def __init__(
        self,
        session: Session,
        *,
        say: Callable[[str, str], None],
        busy: Callable[[], bool],
        cover: Callable[[Row], Row],
        last_event: Callable[[], int | None],
    ) -> None:
        self.session = session
        self.marks = Marks()
        self.met: set[int] = set()
        """The events at which a breakpoint was met that was gone on to."""
        self.clock = Clock(session.case.scenario.epoch)
        self.snapshot: Snapshot = session.snapshot()
        self.selected: int | None = None
        """Index of the job that the operator chose; None follows the head of the queue."""
        self.sorting = Order(QUEUE)
        self.filter = ""
        self._say = say
        self._busy = busy
        self._cover = cover
        self._last_event = last_event
        self._known: dict[int, Row] = {}
        self._starts: Mapping[int, int] | None = None
        """The predicted starts of this event, by index, once they have been shown."""
        self._before: Mapping[int, int] = {}
        """Those of the event that was shown before."""

    @property
    def course(self) -> Session:
        return self.session

    @property
    def chosen_job(self) -> str:
        return "" if self.selected is None else str(self.session.id_of(self.selected))

    def job_of(self, worst: Worst) -> str | None:
        """Return the id of the job that a worst moment is about, if it is about one."""
        return str(self.session.id_of(worst.job)) if isinstance(worst.job, int) else None

    def select(self, place: AtJob) -> None:
        self.selected = self.session.index_of(place.id)

    def look(self) -> None:
        """A snapshot takes no time."""

    @property
    def busy(self) -> bool:
        return self._busy()

    @property
    def case(self) -> Case:
        return self.session.case

    @property
    def unit(self) -> words.Unit:
        """What the machine is counted in, with the clock of its instants."""
        return words.unit_of(self.case.scenario.machine, self.clock)

    def go_on_as(self, other: "Desk") -> None:
        """Take over the marks and the view of the queue from a desk of the same past."""
        self.marks = other.marks
        self.sorting, self.filter = other.sorting, other.filter

    def freshen(self) -> None:
        starts, found = self._starts, self.session.snapshot()
        if found.number != self.snapshot.number:
            self._before = starts or {}
        self.forget_rows()
        self.snapshot = found

    def forget_changes(self) -> None:
        """The run is another one: what it changed of the predicted starts is not a change of a step."""
        self._starts, self._before = None, {}

    def rows(self, order: Sequence[int], first: int, count: int) -> Sequence[Row]:
        if self.busy:
            return ()
        return [self._compared(self._cover(row)) for row in self.session.rows(order, first, count)]

    def _compared(self, row: Row) -> Row:
        """Return a row with what the last step changed of its predicted start, if both are known."""
        if row.predicted is None or row.predicted.event != self.snapshot.number:
            return row
        if self._starts is None:
            self._starts = self.session.predicted_starts()
        before = self._before.get(row.index, row.predicted.time)
        return attrs.evolve(row, change=(row.predicted.time - before) or None)

    def events(self, first: int, count: int) -> Sequence[Event]:
        if self.busy:
            return ()
        found, last = self.session.events(first, count), self._last_event()
        return found if last is None else [event for event in found if event.number <= last]

    def columns(self, index: int) -> Sequence[tuple[int, int]]:
        return () if self.busy else self.session.columns(index)

    def row(self, index: int) -> Row:
        """One job, kept until `forget_rows`."""
        row = self._known.get(index)
        if row is None:
            row = self._known[index] = self.session.row(index)
        return self._cover(row)

    def forget_rows(self) -> None:
        """The clock moved or predictions came: rows are asked for anew."""
        self._known.clear()
        self._starts = None

    def start_of(self, index: int) -> int | None:
        return None if self.busy else self.row(index).start

    def end_of(self, index: int) -> int | None:
        return None if self.busy else self.row(index).end

    def order(self) -> Sequence[int]:
        """The queue as it is sorted and filtered; a filter without a meaning is dropped, with a message.

        So is an order that would show what is covered.
        """
        if self.foreseen and self._covers():
            self.sorting, self.filter = Order(QUEUE), ""
            self._say("starts and ends to come are covered, and so is an order by them", "warn")
        if self.sorting.plain and not self.filter:
            return self.snapshot.everybody
        sort, reverse = self.sorting.name, self.sorting.reverse
        try:
            return self.session.order(sort, reverse, self.filter)
        except SessionError as error:
            self.filter = ""
            self._say(str(error), "warn")
            return self.session.order(sort, reverse)

    @property
    def foreseen(self) -> bool:
        """Whether the order of the queue, or who is in it, hangs on predictions."""
        return not FORESEEN.isdisjoint(self._fields)

    @property
    def _fields(self) -> frozenset[str]:
        return asked(self.filter, QUEUE) | {self.sorting.name}

    @property
    def slipping(self) -> Sequence[int]:
        """The jobs whose slip the filter or the order asks for."""
        return self.snapshot.waiting if "slip" in self._fields else ()

    @property
    def unknown(self) -> int:
        """Of how many jobs what the filter or the order asks for is still being found."""
        return 0 if self.busy or not self.foreseen else self.session.forecasts.unknown(self._fields)

    def next_up(self, count: int) -> Sequence[Row]:
        """The jobs that start next; those without a prediction come last."""
        return () if self.busy else self.rows(self.session.next_up(count), 0, count)

    def ends_next(self, count: int) -> Sequence[Row]:
        return () if self.busy else [self.row(index) for index in self.session.ends_next(count)]

    def texts(self, field: str) -> Collection[str]:
        columns = self.case.columns
        if field == "state":
            return tuple(words.STATES)
        column = {"user": columns.user, "class": columns.klass, "queue": columns.queue}.get(field, ())
        return column.distinct() if isinstance(column, Distinct) else set(column)

    def _covers(self) -> bool:
        """Whether something is hidden of the jobs."""
        first = next(iter(self.snapshot.everybody), None)
        if first is None:
            return False
        row = self.session.row(first)
        return self._cover(row) is not row

    def choice(self, index: int | None) -> ChosenJob | None:
        """A job with the reasons that it has at the snapshot."""
        if index is None or self.busy:
            return None
        row = self.row(index)
        # A start that is covered has no chain that leads to it.
        foreseen = row.predicted is not None or row.likely is not None or row.unforeseen
        chain = self.session.forecasts.chain(index) if row.waits and foreseen else None
        return ChosenJob.of(row, self.session.turned(row.id), self.snapshot, chain)

    @property
    def readings(self) -> list[str]:
        """What reading the workload left out or changed."""
        workload = self.case.scenario.workload
        return words.reading(workload.dropped, workload.dropped_lines, workload.notes)

    def notes(self) -> tuple[Note, ...]:
        """The notes of the scenario up to now, the latest last."""
        return () if self.busy else self.session.notes(-EVER, self.snapshot.time)

    def note(self) -> tuple[Note, bool] | None:
        """The latest note, and whether the clock stands at its moment; None if it is long past."""
        found = self.notes()
        if not found:
            return None
        latest, number = found[-1], self.snapshot.number
        first = max(1, number - words.LINGERS)
        recent = self.events(first, number - first + 1)
        if words.gone(latest, recent):
            return None
        return latest, words.fresh(latest, recent, self.snapshot.time)
