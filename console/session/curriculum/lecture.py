"""A lecture: the questions of a course, one after the other, each in the same stages. Nothing is kept.

A lesson begins with its story. A question is first shown without its choices, so that everybody predicts;
then with its choices, and hands are counted; then with the answer and why.
"""

from collections.abc import Sequence
from enum import Enum

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.training import (
    Answer,
    Course,
    Drill,
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
    """A course under way before a class. It goes forward and back by stages, and to any question.

    The hands that were counted for a question stay with it, and an answer that was shown is known.
    """

    def __init__(self, course: Course, seed: int) -> None:
        """ScenarioError, SessionError: what is wrong with the first lesson."""
        self.course = course
        self.lessons = tuple(lessons_of(course))
        self.number = 0
        """The place of the lesson in the course, from 0."""
        self.place = 0
        """The place of the open question in its lesson, from 0."""
        self.stage = Stage.STORY
        self._seed = seed
        self._drills: dict[int, Drill] = {}
        self._hands: dict[tuple[int, int], dict[str, int]] = {}
        self._verdicts: dict[tuple[int, int], QuestionResult] = {}
        """Of a lesson and a question in it."""
        self._open(0)

    @property
    def lesson(self) -> Lesson:
        return self.lessons[self.number]

    @property
    def drill(self) -> Drill:
        return self._drills[self.number]

    @property
    def made(self) -> Answer:
        """The open question with its answer. UnanswerableError if it has none."""
        return self.drill.answer_at(self.place)

    @property
    def hands(self) -> dict[str, int]:
        """The hands for each letter of the open question."""
        return self._hands.setdefault((self.number, self.place), {})

    @property
    def verdict(self) -> QuestionResult | None:
        """The answer of the question, once it was shown."""
        return self._verdicts.get((self.number, self.place))

    @property
    def counted(self) -> Sequence[Counted]:
        """The hands of the questions whose answers were shown, of those for which hands were counted."""
        found = []
        for (number, place), verdict in sorted(self._verdicts.items()):
            hands, made = self._hands.get((number, place), {}), verdict.answer
            if total := sum(hands.values()):
                right = hands.get(_right(made), 0)
                found.append(Counted(self.lessons[number].title, place + 1, right, total))
        return found

    @property
    def letters(self) -> tuple[str, ...]:
        return tuple(letter_of(place) for place in range(len(self.made.offered)))

    @property
    def right(self) -> str:
        return _right(self.made)

    @property
    def total(self) -> int:
        return sum(self.hands.values())

    def forward(self) -> None:
        """Go to the next stage. ScenarioError, SessionError: what is wrong with a lesson or a question."""
        if self.stage is Stage.STORY:
            self._ask(0)
        elif self.stage is Stage.PREDICT:
            self.stage = Stage.HANDS
        elif self.stage is Stage.HANDS:
            self._answer()
        elif self.stage is Stage.ANSWER and self.place + 1 < len(self.drill.questions):
            self._ask(self.place + 1)
        elif self.stage is Stage.ANSWER and self.number + 1 < len(self.lessons):
            self._open(self.number + 1)
        else:
            self.stage = Stage.OVER

    def back(self) -> None:
        """Go to the stage before. SessionError at the beginning, or what is wrong with a question."""
        if self.stage is Stage.OVER:
            self._last()
        elif self.stage is Stage.ANSWER:
            self.stage = Stage.HANDS
        elif self.stage is Stage.HANDS:
            self.stage = Stage.PREDICT
        elif self.stage is Stage.STORY:
            if not self.number:
                raise SessionError("this is the beginning")
            self._open(self.number - 1)
            self._last()
        elif self.place:
            self._ask(self.place - 1)
            self._show_known()
        else:
            self.stage = Stage.STORY

    def go(self, lesson: int, question: int = 0) -> None:
        """Go to a question of a lesson, both from 1; to the story of the lesson for question 0.

        SessionError if there is none, or what is wrong with it.
        """
        if not 1 <= lesson <= len(self.lessons):
            raise SessionError(f"there is no lesson {lesson}; expected 1 to {len(self.lessons)}")
        number, place, stage = self.number, self.place, self.stage
        self._open(lesson - 1)
        asked = len(self.drill.questions)
        if question > asked:
            self.number, self.place, self.stage = number, place, stage
            raise SessionError(f"lesson {lesson} has no question {question}; expected 1 to {asked}")
        if question:
            self._ask(question - 1)

    def count(self, letter: str, hands: int | None = None) -> None:
        """Count hands for a letter: so many, or one more. Only while hands are counted."""
        if self.stage is Stage.HANDS and letter in self.letters:
            self.hands[letter] = self.hands.get(letter, 0) + 1 if hands is None else hands

    def apart(self) -> Drill:
        """Return the lesson once more, at the open question. ScenarioError, SessionError as above."""
        drill = open_lesson(self.lesson, self._seed)
        drill.begin(self.place)
        return drill

    def _open(self, number: int) -> None:
        """Go to the story of a lesson."""
        if number not in self._drills:
            self._drills[number] = open_lesson(self.lessons[number], self._seed)
        self.number, self.place, self.stage = number, 0, Stage.STORY

    def _ask(self, place: int) -> None:
        self.place, self.stage = place, Stage.PREDICT
        self.drill.begin(place)
        self.drill.go_on()

    def _last(self) -> None:
        """Go to the last question of the lesson."""
        self._ask(len(self.drill.questions) - 1)
        self._show_known()

    def _show_known(self) -> None:
        if self.verdict is not None:
            self.stage = Stage.ANSWER

    def _answer(self) -> None:
        if self.verdict is None:
            self._verdicts[self.number, self.place] = self.drill.give_up()
        self.stage = Stage.ANSWER


def _right(made: Answer) -> str:
    return letter_of(made.offered.index(made.shown))
