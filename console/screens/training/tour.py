"""The tour: a console with a guide under its panels; each step of the scenario's [tour] asks for one key."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual.events import Key
from textual.widget import Widget

from shadowtime.console import words
from shadowtime.console.screens.actions import Action
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.detail import JobDetail
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.session import Session
from shadowtime.console.session.training import Seen, TourStep, met
from shadowtime.console.widgets.events.text import why_text
from shadowtime.console.widgets.frame.ink import Line, wrap
from shadowtime.console.widgets.frame.question import QuestionPanel

LOOKING = 0.05
"""Seconds between two looks at what the operator has done."""
NOTHING, YES, NO = "nothing", "yes", "no"


class Tour(ConsoleScreen):
    """The console with a guide under its panels. `ended` hears that the last step was done."""

    keeps: ClassVar[bool] = False

    def __init__(self, session: Session, ended: Callable[[], None] | None = None) -> None:
        tour = session.case.scenario.tour
        assert tour is not None
        self.steps = tour.steps
        self.reached = 0
        """The step that is asked for, from 0."""
        self._finished = ended
        self._guide = QuestionPanel(id="question")
        self._changed = "Each step asks for one key and shows what it changed."
        self._before: Seen | None = None
        self._missing: TourStep | None = None
        """What does not hold although the step needs it."""
        self._jumps = 0
        self._reasons = 0
        super().__init__(session, f"{tour.begin}s", said="here the tour begins")

    def below_panels(self) -> Sequence[Widget]:
        return (self._guide,)

    def begin(self) -> None:
        super().begin()
        self.set_interval(LOOKING, self.watch_operator)
        self._tell()

    @property
    def sight(self) -> Seen:
        """What the operator sees now, as the conditions of a tour name it."""
        number, rows = self.snapshot.number, 0 if self.busy else len(self.desk.order())
        page, chosen = self.app.screen, self.desk.selected
        flags = {
            "plays": self.player.playing,
            "asks": self._prompt.asking,
            "backwards": self.player.backwards,
            "over": number == self.snapshot.total,
            "starts": bool(self.snapshot.waiting) or number == 0,
            "listed": rows > 1,
            "filtered": rows <= 1 and bool(self.desk.filter),
            "opens": self.selection.opens_job,
        }
        return {
            "event": number,
            "panel": self.panels.used,
            "job": NOTHING if chosen is None else self.session.id_of(chosen),
            "sort": self.desk.sorting.name,
            "filter": self.desk.filter or NOTHING,
            "colouring": self.picture.map.colouring.value,
            "page": "job" if isinstance(page, JobDetail) else "other" if isinstance(page, Page) else NOTHING,
            "jumps": self._jumps,
            "reasons": self._reasons,
            **{name: YES if holds else NO for name, holds in flags.items()},
        }

    @property
    def step(self) -> TourStep | None:
        """What is asked for; None after the last step."""
        return self.steps[self.reached] if self.reached < len(self.steps) else None

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
            self._before = now if now["event"] else None
        elif step is not None:
            self._look_at(step, self._before, now)

    def _look_at(self, step: TourStep, before: Seen, now: Seen) -> None:
        """Go on if a step was done; else see what it lacks, and show which key leads back."""
        missing, self._missing = self._missing, None
        if missing is None and met(step.until, before, now):
            self._changed = step.done.format(**{**now, **self._told(before)})
            self.next_step()
            return
        self._missing = next((need for need in step.needs if not met(need.until, now, now)), None)
        if self._missing is not None or missing is not None:
            # What counts is what changes from where the step can begin.
            self._before = now
        if self._missing is not missing:
            self._tell()

    def _told(self, before: Seen) -> Mapping[str, object]:
        """What a step may name beside what is seen: the event that came, a reason, how many jobs wait."""
        shot, unit, choice = self.snapshot, self.desk.unit, self.desk.choice(self.selection.chosen)
        text = "the beginning" if shot.last is None else words.event(shot.last, unit)
        why = "" if choice is None else why_text(choice, shot.time, shot.number, unit).splitlines()[0]
        return {
            "event": f"event {before['event']:,} -> {shot.number:,}, {unit.instant(shot.time)}: {text}",
            "why": why,
            "waiting": words.count(len(shot.waiting), "job"),
            "running": len(shot.running),
            "listed_jobs": len(self.desk.order()),
        }

    def next_step(self) -> None:
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
        asked, role, then = step, "strong", "  "
        if self._missing is not None:
            asked, role, then = self._missing, "warn", " first  "
        which = f"STEP {self.reached + 1} of {len(self.steps)}  press "
        first: Line = [(which, "head"), (self.key(asked.key), "key"), (then, "head")]
        last: Line = [("k", "key"), (" skips this step   ", "dim"), (leave, "key"), (" leave", "dim")]
        return [*lines, *wrap(asked.text, width, role, first, 2), last]

    @property
    def labels(self) -> Mapping[str, str]:
        return {"quit": "leave", "train": "courses"}

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
            self._reasons += 1
            table["why"]()

        return {**table, "train": self.dismiss, "why": why}
