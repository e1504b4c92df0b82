"""A lecture: the questions of a course, one after the other, each in the same stages. Nothing is kept.

A lesson begins with its story. A question is first shown without its choices, so that everybody predicts;
then with its choices, and hands are counted; then with the answer and why.
"""

from collections.abc import Iterator
from enum import Enum

import attrs

from shadowtime.console.session.training import (
    Course,
    Lesson,
    QuestionResult,
    lessons_of,
    letter_of,
    open_lesson,
)


class Stage(Enum):
    """What the class sees."""

    STORY = "story"
    PREDICT = "predict"
    HANDS = "hands"
    ANSWER = "answer"
    OVER = "over"


@attrs.frozen
class Counted:
    """The hands of one question."""

    lesson: str
    question: int
    """Its place in the lesson, from 1."""
    right: int
    hands: int


class Lecture:
    """A course under way before a class."""

    def __init__(self, course: Course, seed: int) -> None:
        """ScenarioError, SessionError: what is wrong with the first lesson."""
        self.course = course
        self.counted: list[Counted] = []
        """The hands of the questions that are over, of those for which hands were counted."""
        self.hands: dict[str, int] = {}
        """The hands for each letter of the open question."""
        self.verdict: QuestionResult | None = None
        """The answer of the question, once it is shown."""
        self._seed = seed
        self.place = 0
        """The place of the open question in its lesson, from 0."""
        self._lessons: Iterator[Lesson] = iter(lessons_of(course))
        self.stage = Stage.STORY
        self._next_lesson()

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the choices of the open question."""
        return tuple(letter_of(place) for place in range(len(self.made.offered)))

    @property
    def right(self) -> str:
        """The letter of the right choice."""
        return letter_of(self.made.offered.index(self.made.shown))

    @property
    def total(self) -> int:
        """All hands of the open question."""
        return sum(self.hands.values())

    def forward(self) -> None:
        """Go to the next stage. ScenarioError, SessionError: what is wrong with a lesson or a question."""
        if self.stage is Stage.STORY:
            self._predict()
        elif self.stage is Stage.PREDICT:
            self.stage = Stage.HANDS
        elif self.stage is Stage.HANDS:
            self._answer()
        elif self.stage is Stage.ANSWER:
            self._on()

    def count(self, letter: str, hands: int | None = None) -> None:
        """Count hands for a letter: so many, or one more. Only while hands are counted."""
        if self.stage is Stage.HANDS and letter in self.letters:
            self.hands[letter] = self.hands.get(letter, 0) + 1 if hands is None else hands

    def _next_lesson(self) -> None:
        lesson = next(self._lessons, None)
        if lesson is None:
            self.stage = Stage.OVER
            return
        self.lesson, self.drill = lesson, open_lesson(lesson, self._seed)
        self.stage = Stage.STORY

    def _predict(self) -> None:
        self.drill.go_on()
        self.place, self.made = self.drill.place, self.drill.answer
        self.hands, self.verdict = {}, None
        self.stage = Stage.PREDICT

    def _answer(self) -> None:
        if self.total:
            right = self.hands.get(self.right, 0)
            self.counted.append(Counted(self.lesson.title, self.place + 1, right, self.total))
        self.verdict = self.drill.give_up()
        self.stage = Stage.ANSWER

    def _on(self) -> None:
        if self.drill.question is None:
            self._next_lesson()
        else:
            self._predict()
