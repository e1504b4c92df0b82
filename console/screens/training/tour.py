"""The tour: a walk through panels and keys on a machine of 128 nodes; each step asks for one key."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

import attrs
from textual.events import Key
from textual.widget import Widget

from shadowtime.console import words
from shadowtime.console.screens.actions import Action
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.detail import JobDetail
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.session import Session
from shadowtime.console.widgets.events.text import why_text
from shadowtime.console.widgets.frame.ink import Line, wrap
from shadowtime.console.widgets.frame.question import QuestionPanel

SCENARIO = "modal-128"
"""The shipped scenario that the tour walks through, by the stem of its file."""
BEGIN = "6h"
"""Where it begins: jobs run, and jobs wait."""
LOOKING = 0.05
"""Seconds between two looks at what the operator has done."""


@attrs.frozen
class Seen:
    """What a step can change, as the operator sees it."""

    number: int
    panel: int
    selected: int | None
    sort: str
    filter: str
    playing: bool
    asking: bool
    colouring: str
    page: str
    """The kind of page that lies over the panels; empty without one."""
    jumps: int
    """Places that were typed so far."""
    whys: int
    """Times that the operator asked why."""
    rows: int
    """Jobs that the queue shows."""
    opens_job: bool
    """Whether Enter opens a job."""
    waiting: int
    backwards: bool
    over: bool
    """Whether nothing is left to happen."""


@attrs.frozen
class Need:
    """What has to hold before a step: if it does not, the key that leads back, and why."""

    holds: Callable[[Seen], bool]
    key: str
    because: str


PAUSED = Need(lambda seen: not seen.playing, "play", "the clock runs; this pauses it")
FORWARD = Need(lambda seen: not seen.backwards, "reverse", "the clock would run back; this turns it round")
NOT_OVER = Need(lambda seen: not seen.over, "first", "the run is over; this leads to its beginning")
STARTS_AHEAD = Need(
    lambda seen: seen.waiting > 0 or seen.number == 0, "first", "nobody waits; this leads to the beginning"
)
BEGUN = Need(lambda seen: seen.number > 0, "forward", "nothing has happened yet; this is the first event")
NO_JOB_PAGE = Need(
    lambda seen: seen.page in ("", JobDetail.__name__),
    "escape",
    "another page is open; this leads back to the panels",
)
NO_PAGE = Need(lambda seen: not seen.page, "escape", "a page is open; this leads back to the panels")
OPENS_JOB = Need(lambda seen: seen.opens_job, "panel2", "this step begins with a job")
QUEUE = Need(lambda seen: seen.panel == 2, "panel2", "this step begins in the queue")
PANELS = Need(lambda seen: seen.panel != 3, "panel2", "the Gantt chart has keys of its own; this leaves it")
UNFILTERED = Need(lambda seen: seen.rows > 1 or not seen.filter, "escape", "the filter leaves too few jobs")
JOBS = Need(lambda seen: seen.rows > 1, "goto", "too few jobs are here: type 50% and press Enter")


@attrs.frozen
class Step:
    """One step: the key, what it does, when it is done, what changed, and what has to hold before."""

    key: str
    """The id of the key, or a key itself."""
    asks: str
    done: Callable[[Seen, Seen], bool]
    result: Callable[["Tour", Seen], str]
    needs: tuple[Need, ...] = (PAUSED,)


def _event(tour: "Tour", before: Seen) -> str:
    last = tour.snapshot.last
    text = words.event(last, tour.desk.unit) if last is not None else "the beginning"
    when = tour.desk.unit.instant(tour.snapshot.time)
    return f"event {before.number:,} -> {tour.snapshot.number:,}, {when}: {text}"


def _queue(tour: "Tour", _: Seen) -> str:
    shot = tour.snapshot
    return (
        f"the queue: {words.count(len(shot.waiting), 'job')} waiting on top, {len(shot.running)} running"
        " below; STARTS is the predicted start, REASON why a job waits"
    )


def _why(tour: "Tour", _: Seen) -> str:
    choice = tour.desk.choice(tour.selection.chosen)
    if choice is None:
        return ""
    shot = tour.snapshot
    return why_text(choice, shot.time, shot.number, tour.desk.unit).splitlines()[0]


def _selected(tour: "Tour", _: Seen) -> str:
    job = tour.session.id_of(tour.desk.selected) if tour.desk.selected is not None else "-"
    return f"job {job} is selected: panel 4 is about it, and the map marks its nodes while it runs"


STEPS: tuple[Step, ...] = (
    Step(
        "forward", "one event forward", lambda old, new: new.number > old.number, _event, (PAUSED, NOT_OVER)
    ),
    Step(
        "back",
        "one event back: the same state as before",
        lambda old, new: new.number < old.number,
        _event,
        (PAUSED, BEGUN),
    ),
    Step(
        "next_decision",
        "to the next event that starts a job",
        lambda old, new: new.number > old.number,
        _event,
        (PAUSED, STARTS_AHEAD),
    ),
    Step(
        "panel4",
        "the events: past above the mark, and what was decided",
        lambda old, new: new.panel == 4 != old.panel or (old.panel == 4 and new.panel == 4),
        lambda tour, _: "panel 4 is in use: Up and Down look at other events, each with its reasons",
    ),
    Step("panel2", "the queue", lambda _, new: new.panel == 2, _queue),
    Step(
        "Down",
        "selects the next job; Up the one before",
        lambda old, new: new.selected not in (None, old.selected),
        _selected,
        (PAUSED, NO_PAGE, QUEUE, UNFILTERED, JOBS),
    ),
    Step(
        "why",
        "says why it waits, or why it started",
        lambda old, new: new.whys > old.whys,
        _why,
        (PAUSED, NO_PAGE, QUEUE, UNFILTERED, JOBS),
    ),
    Step(
        "detail",
        "opens all about it, and how its predicted start moved; Esc there leads back",
        lambda _, new: new.page == JobDetail.__name__,
        lambda tour, _: "a page: every field of the job; n and p step the clock under it",
        (PAUSED, NO_JOB_PAGE, OPENS_JOB, UNFILTERED, JOBS),
    ),
    Step(
        "escape",
        "leads back, from here and from anywhere",
        lambda _, new: not new.page,
        lambda tour, _: "back at the panels",
    ),
    Step(
        "filter",
        "shows only some jobs: type size>32 and press Enter",
        lambda _, new: bool(new.filter) and not new.asking,
        lambda tour, _: (
            f"{len(tour.desk.order()):,} jobs match {tour.desk.filter!r}; the title of panel 2 says so"
        ),
    ),
    Step(
        "sort",
        "sorts the queue by the next column",
        lambda old, new: new.sort != old.sort,
        lambda tour, _: f"the queue is sorted by {tour.desk.sorting.name}: an arrow marks the column",
        (PAUSED, NO_PAGE, PANELS),
    ),
    Step(
        "colouring",
        "colours the node map by the next property",
        lambda old, new: new.colouring != old.colouring,
        lambda tour, _: f"the map is coloured {tour.sight.colouring}; z and Z look closer and further",
    ),
    Step(
        "goto",
        "goes anywhere: type 50% and press Enter",
        lambda old, new: not new.asking and new.jumps > old.jumps,
        _event,
    ),
    Step(
        "play",
        "plays, event by event",
        lambda _, new: new.playing,
        lambda tour, _: "the clock runs; [ and ] make it slower and faster, r turns it round",
        (FORWARD, NOT_OVER),
    ),
    Step("play", "pauses", lambda _, new: not new.playing, _event, ()),
)


class Tour(ConsoleScreen):
    """The console with a guide under its panels. `ended` hears that the last step was done."""

    keeps: ClassVar[bool] = False

    def __init__(self, session: Session, ended: Callable[[], None] | None = None) -> None:
        self.reached = 0
        """The step that is asked for, from 0."""
        self._finished = ended
        self._guide = QuestionPanel(id="question")
        self._changed = "Each step asks for one key and shows what it changed."
        self._before: Seen | None = None
        self._missing: Need | None = None
        """What does not hold although the step needs it."""
        self._jumps = 0
        self._whys = 0
        super().__init__(session, BEGIN)

    def below_panels(self) -> Sequence[Widget]:
        return (self._guide,)

    def begin(self) -> None:
        super().begin()
        self.set_interval(LOOKING, self.watch_operator)
        self._tell()

    @property
    def sight(self) -> Seen:
        """What the operator sees now."""
        return Seen(
            number=self.snapshot.number,
            panel=self.panels.used,
            selected=self.desk.selected,
            sort=self.desk.sorting.name,
            filter=self.desk.filter,
            playing=self.player.playing,
            asking=self._prompt.asking,
            colouring=self.picture.map.colouring.value,
            page=type(self.app.screen).__name__ if isinstance(self.app.screen, Page) else "",
            jumps=self._jumps,
            whys=self._whys,
            waiting=len(self.snapshot.waiting),
            rows=0 if self.busy else len(self.desk.order()),
            opens_job=self.selection.opens_job,
            backwards=self.player.backwards,
            over=self.snapshot.number == self.snapshot.total,
        )

    @property
    def step(self) -> Step | None:
        """What is asked for; None after the last step."""
        return STEPS[self.reached] if self.reached < len(STEPS) else None

    @property
    def ready(self) -> bool:
        """Whether the place where the tour begins has been reached."""
        return self._before is not None

    def watch_operator(self) -> None:
        """See whether the step was done."""
        if self.busy:
            return
        now, step = self.sight, self.step
        if self._before is None:
            # Only when the place where the tour begins has been reached.
            self._before = now if now.number else None
        elif step is not None:
            self._look_at(step, self._before, now)

    def _look_at(self, step: Step, before: Seen, now: Seen) -> None:
        """Go on if a step was done; else see what it lacks, and show which key leads back."""
        missing, self._missing = self._missing, None
        if missing is None and step.done(before, now):
            self._changed = step.result(self, before)
            self.next_step()
            return
        self._missing = next((need for need in step.needs if not need.holds(now)), None)
        if self._missing is not None:
            # What counts is what changes from where the step can begin.
            self._before = now
        if self._missing is not missing:
            if self._missing is None:
                self._before = now
            self._tell()

    def next_step(self) -> None:
        """Go on to the next step."""
        self.reached += 1
        self._before = self.sight
        if self.step is None and self._finished is not None:
            self._finished()
        self._tell()

    def paint_lines(self) -> None:
        super().paint_lines()
        self._tell()

    def _tell(self) -> None:
        if self.is_mounted:
            self._guide.fit(self.guide_lines(self.size.width - 2), 6)

    def guide_lines(self, width: int) -> Sequence[Line]:
        """What has changed, and which key comes next."""
        lines: list[Line] = list(wrap(self._changed, width, "good", [("* ", "key")], 2))
        step, leave = self.step, self.key("quit")
        if step is None:
            helps, trains = self.key("help"), self.key("train")
            end = f"You know the way now: {helps} lists every key, {trains} leads back to the courses."
            return [*lines, *wrap(end, width, "strong", [("THE TOUR IS OVER  ", "head")], 2)]
        which = f"STEP {self.reached + 1} of {len(STEPS)}  press "
        first: Line = [(which, "head"), (self.key(step.key), "key"), ("  ", "text")]
        last: Line = [("k", "key"), (" skips this step   ", "dim"), (leave, "key"), (" leaves", "dim")]
        if self._missing is not None:
            back = [(which, "head"), (self.key(self._missing.key), "key"), (" first  ", "head")]
            return [*lines, *wrap(self._missing.because, width, "warn", back, 2), last]
        return [*lines, *wrap(step.asks, width, "strong", first, 2), last]

    def typed(self, question: str, text: str) -> None:
        if question == "goto" and text:
            self._jumps += 1
        super().typed(question, text)

    def command(self, line: str) -> None:
        if line.split(" ")[0] == "under":
            self.say("the tour keeps its policy; q leaves it", "warn")
        else:
            super().command(line)

    def pressed(self, event: Key) -> bool:
        if event.key == "k" and self.step is not None and not self._prompt.asking:
            self._changed = "skipped"
            self.next_step()
            return True
        return super().pressed(event)

    def actions_of(self, table: Mapping[str, Action]) -> Mapping[str, Action]:
        def why() -> None:
            self._whys += 1
            table["why"]()

        return {**table, "train": self._leave, "why": why}

    def _leave(self) -> None:
        """Back to the courses."""
        self.dismiss()
