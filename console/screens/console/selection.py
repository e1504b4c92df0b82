"""The selection: which job is looked at, how the queue is sorted and filtered, why, and details."""

from collections.abc import Callable

from shadowtime.console import words
from shadowtime.console.screens.composed.copies import WIDTH, copy_text
from shadowtime.console.screens.composed.panels import QUEUE, RUNNING, PanelArrangement
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.console.typed import number
from shadowtime.console.screens.pages.detail import Detail, EventDetail, JobDetail, MetricsDetail, Step
from shadowtime.console.screens.pages.detail_text import event_lines
from shadowtime.console.screens.pages.node import NodePage
from shadowtime.console.screens.pages.users import UsersPage
from shadowtime.console.screens.travel.put_off import PutOffPage
from shadowtime.console.screens.travel.view import TravelView
from shadowtime.console.session.facts import Event
from shadowtime.console.session.jobs.fields import FORECAST, LIKELY
from shadowtime.console.session.jobs.fields import QUEUE as FIELDS
from shadowtime.console.session.jobs.put_off import PutOff
from shadowtime.console.session.table.ordering import Order
from shadowtime.console.widgets.events.panel import EventPanel
from shadowtime.console.widgets.events.text import sentence_of, why_text
from shadowtime.console.widgets.frame.ink import texts
from shadowtime.console.widgets.queue.panel import Queue
from shadowtime.console.words.moving import put_off_here, put_off_title

RUNS, BY_END = "state:R", Order(FIELDS, "ends")
"""The filter and the order of the running jobs."""


