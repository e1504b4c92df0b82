"""The training menu: the tour, the courses with their lessons, and how far the operator has come."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from random import randrange
from typing import ClassVar

from textual.binding import Binding, BindingType

from console.screens.pages.choice_list import ChoiceScreen
from console.screens.pages.page import Page
from console.screens.training.drill import DrillScreen
from console.screens.training.duty import IncidentShift, ManualShift
from console.screens.training.menu_text import Item, item_lines, lesson_items, menu_lines, points_of
from console.screens.training.tour import SCENARIO, STEPS, Tour
from console.session import PolicyError, ScenarioError, SessionError, load, open_session, scenario_files
from console.session.permissions import permissions_of
from console.session.training import (
    POINTS,
    RIGHT,
    WRONG,
    Course,
    Drill,
    Lesson,
    Progress,
    ProgressError,
    Record,
    Standing,
    Unkept,
    Verdict,
    courses,
    hint_of,
    key_of,
    lessons_of,
    moment_now,
    open_lesson,
    operator_name,
    progress_file,
    record_of,
)
from console.session.training.lessons import INCIDENTS, MANUAL, Shift, shifts
from console.widgets.frame.ink import Line, wrap

TOUR = "tour"
"""What stands for the tour in the menu, and in the file of progress."""
TOUR_ABOUT = f"""
A walk through the panels and the keys on a machine of 128 nodes, in {len(STEPS)} steps of one key each. Each
step tells what the key changed. Five minutes.
"""


MANUAL_ABOUT = (
    "Here nothing starts unless you start it. You are compared with EASY, conservative backfilling and gang"
    " scheduling on the same jobs: a point for each that does no better, by the mean bounded slowdown."
)


class Training(ChoiceScreen[Item]):
    """Pick a lesson; Esc goes back. `course` shows that course alone, of a lecturer's folder."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "back", id="quit"),
        Binding("escape", "leave", "back", id="escape"),
        Binding("question_mark", "help", "help", id="help"),
    ]
    HEADING = "TRAINING"
    KEYS = (("detail", "open"), ("next_panel", "read"), ("help", "help"), ("escape", "back"))

    def __init__(self, course: Course | None = None, seed: int | None = None) -> None:
        """`seed` settles choices and drawn questions; without it each opening of a lesson has another."""
        super().__init__(menu_lines, item_lines)
        self._course = course
        self._seed = seed
        self._progress = Progress(progress_file())
        self._operator = operator_name()
        self._opening = False
        self.fault = ""
        """Why progress cannot be read or kept; empty where it can."""

    def on_mount(self) -> None:
        if permissions_of(self.app).no_writing:
            self._progress = Unkept()
        self.shelf.focus()
        self.fill()

    # What there is.

    def fill(self) -> None:
        """Read the courses and the progress anew."""
        known = courses()
        taught = known.courses if self._course is None else (self._course,)
        self.fault = ""
        items = (
            [] if self._course else [Item("The tour", "Panels and keys", TOUR_ABOUT, TOUR, self._toured())]
        )
        for course in taught:
            items += lesson_items(course, lessons_of(course), self._standings(course))
        items += self._shifts() if self._course is None else []
        self.shelf.items = items
        self.faults = [*([self.fault] if self.fault else []), *(() if self._course else known.faults)]
        self.shelf.rebuild()
        self.about.show(self.shelf.current, self.faults)
        self.entitle(
            (" training of ", "dim"),
            (self._operator, "strong"),
            ("  the simulation computes every answer", "dim"),
        )
        self.tell()

    def _toured(self) -> str:
        """Whether the operator has been on the tour."""
        try:
            return "done" if self._progress.standing(self._operator, TOUR) else ""
        except ProgressError as error:
            self.fault = f"{error}; nothing is kept meanwhile"
            return ""

    def _shifts(self) -> list[Item]:
        """The shifts by hand, and the nights on duty, each with the best of its points."""
        found = []
        for group, kind in (("You are the scheduler", MANUAL), ("Nights on duty", INCIDENTS)):
            try:
                best = self._progress.standing(self._operator, kind)
            except ProgressError as error:
                self.fault, best = f"{error}; nothing is kept meanwhile", {}
            for shift in shifts(kind):
                about = shift.about + (f"\n\n{MANUAL_ABOUT}" if kind == MANUAL else "")
                points = points_of(best.get(shift.name))
                found.append(Item(group, shift.title, about, shift, points))
        return found

    def _standings(self, course: Course) -> dict[str, Standing]:
        try:
            return dict(self._progress.standing(self._operator, key_of(course)))
        except ProgressError as error:
            self.fault = f"{error}; nothing is kept meanwhile"
            return {}

    # Opening.

    def waits_for(self, key: str) -> bool:
        """Whether a key waits for the lesson that is being read."""
        return self._opening

    def on_shelf_opened(self) -> None:
        """Open what is under the cursor; a lesson is read in a worker, for it may name a log."""
        item = self.shelf.current
        if item is None or self._opening:
            return
        if isinstance(item.opens, Lesson):
            lesson = item.opens
            self._opening = True
            self.tell((f"reading {lesson.path.name} ...   ", "key"))
            self.run_worker(lambda: self._read(lesson), thread=True, exclusive=True)
        elif isinstance(item.opens, Shift):
            self._take_on(item.opens)
        elif item.opens == TOUR:
            path = next(path for path in scenario_files() if path.stem == SCENARIO)
            self.app.push_screen(Tour(open_session(load(path)), self._tour_ended), lambda _: self.fill())

    def _read(self, lesson: Lesson) -> None:
        try:
            drill = open_lesson(lesson, randrange(1 << 31) if self._seed is None else self._seed)
            standing = self._standings(lesson.course).get(lesson.name, Standing({}))
            place = standing.begins_at(len(drill.questions))
            drill.begin(place, standing.hints.get(place + 1, 0))
        except (ScenarioError, SessionError, PolicyError, OSError) as error:
            self.app.call_from_thread(self._refused, str(error).splitlines())
        else:
            self.app.call_from_thread(self._open, lesson, drill)

    def _refused(self, faults: Sequence[str]) -> None:
        self._opening = False
        self.about.show(self.shelf.current, faults)
        self.tell(("this lesson cannot be opened   ", "bad"))

    def _open(self, lesson: Lesson, drill: Drill) -> None:
        self._opening = False
        self.tell()
        self.app.push_screen(
            DrillScreen(drill, self._keeper(lesson), self._hints(lesson)), lambda _: self.fill()
        )

    def _take_on(self, shift: Shift) -> None:
        """Begin a shift: by hand against three schedulers, or on duty in an incident."""
        kind = ManualShift if shift.kind == MANUAL else IncidentShift
        case = load(shift.path, policy=MANUAL if shift.kind == MANUAL else None)

        def ended(figure: float, points: int) -> str:
            moment = moment_now()
            record = Record(
                operator=self._operator,
                moment=moment,
                course=shift.kind,
                lesson=shift.name,
                question=1,
                ask=shift.kind,
                verdict=RIGHT if points else WRONG,
                given=f"{figure:.3f}",
                points=points,
                most=POINTS,
            )
            return self._keep(record)

        self.app.push_screen(kind(case, ended), lambda _: self.fill())

    def _tour_ended(self) -> None:
        moment = moment_now()
        with suppress(ProgressError):
            self._progress.save(Record(self._operator, moment, TOUR, TOUR, 1, TOUR, RIGHT))

    def _keeper(self, lesson: Lesson) -> Callable[[Verdict], str]:
        """Return what keeps each verdict at once; it returns why if it cannot."""
        return lambda verdict: self._keep(record_of(lesson, self._operator, moment_now(), verdict))

    def _hints(self, lesson: Lesson) -> Callable[[Drill], str]:
        """Return what keeps each hint at once: leaving the lesson gives none of them back."""

        return lambda drill: self._keep(hint_of(lesson, self._operator, moment_now(), drill))

    def _keep(self, record: Record) -> str:
        try:
            self._progress.save(record)
        except ProgressError as error:
            return str(error)
        return ""

    # Keys.

    def action_help(self) -> None:
        """How training works."""
        self.app.push_screen(Page("TRAINING", help_lines))

    def action_leave(self) -> None:
        """Back to where the operator came from; out, where training was opened first."""
        # Below the screens that were pushed lies an empty one of Textual's own.
        if len(self.app.screen_stack) > 2:
            self.dismiss()
        else:
            self.app.exit(0)


HELP = (
    "A lesson is a small scenario. The console stops before a decision and asks; look around, then press the"
    " letter of a choice, or press t and type a job's id, or a time as you would write it anywhere else.",
    "A right answer earns three points, one less for each of two hints. k skips a question: it is asked"
    " again the next time. o shows the answer, for no points. Esc leaves; what was answered is kept.",
    "The number behind a lesson is what you earned, of what the questions answered so far are worth; the"
    " best answer to each question counts.",
    "Every answer is computed by the simulation at that moment. Nothing is stored in the file of the lesson.",
    "Your progress lies in training.sqlite3 in the data folder of shadowtime; `shadowtime train --csv` prints"
    " it. SHADOWTIME_OPERATOR names who you are.",
)


def help_lines(width: int) -> list[Line]:
    """How training works."""
    return [line for part in HELP for line in [*wrap(part, width), []]]
