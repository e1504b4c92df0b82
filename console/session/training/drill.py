"""A drill: a lesson's questions, one after the other, each at its moment, and what each earned."""

from collections.abc import Sequence

import attrs

from console.session.case import Case
from console.session.errors import SessionError
from console.session.training.answers import answer
from console.session.training.facts import HINTS, POINTS, Answer, Value
from console.session.training.question_stop import Gated
from console.session.training.typed_answers import read_answer
from kernels.core.clock import EVENT_NAMES
from kernels.core.simulation import Simulation
from scenarios import Question

RIGHT, WRONG, SKIPPED, GIVEN_UP = "right", "wrong", "skipped", "given up"


@attrs.frozen(eq=False)
class Verdict:
    """How a question ended: `given` is the answer (None with `verdict` skipped or given up says nothing)."""

    place: int
    """The question's place in the lesson, from 0."""
    verdict: str
    answer: Answer
    given: Value = None
    typed: str = ""
    hints: int = 0

    @property
    def points(self) -> int:
        """What it earned: all points for a right answer, less one for each hint."""
        return max(0, POINTS - self.hints) if self.verdict == RIGHT else 0


def places_of(simulation: Simulation, questions: Sequence[Question]) -> tuple[int, ...]:
    """Return the events at which questions are asked: the last of their instants, before the pass.

    The simulation stands before its first event; the questions are in order of their instants.
    """
    places = []
    for question in questions:
        simulation.run(until=question.at)
        last = simulation.last
        passed = last is not None and last[0] == question.at and EVENT_NAMES[last[1]] == "pass"
        places.append(simulation.event - passed)
    return tuple(places)


class Drill:
    """One lesson under way, with the session that the console shows: it never passes an open question."""

    def __init__(self, case: Case) -> None:
        """SessionError if the scenario asks nothing."""
        self.questions = case.scenario.questions
        if not self.questions:
            raise SessionError(f"{case.scenario.path} asks nothing; expected a [[question]]")
        self.places = places_of(case.simulation(), self.questions)
        self.session = Gated(case)
        self.place = 0
        """The place in the lesson of the question that is next, or open."""
        self.hints = 0
        """Hints taken for it."""
        self._answer: Answer | None = None
        self._shut()

    @property
    def question(self) -> Question | None:
        """The question that is next; None after the last."""
        return self.questions[self.place] if self.place < len(self.questions) else None

    @property
    def due(self) -> bool:
        """Whether the session stands where the next question is asked."""
        return self.question is not None and self.session.number == self.places[self.place]

    def begin(self, place: int) -> None:
        """Ask no question before this place."""
        self.place = place
        self._shut()

    def go_on(self) -> None:
        """Go to the next question, or to the end if all have been asked."""
        if self.question is None:
            self.session.go_end()
        else:
            self.session.go_event(self.places[self.place])

    @property
    def answer(self) -> Answer:
        """The answer to the open question, computed now. UnanswerableError if it has no answer."""
        assert self.question is not None
        if self._answer is None:
            here = self.session.number
            self.session.go_event(self.places[self.place])
            self._answer = answer(self.session, self.question)
            self.session.go_event(here)
        return self._answer

    @property
    def left(self) -> tuple[Value, ...]:
        """The choices that the hints have left: all, then two of them."""
        made = self.answer
        if self.hints < HINTS:
            return made.offered
        wrong = [value for value in made.offered if value != made.shown]
        # Which of the wrong ones stays must not depend on where the right one stands.
        kept = (made.shown, *wrong[self.place % len(wrong) :][:1]) if wrong else (made.shown,)
        return tuple(value for value in made.offered if value in kept)

    def hint(self) -> int:
        """Take a hint; return how many have been taken. SessionError if there are no more."""
        if self.hints == HINTS:
            raise SessionError("there are no more hints; answer, or give up")
        self.hints += 1
        return self.hints

    def give(self, text: str) -> Verdict:
        """Answer. SessionError in one line if the text is no answer: the question stays open."""
        made = self.answer
        given = read_answer(self.session.case, made, text)
        return self._close(RIGHT if made.holds(given) else WRONG, given, text.strip())

    def skip(self) -> Verdict:
        """Leave the question for another time."""
        return self._close(SKIPPED)

    def give_up(self) -> Verdict:
        """Ask for the answer."""
        return self._close(GIVEN_UP)

    def _close(self, how: str, given: Value = None, typed: str = "") -> Verdict:
        verdict = Verdict(self.place, how, self.answer, given, typed, self.hints)
        self.place += 1
        self.hints, self._answer = 0, None
        self._shut()
        return verdict

    def _shut(self) -> None:
        self.session.gate = self.places[self.place] if self.place < len(self.places) else None


def answers_of(case: Case) -> tuple[Answer, ...]:
    """Return the answer to every question of a lesson, each computed at its moment."""
    drill, found = Drill(case), []
    while drill.question is not None:
        drill.go_on()
        found.append(drill.answer)
        drill.skip()
    return tuple(found)
