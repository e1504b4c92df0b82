"""The training menu: the tour, the courses with their lessons, and how far the operator has come."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import Screen

from shadowtime.console.screens.pages.choice_list import ChoiceScreen
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.screens.training.asking import QuestionScreen
from shadowtime.console.screens.training.kinds import drill_screen
from shadowtime.console.screens.training.menu_text import (
    Item,
    item_lines,
    level_of,
    menu_lines,
    points_of,
    review_lines,
    share_of,
)
from shadowtime.console.screens.training.shift import Ended, ShiftScreen
from shadowtime.console.screens.training.tour import Tour
from shadowtime.console.session import (
    PolicyError,
    ScenarioError,
    SessionError,
    load,
    open_session,
    scenario_files,
)
from shadowtime.console.session.curriculum.map import Mapped, suggested
from shadowtime.console.session.curriculum.trainee import SHIFTS, Due, Trainee
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.session.shift import (
    MANUAL,
    MOST,
    Score,
    ShiftFile,
    open_shift,
    references_of,
    shift_files,
)
from shadowtime.console.session.training import (
    RIGHT,
    Course,
    Drill,
    Head,
    Lesson,
    Record,
    Unkept,
    courses,
    moment_now,
    read_head,
)
from shadowtime.console.widgets.frame.ink import Line, Piece, paragraphs

Opened = TypeVar("Opened", bound=Screen[None])
TOUR = "tour"
"""The stem of the tour's scenario, and what it is kept under in the file of progress."""
REVIEW = "review"
"""What stands for the review in the menu."""
BEGIN = "BEGIN HERE"
FOLDING = {"+": "unfold", "-": "fold", "": "open"}
"""What Enter does with a course or with a lesson, by its sign."""


