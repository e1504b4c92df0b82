"""An exam under way: lesson after lesson of a course, each answer kept before the next question."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex

import attrs

from shadowtime.console.session.exam.forms import left_out, mark_of, seed_of
from shadowtime.console.session.exam.paper import Given, Paper, PaperError, read, save
from shadowtime.console.session.training import (
    SKIPPED,
    Course,
    Drill,
    QuestionResult,
    digest_of,
    lessons_of,
    open_lesson,
)
from shadowtime.scenarios import format_duration

Now = Callable[[], datetime]


def utc() -> datetime:
    return datetime.now(UTC)


class Sitting:
    """An exam of one trainee: which question is next, how much time is left, what was answered.

    Neither hints nor answers are given, and no question is asked twice.
    """

    def __init__(
        self,
        course: Course,
        seed: int,
        limit: int,
        operator: str,
        path: Path,
        now: Now = utc,
        form: str = "",
    ) -> None:
        """Begin, or go on where `path` ends. PaperError if it is there and belongs to another exam.

        `form` is pre or post for a half of the questions; PaperError if that has none.
        ScenarioError, SessionError: what is wrong with a lesson.
        """
        self.path = path
        self._now = now
        self.lessons = lessons_of(course)
        self.drills = tuple(open_lesson(lesson, seed_of(seed, form), bool(form)) for lesson in self.lessons)
        for drill in self.drills:
            # What has no answer is refused before the exam begins.
            for place in range(len(drill.answers)):
                drill.answer_at(place)
        answered = [drill.answers for drill in self.drills]
        for drill, places in zip(self.drills, left_out(answered, seed, form), strict=True):
            drill.omitted = places
        begun = now().isoformat(timespec="seconds")
        asked = [made for drill in self.drills for made in drill.asked]
        if not asked:
            raise PaperError(
                f"{course.title!r} has no two questions of one kind for --form {form};"
                " expected an exam without --form"
            )
        mark = mark_of(1 / len(made.offered) for made in asked)
        fresh = Paper(
            course.title, digest_of(course), seed, operator, limit, begun, len(asked),
            sign=token_hex(8), mark=mark, form=form,
        )  # fmt: skip
        self.paper = self._resumed(fresh) if path.exists() else fresh
        save(path, self.paper)
        for place, drill in enumerate(self.drills):
            stem = self.lessons[place].name
            drill.begin(max((it.question for it in self.paper.answers if it.lesson == stem), default=0))
        self._asked = now()

    def _resumed(self, fresh: Paper) -> Paper:
        found = read(self.path)
        if not found.mark:
            # A file of an earlier format has none.
            found = attrs.evolve(found, mark=fresh.mark)
        same = attrs.evolve(
            fresh, begun=found.begun, answers=found.answers, ended=found.ended, sign=found.sign
        )
        if same != found and attrs.evolve(same, limit=found.limit) == found:
            raise PaperError(
                f"{self.path}: this exam was begun with --time {format_duration(found.limit)};"
                " expected that, or a new file"
            )
        if same != found:
            raise PaperError(
                f"{self.path}: it belongs to another exam, of {found.operator} in {found.course!r} with seed"
                f" {found.seed}; expected a new file"
            )
        if found.ended:
            raise PaperError(f"{self.path}: this exam has ended; expected a new file")
        return found

    @property
    def drill(self) -> Drill | None:
        """The lesson of the question that is next; None if all are answered."""
        return next((drill for drill in self.drills if drill.question is not None), None)

    @property
    def left(self) -> int:
        """Seconds that are left; 0 if the time is up."""
        passed = (self._now() - datetime.fromisoformat(self.paper.begun)).total_seconds()
        return max(0, int(self.paper.limit - passed))

    def ask(self) -> Drill | None:
        """Go to the next question; None if there is no other, or the time is up."""
        drill = self.drill
        if drill is None or self.left == 0:
            return None
        drill.go_on()
        self._asked = self._now()
        return drill

    def close(self, ended: QuestionResult) -> bool:
        """Keep how the open question ended; return whether it was in time: else it does not count."""
        if self.left == 0:
            return False
        question, place = ended.answer.question, self._place_of(ended)
        answer = Given(
            lesson=self.lessons[place].name,
            question=ended.place + 1,
            ask=question.ask,
            at=question.at,
            job=question.job,
            given="" if ended.verdict == SKIPPED else ended.typed,
            verdict=ended.verdict,
            points=ended.points,
            seconds=int((self._now() - self._asked).total_seconds()),
            value=ended.value,
        )
        self._keep(attrs.evolve(self.paper, answers=(*self.paper.answers, answer)))
        return True

    def hand_in(self) -> Paper:
        """End the exam; questions that were not answered earn nothing."""
        self._keep(attrs.evolve(self.paper, ended=True))
        return self.paper

    def _place_of(self, ended: QuestionResult) -> int:
        return next(
            place
            for place, drill in enumerate(self.drills)
            if any(ended.answer is it for it in drill.answers)
        )

    def _keep(self, paper: Paper) -> None:
        save(self.path, paper)
        self.paper = paper
