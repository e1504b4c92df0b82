"""The detail views: a job, an event, the metrics. They stay true while the clock is stepped under them."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from shadowtime.console import words
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.pages.detail_text import (
    event_lines,
    job_lines,
    metric_lines,
    odds_lines,
    status_lines,
)
from shadowtime.console.screens.pages.page import Build, Page
from shadowtime.console.session.facts import Event
from shadowtime.console.session.jobs.history import Life, LifeWork
from shadowtime.console.session.nodes.whereabouts import Whereabouts, WhereaboutsWork
from shadowtime.console.widgets.frame.ink import Line, Piece

SEEN = 16
"""Events of an instant that are named at most."""
Step = Callable[[int], None]
"""Moves the clock so many events, back if fewer than 0."""


class Detail(Page):
    """A page about something on the desk; `n` and `p` step the clock under it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,full_stop", "step(1)", "step", id="forward"),
        Binding("p,comma", "step(-1)", "back", id="back"),
    ]
    KEYS = (*Page.KEYS, ("forward", "step"), ("back", "step back"))

    def __init__(self, desk: Desk, step: Step, title: str, source: Build) -> None:
        super().__init__(title, source)
        self.desk = desk
        self._step = step

    def on_mount(self) -> None:
        super().on_mount()
        self.follow()

    def moved(self) -> None:
        """The clock was stepped."""
        self.freshen()
        self.follow()

    def follow(self) -> None:
        """Begin to find what takes long to find of the present position."""

    def action_step(self, events: int) -> None:
        """Step the clock; this view goes with it."""
        self._step(events)
        self.show_keys()
        self.moved()

    def show_keys(self, *first: Piece, brief: Sequence[Piece] = ()) -> None:
        """Show the keys after some words, by default where the clock stands."""
        if not first:
            at, unit = self.desk.snapshot, self.desk.unit
            instants = unit.instant(at.time), unit.clock.minute(at.time)
            first, brief = (((f"event {at.number:,}, {each}   ", "strong"),) for each in instants)
        super().show_keys(*first, brief=brief)


class JobDetail(Detail):
    """One job: every field, why it stands there; by workers its nodes, and how its forecast moved.

    `N` and `P` step the clock to the next and the last event at which its predicted start moved.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("N", "change(1)", "it moves", id="next_decision"),
        Binding("P", "change(-1)", "it moved", id="previous_decision"),
    ]
    KEYS = (*Detail.KEYS, ("next_decision", "its start moves"), ("previous_decision", "moved"))

    def __init__(self, desk: Desk, step: Step, index: int) -> None:
        self._index = index
        self._job = desk.session.id_of(index)
        self._lives: dict[int, Life] = {}
        self._changes: set[int] = set()
        """The events at which the predicted start moved, as far as they have been seen."""
        self._work: LifeWork | None = None
        self._causes: dict[int, str] = {}
        """What happened at the events that moved its predicted start."""
        self._where: dict[int, Whereabouts | None] = {}
        self._seeking: WhereaboutsWork | None = None
        super().__init__(desk, step, f"JOB {self._job}", self._lines)

    def on_unmount(self) -> None:
        self._stop()

    def _stop(self) -> None:
        """Let the history that is being worked out come to its end, and not be taken."""
        for work in (self._work, self._seeking):
            if work is not None:
                work.cancel()
        self._work = self._seeking = None

    def _lines(self, width: int) -> Sequence[Line]:
        choice = self.desk.choice(self._index)
        snapshot = self.desk.snapshot
        if choice is None:
            return ()
        life = self._lives.get(snapshot.number)
        where = self._where.get(snapshot.number)
        number, unit = snapshot.number, self.desk.unit
        here = self._happened(number) if number in self._changes and not self.desk.busy else ""
        return job_lines(choice, life, snapshot.time, number, width, unit, where, here, self._causes)

    def _happened(self, number: int) -> str:
        """What happened at the instant of an event: that is why the predicted start moved.

        Of a pass it names the jobs that came before.
        """
        events = self.desk.session.events(max(1, number - SEEN + 1), min(number, SEEN))
        return "; ".join(
            words.tally(it.decisions, self.desk.unit) if it.kind == "pass" else words.occurred(it)
            for it in events
            if it.time == events[-1].time and (it.kind != "pass" or any(made.job for made in it.decisions))
        )

    def follow(self) -> None:
        number = self.desk.snapshot.number
        if number in self._lives or self.desk.busy:
            return
        self._stop()
        work = self._work = self.desk.session.forecasts.life_of(self._job)

        def run() -> None:
            found = work.predicted()
            hand_over(found)
            hand_over(work.odds(found))

        def hand_over(found: Life) -> None:
            if work is self._work:
                self.app.call_from_thread(self._take, number, found)

        self.run_worker(run, thread=True)
        if not self.desk.row(self._index).nodes:
            self._seek(number)

    def _seek(self, number: int) -> None:
        work = self._seeking = WhereaboutsWork(self.desk.session.run, self._index)

        def run() -> None:
            found = work.run()
            if work is self._seeking:
                self.app.call_from_thread(taken, found)

        def taken(found: Whereabouts | None) -> None:
            self._where[number] = found
            self.freshen()

        self.run_worker(run, thread=True)

    def action_change(self, way: int) -> None:
        """Step the clock to the next event at which the predicted start moves (1), or the last one (-1)."""
        here = self.desk.snapshot.number
        events = [event for event in self._changes if (event - here) * way > 0]
        if not events:
            where = "before this" if way < 0 else "after this; n steps on"
            self.show_keys((f"its predicted start does not move {where}   ", "warn"))
            return
        self.action_step(min(events, key=lambda event: abs(event - here)) - here)

    def _take(self, number: int, found: Life) -> None:
        self._lives[number] = found
        self._changes.update(made.event for made in found.predicted)
        if not self.desk.busy:
            new = (event for event in self._changes - self._causes.keys() if event <= number)
            self._causes |= {event: self._happened(event) for event in new}
        self.freshen()


class EventDetail(Detail):
    """One event with every decision; `g` goes there."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("g", "go", "go there", id="goto")]
    KEYS = (("escape", "back"), ("goto", "go to this event"), ("copy", "copy"))

    def __init__(self, desk: Desk, step: Step, go: Callable[[str], None], event: Event) -> None:
        super().__init__(
            desk, step, f"EVENT {event.number:,}", lambda width: event_lines(event, width, desk.unit)
        )
        self._event = event
        self._go = go

    def action_go(self) -> None:
        self.dismiss()
        self._go(f"#{self._event.number}")


class MetricsDetail(Detail):
    """What the policy goes by, and every metric with what it means."""

    def __init__(self, desk: Desk, step: Step) -> None:
        super().__init__(desk, step, "METRICS", self._lines)

    def _lines(self, width: int) -> Sequence[Line]:
        snapshot, unit = self.desk.snapshot, self.desk.unit
        odds = odds_lines(self.desk.session.forecasts.latest_likely, width)
        return [*status_lines(snapshot, width, unit), *odds, *metric_lines(snapshot.metrics, width, unit)]