class Training(ChoiceScreen[Item]):
    """Pick a lesson; Esc goes back. `course` shows that course alone, of a lecturer's folder."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q", "leave", "back", id="quit"),
        Binding("escape", "leave", "back", id="escape"),
        Binding("question_mark", "help", "help", id="help"),
        Binding("r", "review", "review", id="training_review"),
    ]
    HEADING = "TRAINING"
    KEYS = (("detail", "open"), ("next_panel", "read"), ("help", "help"), ("escape", "back"))

    def __init__(self, course: Course | None = None, seed: int | None = None, review: bool = False) -> None:
        """`seed` settles choices and drawn questions; without it each opening of a lesson has another.

        `review` begins with what is due.
        """
        super().__init__(menu_lines, item_lines)
        self._course = course
        self._seed = seed
        self._trainee = Trainee()
        self._opening = False
        self._review_first = review
        self._unfolded: set[Path] | None = None
        """The folders of the courses whose lessons are shown; None until the menu is filled."""
        self._due: tuple[Due, ...] = ()
        """What is due, while it is asked: the next one first."""

    @property
    def fault(self) -> str:
        """Why progress cannot be read or kept; empty if it can."""
        return f"{self._trainee.fault}; nothing is kept meanwhile" if self._trainee.fault else ""

    def on_mount(self) -> None:
        if permissions_of(self.app).no_writing:
            self._trainee = Trainee(Unkept())
        self.shelf.focus()
        # Of one course alone the first lesson stands under the cursor.
        self.shelf.cursor = 0 if self._course is None else 1
        self.fill()
        if self._review_first:
            self.action_review()

    # What there is.

    def fill(self) -> None:
        self._trainee.fault = ""
        known = courses()
        items = [] if self._course else [*self._tour(), *self._to_review()]
        items += self._map(known.courses if self._course is None else (self._course,))
        items += self._shifts() if self._course is None else []
        self.shelf.items = items
        self.faults = [*([self.fault] if self.fault else []), *(() if self._course else known.faults)]
        self.shelf.rebuild()
        self.about.show(self.shelf.current, self.faults)
        self.entitle(
            (" training of ", "dim"),
            (self._trainee.name, "strong"),
            ("  the simulation computes every answer", "dim"),
        )
        self.show_keys()

    def show_keys(self, *first: Piece) -> None:
        review: tuple[Piece, ...] = (("r", "key"), (" review   ", "dim")) if self._course is None else ()
        super().show_keys(*first, *review)

    @property
    def shown_keys(self) -> Sequence[tuple[str, str]]:
        """A course of several is unfolded, or folded away."""
        current = self.shelf.current
        sign = "" if current is None or self._course is not None else current.fold
        return (("detail", FOLDING[sign]), *self.KEYS[1:])

    def _tour(self) -> list[Item]:
        done = "done" if self._trainee.standings_under(TOUR) else ""
        head = read_head(next(path for path in scenario_files() if path.stem == TOUR))
        return [Item(BEGIN, head.title, head.about, head, done)]

    def _to_review(self) -> list[Item]:
        """The review, if anything was missed."""
        missed = self._trainee.missed()
        due = sum(it.missed.due <= date.today() for it in missed)
        if not missed:
            return []
        return [Item(BEGIN, "Review what you missed", review_lines(missed, due), REVIEW, f"{due} due")]

    def _map(self, taught: Sequence[Course]) -> list[Item]:
        """The courses by levels; the lessons of those that are unfolded."""
        mapped = self._trainee.map(taught)
        if self._unfolded is None:
            begin = suggested(mapped)
            self._unfolded = {begin.course.folder} if begin is not None else set()
        found = []
        for it in mapped:
            course, group = it.course, level_of(it.course)
            unfolded = course.folder in self._unfolded or self._course is not None
            found.append(
                Item(group, course.title, course.about, it, share_of(it), fold="-" if unfolded else "+")
            )
            for lesson in it.lessons if unfolded else ():
                points = points_of(it.standings.get(lesson.name))
                found.append(Item(group, lesson.title, lesson.about, lesson, points, course, depth=1))
        return found

    def _shifts(self) -> list[Item]:
        """The shifts by hand, and the incidents, each with the best of its scores."""
        best = self._trainee.standings_under(SHIFTS)
        found = []
        for shift in shift_files():
            group = "You are the scheduler" if shift.kind == MANUAL else "Nights on duty"
            earned = best.get(shift.name)
            points = f"{earned.points} of {MOST}" if earned is not None and earned.best else ""
            found.append(Item(group, shift.title, shift.about, shift, points))
        return found

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
            self._begin(
                lesson.path, lambda: self._drill_screen(lesson, self._trainee.open(lesson, self._seed))
            )
        elif isinstance(item.opens, Mapped):
            self._turn(item.opens)
        elif item.opens == REVIEW:
            self.action_review()
        elif isinstance(item.opens, ShiftFile):
            shift = item.opens
            self._begin(shift.path, lambda: self._shift_screen(shift))
        elif isinstance(item.opens, Head):
            tour = Tour(open_session(load(item.opens.path)), self._tour_ended)
            self.app.push_screen(tour, lambda _: self.fill())

    def _begin(
        self, path: Path, make: Callable[[], Opened], left: Callable[[Opened], None] = lambda _: None
    ) -> None:
        """Read a file and make its screen in a worker, then show it; `left` hears that it was left."""
        self._opening = True
        self.show_keys((f"reading {path.name} ...   ", "key"))

        def read() -> None:
            try:
                screen = make()
            except (ScenarioError, SessionError, PolicyError, OSError) as error:
                self.app.call_from_thread(self._refused, str(error).splitlines())
            else:
                self.app.call_from_thread(show, screen)

        def show(screen: Opened) -> None:
            self._opening = False
            self.show_keys()
            self.app.push_screen(screen, lambda _: over(screen))

        def over(screen: Opened) -> None:
            self.fill()
            left(screen)

        self.run_worker(read, thread=True, exclusive=True)

    def _turn(self, mapped: Mapped) -> None:
        if self._course is not None:
            self.shelf.action_move(1)
        elif self._unfolded is not None:
            self._unfolded ^= {mapped.course.folder}
            self.fill()

    def action_review(self) -> None:
        """Ask what is due, one question after the other."""
        if self._opening:
            return
        self._due = self._trainee.due() if self._course is None else ()
        if not self._due:
            self.show_keys(("nothing is due for review   ", "good"))
        self._next_due()

    def _next_due(self) -> None:
        if not self._due:
            return
        asked, self._due = self._due[0], self._due[1:]
        lesson = asked.lesson

        def make() -> QuestionScreen:
            drill = self._trainee.open_due(asked, self._seed)
            return self._drill_screen(lesson, drill, f"{lesson.course.title}: {lesson.title}")

        def left(screen: QuestionScreen) -> None:
            if screen.asking.ended:
                self._next_due()

        self._begin(lesson.path, make, left)

    def _refused(self, faults: Sequence[str]) -> None:
        self._opening = False
        self.about.show(self.shelf.current, faults)
        self.show_keys(("this lesson cannot be opened   ", "bad"))

    def _drill_screen(self, lesson: Lesson, drill: Drill, review: str = "") -> QuestionScreen:
        """The screen of a drill; each verdict and each hint is kept at once."""
        trainee = self._trainee
        on_verdict, on_hint = partial(trainee.keep_verdict, lesson), partial(trainee.keep_hint, lesson)
        examples = None if review or self._seed is not None else trainee.examples(lesson)
        return drill_screen(drill, on_verdict, on_hint, review, examples)

    def _shift_screen(self, shift: ShiftFile) -> ShiftScreen:
        """The screen of a shift, where it was left, with what it is compared with."""
        kept = not permissions_of(self.app).no_writing
        session, attempts, resumed = open_shift(shift.path, self._trainee.name, kept=kept)
        ended = self._shift_ended(shift.name)
        return ShiftScreen(session, references_of(session), attempts, resumed, ended)

    def _shift_ended(self, name: str) -> Ended:

        def ended(score: Score) -> str:
            said = self._trainee.keep_shift(name, score)
            # Not only when the shift is left: an injected job puts another screen in the place of the first.
            self.call_later(self.fill)
            return said

        return ended

    def _tour_ended(self) -> None:
        self._trainee.keep(Record(self._trainee.name, moment_now(), TOUR, TOUR, 1, TOUR, RIGHT))

    # Keys.

    def action_help(self) -> None:
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
    " letter of a choice, or press i and type a job's id, or a time as you would write it anywhere else.",
    "A right answer earns three points, one less for each of two hints. k skips a question: it is asked"
    " again the next time. o shows the answer, for no points. Esc leaves; what was answered is kept.",
    "The courses stand on levels, from reading the screens to the T3D; a course names those to take first."
    " Enter on a course shows its lessons or folds them away. A course is passed when every question was"
    " answered and two thirds of the points are earned.",
    "The number behind a lesson is what you earned, of what the questions answered so far are worth; the"
    " best answer to each question counts.",
    "r asks again what you missed, when it is due: the next day, then after longer and longer times.",
    "Every answer is computed by the simulation at that moment. Nothing is stored in the file of the lesson.",
    "Your progress lies in training.sqlite3 in the data folder of shadowtime; `shadowtime train --csv` prints"
    " it. SHADOWTIME_OPERATOR names who you are.",
)


def help_lines(width: int) -> list[Line]:
    return paragraphs(HELP, width)
