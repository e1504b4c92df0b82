"""A drill: a lesson's questions, one after the other, each at its moment, and what each earned."""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from time import monotonic

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.session import Session
from shadowtime.console.session.training.drawing import Seed, questions_of
from shadowtime.console.session.training.facts import HINTS, POINTS, Answer, Because, TurnsOut, Value
from shadowtime.console.session.training.question_stop import Gated
from shadowtime.console.session.training.questions import answer, kind_of
from shadowtime.console.session.training.questions.reviews import before_review
from shadowtime.console.session.training.refusing import UnanswerableError
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.simulation import Simulation
from shadowtime.scenarios import Question


def letter_of(place: int) -> str:
    """The letter of a choice: a, b, c, ..."""
    return chr(ord("a") + place)


def read_answer(case: Case, answer: Answer, text: str) -> Value:
    """Return the answer that a text names.

    SessionError in one line if it names no answer: the question stays open.
    """
    word, kind = " ".join(text.split()), kind_of(answer.question)
    if len(word) == 1 and word.isascii() and word.isalpha():
        place = ord(word.lower()) - ord("a")
        if place < len(answer.offered):
            return answer.offered[place]
    try:
        return kind.parse(case, answer, word)
    except ValueError:
        last = letter_of(len(answer.offered) - 1)
        raise SessionError(f"{word!r} is no answer; expected a to {last}, or {kind.expected}") from None


RIGHT, WRONG, SKIPPED, GIVEN_UP = "right", "wrong", "skipped", "given up"


@attrs.frozen(eq=False)
class QuestionResult:
    """How a question ended: `given` is the answer (None with `verdict` skipped or given up says nothing)."""

    place: int
    """The question's place in the lesson, from 0."""
    verdict: str
    answer: Answer
    given: Value = None
    typed: str = ""
    hints: int = 0
    because: tuple[Because, ...] = ()
    """What explains it: of the answer's explanation all that answers no later question."""
    cut: bool = False
    """Whether something of the explanation is left for the end of the lesson."""
    seconds: int = 0
    """From when it was asked until it ended."""
    known: bool = False
    """Whether it was missed before and is not due for review yet: then it earns nothing."""

    @property
    def points(self) -> int:
        """What it earned: all points for a right answer, less one for each hint."""
        return max(0, POINTS - self.hints) if self.verdict == RIGHT and not self.known else 0

    @property
    def value(self) -> str:
        """The answer as JSON, whatever the order of the choices was; empty if none was given."""
        return json.dumps(self.given) if self.verdict in (RIGHT, WRONG) else ""


def places_of(simulation: Simulation, questions: Sequence[Question]) -> tuple[int, ...]:
    """Return the events at which questions are asked: the last up to their instants, but for a pass in them.

    The simulation stands before its first event; the questions are in order of their instants. At an instant
    without an event nothing changes: the event is that before it. A review is asked about before it happens.
    """
    places = []
    for question in questions:
        if kind_of(question).before_review:
            simulation.run(until=question.at - 1)
            places.append(before_review(simulation, question.at))
            continue
        simulation.run(until=question.at)
        last = simulation.last
        passed = last is not None and last[0] == question.at and EVENT_NAMES[last[1]] == "pass"
        places.append(simulation.event - passed)
    return tuple(places)


def shuffled(made: Answer, seed: Seed, lesson: str, place: int) -> Answer:
    """Return an answer with its choices in an order that the seed, the lesson and the question settle."""
    offered = list(made.offered)
    Random(f"{seed} {lesson} {place}").shuffle(offered)
    return attrs.evolve(made, offered=tuple(offered))