class Selection:
    """The job and the event that are looked at; `step` and `go` move the clock under their pages."""

    def __init__(
        self,
        view: TravelView,
        desk: Desk,
        panels: PanelArrangement,
        queue: Queue,
        events: EventPanel,
        step: Step,
        go: Callable[[str, str], None],
    ) -> None:
        self._view = view
        self._desk = desk
        self._panels = panels
        self._queue = queue
        self._events = events
        self._step = step
        self._go = go
        self._asked: tuple[int, int | None] | None = None
        """The event at which the operator asked why, and of which job."""

    @property
    def chosen(self) -> int | None:
        """Index of the job that is looked at: the selected one, else the head of the queue."""
        selected = self._desk.selected
        return selected if selected is not None else self._queue.key

    @property
    def queue_line(self) -> str:
        """The line of the job looked at, as the queue shows it."""
        if self.chosen is None:
            return ""
        row = self._desk.row(self.chosen)
        nodes = f"  {words.named_nodes(row.nodes)}" if row.nodes else ""
        return self._queue.line_text(row) + nodes

    @property
    def event(self) -> Event | None:
        """The event that is looked at: the one picked in the list, else the last."""
        return self._events.event

    @property
    def event_text(self) -> str:
        """All of the event that is looked at; empty if nothing has happened."""
        event = self.event
        return "" if event is None else "\n".join(texts(event_lines(event, WIDTH, self._desk.unit)))

    @property
    def reason(self) -> str:
        """Why the job looked at waits or started; empty without a job."""
        choice, shot = self._desk.choice(self.chosen), self._desk.snapshot
        return why_text(choice, shot.time, shot.number, self._desk.unit) if choice is not None else ""

    @property
    def explained(self) -> str:
        """The reason, and under it the nodes that the job holds; empty without a job."""
        if self.chosen is None or not self.reason:
            return ""
        return "\n".join(filter(None, (self.reason, words.holds(self._desk.row(self.chosen)))))

    def select(self, index: int | None) -> None:
        """Choose a job; None follows the head of the queue again."""
        self._desk.selected = index
        self._view.look()

    def select_job(self, job: int) -> None:
        """Choose a job by its id. SessionError if there is no such job."""
        self.select(self._desk.session.index_of(job))

    def why(self) -> None:
        """Say why the job looked at waits, or why it started; then Enter opens that job."""
        text = self.reason
        if text:
            self._panels.bring(4)
            self._asked = (self._desk.snapshot.number, self.chosen)
            self._view.say(text.splitlines()[0], "text")
        else:
            self._view.say(self._nobody(), "warn")

    def _nobody(self) -> str:
        return f"nobody waits and nobody runs; {self._view.key('next_decision')} goes to the next start"

    def sort_next(self) -> None:
        """Sort the queue by the next column in which jobs differ.

        Where likely starts are known, they stand for the expected ones.
        """
        session = self._desk.session
        likely = session.forecasts.latest_likely
        known = likely is not None and bool(likely.starts)
        differs = session.differs()

        def wanted(name: str) -> bool:
            if name in LIKELY or name == "starts":
                return known is (name in LIKELY)
            # What is forecast is found once it is asked for.
            return name in FORECAST or differs(name)

        self.sort_by(self._desk.sorting.next(wanted))

    def sort_reverse(self) -> None:
        self.sort_by(self._desk.sorting.turned())

    def sort_by(self, order: Order) -> None:
        self._desk.sorting = order
        self._panels.bring(2)
        self._view.arrive()
        # What is covered does not sort: the desk has said so.
        if self._desk.sorting == order:
            self._view.say(f"the queue is sorted {order}")

    def filter_by(self, text: str) -> None:
        """Show only the jobs that match; all of them for an empty text."""
        self._desk.filter = text
        self._view.arrive()

    def show_panel(self, number: int) -> None:
        """Put a panel in use. The running jobs are the queue through a filter; again: all jobs."""
        if number != RUNNING:
            self._panels.choose(number)
        elif self._desk.filter == RUNS and self._panels.used == QUEUE:
            self.all_jobs()
        else:
            self._desk.sorting = BY_END
            self._only(RUNS)

    def all_jobs(self) -> None:
        """Give up the filter, and the order that came with it."""
        if self._desk.filter == RUNS and self._desk.sorting == BY_END:
            self._desk.sorting = Order(FIELDS)
        self.filter_by("")
        self._view.say("the filter is off")

    def copy(self) -> None:
        """Copy what the panel in use says: the row of the queue, else the reasons."""
        copy_text(self._view, self._copied())

    def _copied(self) -> str:
        if self._panels.used == 2:
            return self.queue_line
        event = self.event
        if self._panels.used == 4 and event is not None and event.number != self._desk.snapshot.number:
            return sentence_of(event, self._desk.unit)
        return self.explained or sentence_of(event, self._desk.unit)

    def detail(self) -> None:
        detail = self._detail()
        if detail is None:
            self._view.say(self._nobody(), "warn")
        else:
            self._view.open_page(detail)

    def open_node(self, node: int) -> None:
        """Open everything about a node. SessionError if there is no such node."""
        self._view.open_page(NodePage(self._desk, self._step, node))

    def open_users(self) -> None:
        """Open the table of users and classes; one that is chosen there filters the queue."""
        self._view.open_page(UsersPage(self._desk, self._step, self._only))

    def open_put_off(self, rest: str) -> None:
        """List who is put off in the whole run, or was in so many events. Unknown: what is no number."""

        def there(job: PutOff) -> None:
            self._panels.show(QUEUE)
            self.select(job.job)
            self._go(f"#{job.event}", put_off_here(self._desk.session.id_of(job.job), job.most))

        events = number(rest, "number of events") if rest else None
        work = self._desk.session.forecasts.put_off(events)
        self._view.open_page(PutOffPage(put_off_title(events), work, self._desk, there))

    def _only(self, text: str) -> None:
        self._panels.show(QUEUE)
        self.filter_by(text)
        # What is covered is no filter: the desk has said so.
        if self._desk.filter == text:
            back = self._view.key("escape")
            self._view.say(f"only {text}; {back} shows all jobs again")

    @property
    def opens_event(self) -> bool:
        """Whether Enter opens an event: in the panel of events, unless the operator has just asked why."""
        if self._panels.used != 4 or self.event is None:
            return False
        asked = (self._desk.snapshot.number, self.chosen)
        return self._events.picked is not None or self._asked != asked

    @property
    def opens_job(self) -> bool:
        return self._panels.used != 5 and not self.opens_event and self.chosen is not None

    def _detail(self) -> Detail | None:
        if self._panels.used == 5:
            return MetricsDetail(self._desk, self._step)
        event = self.event
        if event is not None and self.opens_event:
            return EventDetail(self._desk, self._step, lambda text: self._go(text, ""), event)
        return None if self.chosen is None else JobDetail(self._desk, self._step, self.chosen)
