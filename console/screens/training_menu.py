"""The training menu: the tour, the courses with their lessons, and how far the operator has come."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.content import Content
from textual.message import Message
from textual.screen import Screen

from console import words
from console.keys import keyboard_of
from console.screens.page import Page
from console.screens.training_drill import DrillScreen
from console.screens.training_duty import IncidentShift, ManualShift
from console.screens.training_text import Item, item_lines, lesson_items, menu_lines, told
from console.screens.training_tour import SCENARIO, STEPS, Tour
from console.session import PolicyError, ScenarioError, SessionError, load, open_session, scenario_files
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
    Verdict,
    courses,
    key_of,
    lessons_of,
    open_lesson,
    operator_name,
    progress_file,
)
from console.session.training.lessons import INCIDENTS, MANUAL, Shift, shifts
from console.widgets.panel import Frame
from console.widgets.panel_ink import Line, Piece, wrap
from console.widgets.panel_lines import EVERYTHING, LineView
from console.widgets.status import StatusLine

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


class Menu(LineView):
    """What can be chosen, one under the other, in groups."""

    # Where a scrollbar comes no line is cut.
    DEFAULT_CSS = "Menu { scrollbar-gutter: stable; }"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "open", "open", show=False, id="detail"),
        Binding("home", f"move({-EVERYTHING})", show=False, id="first"),
        Binding("end", f"move({EVERYTHING})", show=False, id="last"),
    ]

    class Moved(Message):
        """The cursor stands on another line."""

    class Opened(Message):
        """The operator wants what stands under the cursor."""

    def __init__(self) -> None:
        super().__init__(id="titles")
        self.items: Sequence[Item] = ()
        self.cursor = 0

    @property
    def current(self) -> Item | None:
        """The item under the cursor."""
        return self.items[self.cursor] if self.cursor < len(self.items) else None

    def build(self, width: int, height: int) -> Sequence[Line]:
        lines, place = menu_lines(self.items, self.cursor, width)
        self.call_after_refresh(self._keep_in_sight, place)
        return lines

    def action_move(self, lines: int) -> None:
        """Move the cursor by items."""
        self.cursor = min(max(0, self.cursor + lines), max(0, len(self.items) - 1))
        self.rebuild()
        self.post_message(self.Moved())

    def action_open(self) -> None:
        """Open what stands under the cursor."""
        self.post_message(self.Opened())

    def _keep_in_sight(self, place: int) -> None:
        top, height = self.scroll_offset.y, self.size.height
        if place < top or place >= top + height:
            self.scroll_to(y=max(0, place - height // 2), animate=False)


class About(LineView):
    """What the item under the cursor is about."""

    # Where a scrollbar comes no line is cut.
    DEFAULT_CSS = "About { scrollbar-gutter: stable; }"

    def __init__(self) -> None:
        super().__init__(id="about")
        self._item: Item | None = None
        self._faults: Sequence[str] = ()

    def show(self, item: Item | None, faults: Sequence[str] = ()) -> None:
        """Show an item, after what is wrong."""
        self._item, self._faults = item, faults
        self.scroll_to(y=0, animate=False)
        self.rebuild()

    def build(self, width: int, height: int) -> Sequence[Line]:
        return item_lines(self._item, self._faults, width)


class Training(Screen[None]):
    """Pick a lesson; Esc goes back. `course` shows that course alone, of a lecturer's folder."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "back", id="quit"),
        Binding("escape", "leave", "back", id="escape"),
        Binding("tab", "turn", "read", show=False, id="next_panel"),
        Binding("shift+tab", "turn", "read", show=False, id="previous_panel"),
        Binding("question_mark", "help", "help", id="help"),
    ]
    KEYS = (("detail", "open"), ("next_panel", "read"), ("help", "help"), ("escape", "back"))

    def __init__(self, course: Course | None = None) -> None:
        super().__init__()
        self._menu = Menu()
        self._about = About()
        self._course = course
        self._progress = Progress(progress_file())
        self._operator = operator_name()
        self._opening = False
        self._faults: Sequence[str] = ()
        self.fault = ""
        """Why progress cannot be read or kept; empty where it can."""

    def compose(self) -> ComposeResult:
        yield StatusLine(id="browser-title")
        with Container(id="shelf"):
            yield Frame(Content("TRAINING"), self._menu, id="titles-frame")
            yield Frame(Content("ABOUT"), self._about, id="about-frame")
        yield StatusLine(id="browser-keys")

    def on_mount(self) -> None:
        self._menu.focus()
        self.fill()

    def on_screen_resume(self) -> None:
        words.count_in()

    # What there is.

    def fill(self) -> None:
        """Read the courses and the progress anew."""
        shelf = courses()
        taught = shelf.courses if self._course is None else (self._course,)
        self.fault = ""
        items = (
            [] if self._course else [Item("The tour", "Panels and keys", TOUR_ABOUT, TOUR, self._toured())]
        )
        for course in taught:
            items += lesson_items(course, lessons_of(course), self._standings(course))
        items += self._shifts() if self._course is None else []
        self._menu.items = items
        self._faults = [*([self.fault] if self.fault else []), *(() if self._course else shelf.faults)]
        self._menu.rebuild()
        self._about.show(self._menu.current, self._faults)
        title: list[Piece] = [
            (" SHADOWTIME ", "strong"),
            (" training of ", "dim"),
            (self._operator, "strong"),
            ("  the simulation computes every answer", "dim"),
        ]
        self.query_one("#browser-title", StatusLine).put(title)
        self._tell()

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
                points = told(best.get(shift.name))
                found.append(Item(group, shift.title, about, shift, points))
        return found

    def _standings(self, course: Course) -> dict[str, Standing]:
        try:
            return dict(self._progress.standing(self._operator, key_of(course)))
        except ProgressError as error:
            self.fault = f"{error}; nothing is kept meanwhile"
            return {}

    def _tell(self, *first: Piece) -> None:
        pieces: list[Piece] = [(" ", "text"), *first]
        for key, label in self.KEYS:
            pieces += [(keyboard_of(self.app).first(key), "key"), (f" {label}   ", "dim")]
        self.query_one("#browser-keys", StatusLine).put(pieces)

    def on_menu_moved(self) -> None:
        """Another item is read."""
        self._about.show(self._menu.current, self._faults)
        self._tell()

    # Opening.

    def on_menu_opened(self) -> None:
        """Open what is under the cursor; a lesson is read in a worker, for it may name a log."""
        item = self._menu.current
        if item is None or self._opening:
            return
        if isinstance(item.opens, Lesson):
            lesson = item.opens
            self._opening = True
            self._tell((f"reading {lesson.path.name} ...   ", "key"))
            self.run_worker(lambda: self._read(lesson), thread=True, exclusive=True)
        elif isinstance(item.opens, Shift):
            self._take_on(item.opens)
        elif item.opens == TOUR:
            path = next(path for path in scenario_files() if path.stem == SCENARIO)
            self.app.push_screen(Tour(open_session(load(path)), self._tour_ended), lambda _: self.fill())

    def _read(self, lesson: Lesson) -> None:
        try:
            drill = open_lesson(lesson)
            standing = self._standings(lesson.course).get(lesson.name, Standing({}))
            drill.begin(standing.begins_at(len(drill.questions)))
        except (ScenarioError, SessionError, PolicyError, OSError) as error:
            self.app.call_from_thread(self._refused, str(error).splitlines())
        else:
            self.app.call_from_thread(self._open, lesson, drill)

    def _refused(self, faults: Sequence[str]) -> None:
        self._opening = False
        self._about.show(self._menu.current, faults)
        self._tell(("this lesson cannot be opened   ", "bad"))

    def _open(self, lesson: Lesson, drill: Drill) -> None:
        self._opening = False
        self._tell()
        self.app.push_screen(DrillScreen(drill, self._keeper(lesson)), lambda _: self.fill())

    def _take_on(self, shift: Shift) -> None:
        """Begin a shift: by hand against three schedulers, or on duty in an incident."""
        kind = ManualShift if shift.kind == MANUAL else IncidentShift
        case = load(shift.path, policy=MANUAL if shift.kind == MANUAL else None)

        def ended(figure: float, points: int) -> str:
            moment = datetime.now(UTC).isoformat(timespec="seconds")
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
            try:
                self._progress.save(record)
            except ProgressError as error:
                return str(error)
            return ""

        self.app.push_screen(kind(case, ended), lambda _: self.fill())

    def _tour_ended(self) -> None:
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        with suppress(ProgressError):
            self._progress.save(Record(self._operator, moment, TOUR, TOUR, 1, TOUR, RIGHT))

    def _keeper(self, lesson: Lesson) -> Callable[[Verdict], str]:
        """What keeps each verdict at once; it tells why where it cannot."""

        def keep(verdict: Verdict) -> str:
            try:
                self._progress.save(self._record(lesson, verdict))
            except ProgressError as error:
                return str(error)
            return ""

        return keep

    def _record(self, lesson: Lesson, verdict: Verdict) -> Record:
        return Record(
            operator=self._operator,
            moment=datetime.now(UTC).isoformat(timespec="seconds"),
            course=key_of(lesson.course),
            lesson=lesson.name,
            question=verdict.place + 1,
            ask=verdict.answer.question.ask,
            verdict=verdict.verdict,
            given=verdict.typed,
            hints=verdict.hints,
            points=verdict.points,
            most=POINTS,
        )

    # Keys.

    def action_turn(self) -> None:
        """From the titles to the text and back, to scroll it."""
        other = self._about if self._menu.has_focus else self._menu
        other.focus()

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
    "A lesson is a small scenario. The console stops before a decision and asks; look around, then answer"
    " by the letter of a choice, by a job's id, or by a time as you would write it anywhere else.",
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