class Drill:
    """One lesson under way, with the session that the console shows: it never passes an open question."""

    def __init__(
        self,
        case: Case,
        seed: Seed = 0,
        for_two: bool = False,
        levels: Mapping[str, str] | None = None,
    ) -> None:
        """`seed` settles the order of the choices, and the questions to draw.

        `for_two`: twice as many are drawn, for two forms of an exam. `levels`: their difficulty by kind.

        SessionError if the scenario asks nothing, or if too few questions can be drawn.
        """
        if not case.scenario.questions:
            raise SessionError(f"{case.scenario.path} asks nothing; expected a [[question]]")
        self.questions = questions_of(case, seed, for_two, levels)
        self.seed = seed
        self.places = places_of(case.simulation(), self.questions)
        self.session = Gated(case)
        self.place = 0
        """The place in the lesson of the question that is next, or open."""
        self.stop = len(self.questions)
        """The place of the first question that is not asked: a review asks one alone."""
        self.hints = 0
        self.held: list[tuple[int, tuple[Because, ...]]] = []
        """What explanations leave out since it answers a later question, by place; shown after the lesson."""
        self.omitted = frozenset[int]()
        """The places of questions that are not asked; `begin` follows."""
        self.known = frozenset[int]()
        """The places of questions that earn nothing: missed before, and not due for review."""
        self._since: tuple[int, float] | None = None
        """The place of the question that was asked last, and when."""
        self._shut()

    @property
    def question(self) -> Question | None:
        """The question that is next; None after the last."""
        return self.questions[self.place] if self.place < self.stop else None

    @property
    def covered(self) -> bool:
        """Whether predictions, reasons and what is to come are covered: for this question, or a later one."""
        return any(question.covered for question in self.questions[self.place :])

    @property
    def due(self) -> bool:
        """Whether the session stands where the next question is asked."""
        return self.question is not None and self.session.number == self.places[self.place]

    def begin(self, place: int, hints: int = 0, stop: int | None = None) -> None:
        """Ask no question before this place, and none from `stop` on; so many hints were taken before."""
        self.place, self.hints = self._after(place), hints
        self.stop = len(self.questions) if stop is None else stop
        self._shut()

    def go_on(self) -> None:
        """Go to the next question, or to the end if all have been asked."""
        if self.question is None:
            self.session.go_end()
        else:
            self.session.go_event(self.places[self.place])
            if self._since is None or self._since[0] != self.place:
                self._since = (self.place, monotonic())

    @cached_property
    def answers(self) -> tuple[Answer | UnanswerableError, ...]:
        """The answer to every question, computed at its moment; an error for one that has none."""
        session, found = Session(self.session.case), list[Answer | UnanswerableError]()
        lesson = session.case.scenario.path.stem
        for place, (question, event) in enumerate(zip(self.questions, self.places, strict=True)):
            session.go_event(event)
            try:
                found.append(shuffled(answer(session, question), self.seed, lesson, place))
            except UnanswerableError as error:
                found.append(error)
        return tuple(found)

    @property
    def answer(self) -> Answer:
        """The answer to the open question. UnanswerableError if it has no answer."""
        assert self.question is not None
        return self.answer_at(self.place)

    def answer_at(self, place: int) -> Answer:
        """The answer to the question of a place. UnanswerableError if it has no answer."""
        made = self.answers[place]
        if isinstance(made, UnanswerableError):
            raise made
        return made

    @property
    def asked(self) -> tuple[Answer, ...]:
        """The answers to the questions that are asked from the first to the last, whatever was answered."""
        return tuple(
            it for at, it in enumerate(self.answers) if isinstance(it, Answer) and at not in self.omitted
        )

    @property
    def later(self) -> tuple[Answer, ...]:
        """The answers to the questions that are still to be asked, the open one included."""
        return tuple(made for made in self.answers[self.place : self.stop] if isinstance(made, Answer))

    @property
    def jobs_to_come(self) -> frozenset[int]:
        """The jobs that the questions still to be asked are about, or that answer them."""
        found = {made.question.job for made in self.later}
        for made in self.later:
            if kind_of(made.question).of_jobs:
                found |= {value[1] if isinstance(value, tuple) else value for value in made.right}  # type: ignore[misc]
        return frozenset(job for job in found if job is not None)

    @property
    def turned_out(self) -> tuple[tuple[int, TurnsOut], ...]:
        """What the run did otherwise than could be known: the place of the question, and what it did."""
        return tuple(
            (place, made.turns_out)
            for place, made in enumerate(self.answers)
            if isinstance(made, Answer) and made.turns_out is not None
        )

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

    @property
    def most_hints(self) -> int:
        """How many hints there are: with two choices the second would remove nothing."""
        return HINTS if len(self.answer.offered) > 2 else HINTS - 1

    def hint(self) -> int:
        """Take a hint; return how many have been taken. SessionError if there are no more."""
        if self.hints >= self.most_hints:
            raise SessionError("there are no more hints; answer, or give up")
        self.hints += 1
        return self.hints

    def give(self, text: str) -> QuestionResult:
        """Answer. SessionError in one line if the text is no answer: the question stays open."""
        made = self.answer
        given = read_answer(self.session.case, made, text)
        return self._close(RIGHT if made.holds(given) else WRONG, given, text.strip())

    def skip(self) -> QuestionResult:
        return self._close(SKIPPED)

    def give_up(self) -> QuestionResult:
        return self._close(GIVEN_UP)

    def _close(self, how: str, given: Value = None, typed: str = "") -> QuestionResult:
        made, place, hints = self.answer, self.place, self.hints
        asked = self._since is not None and self._since[0] == place
        seconds = int(monotonic() - self._since[1]) if asked and self._since is not None else 0
        self.place = self._after(place + 1)
        self.hints = 0
        self._shut()
        parts = self._parts(made, how, given)
        shown = self._shown(made, parts)
        if cut := tuple(part for part in parts if part not in shown):
            self.held.append((place, cut))
        known = place in self.known
        return QuestionResult(place, how, made, given, typed, hints, shown, bool(cut), seconds, known)

    def _parts(self, made: Answer, how: str, given: Value) -> tuple[Because, ...]:
        """What explains an answer, and why the given one is wrong."""
        if how == SKIPPED:
            return ()
        wrong = how == WRONG and not made.holds(given)
        mistake = made.mistakes.get(given) if wrong else None
        mistaken = () if mistake is None else (mistake,)
        return (*mistaken, *made.because, *(made.against(given) if wrong else ()))

    def _shown(self, made: Answer, parts: tuple[Because, ...]) -> tuple[Because, ...]:
        """The parts of an explanation that answer no later question."""
        # What the screen shows anyway is no secret; what would be after one action says nothing of another.
        do, asked = made.question.do, ((later, later.question) for later in self.later)
        # The facts of a cluster say themselves after which change they hold.
        like = [
            later
            for later, question in asked
            if question.covered and (question.do == do or question.about_a_cluster)
        ]
        return tuple(
            part
            for part in parts
            if not any(kind_of(it.question).reveals(part, it, it.time == made.time) for it in like)
        )

    def _after(self, place: int) -> int:
        """The first question from a place on that is asked."""
        return next(at for at in range(place, len(self.questions) + 1) if at not in self.omitted)

    def _shut(self) -> None:
        self.session.gate = self.places[self.place] if self.place < self.stop else None


def answers_of(case: Case, seed: Seed = 0, for_two: bool = False) -> tuple[Answer, ...]:
    """Return the answer to every question of a lesson. UnanswerableError if one of them has none."""
    drill = Drill(case, seed, for_two=for_two)
    return tuple(map(drill.answer_at, range(len(drill.answers))))
