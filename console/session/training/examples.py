"""Worked examples that fade: a question of the kind that is solved, one that is solved but for its answer.

They come before the first question of a kind. An example is drawn, as other questions are, from a lesson that
draws the kind under the same policy. What explains it are the steps of its answer.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress

import attrs

from shadowtime.console.session.case import Case, load
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.training.drawing import Seed, questions_of
from shadowtime.console.session.training.drill import Drill
from shadowtime.console.session.training.facts import Because, LeftOut, OnCluster, Step
from shadowtime.console.session.training.lessons import Lesson, courses, lessons_of
from shadowtime.console.session.training.questions import kind_of
from shadowtime.scenarios import Question, ScenarioError


@attrs.frozen(eq=False)
class Example:
    """An example: a drill of its own, at its question."""

    drill: Drill
    solved: bool
    """Whether it shows the answer; otherwise the trainee gives it, for no points."""

    @property
    def steps(self) -> tuple[Because, ...]:
        """What leads to the answer, and what is wrong with other choices; without one, the first steps."""
        made = self.drill.answer
        if self.solved:
            return (*made.because, *made.mistakes.values())
        kind = kind_of(made.question)
        steps = (it for it in made.because if isinstance(it, Step | LeftOut | OnCluster))
        return tuple(it for it in steps if not kind.reveals(it, made, True))


class Examples:
    """The examples of a lesson for one trainee."""

    def __init__(self, lesson: Lesson, known: Iterable[str], seed: Seed) -> None:
        """`known` are the kinds of questions that the trainee has answered before."""
        self._lesson, self._known, self._seed = lesson, set(known), seed
        self._next: list[Example] = []

    def before(self, drill: Drill) -> Example | None:
        """Return the next example before the question of a drill; None if the question itself comes now."""
        question = drill.question
        if question is not None and question.covered and question.ask not in self._known:
            self._known.add(question.ask)
            self._next = self._drawn(drill.session.case, question)
        return self._next.pop(0) if self._next else None

    def _drawn(self, case: Case, question: Question) -> list[Example]:
        for other in self._sources():
            with suppress(ScenarioError, SessionError):
                beside = load(other.path)
                tables = [it for it in beside.scenario.questions if it.pick and it.ask == question.ask]
                if tables and beside.policy == case.policy:
                    table = attrs.evolve(tables[0], pick=2)
                    two = questions_of(_asking(beside, table), self._seed, levels={table.ask: "low"})
                    drills = [Drill(_asking(beside, it), self._seed) for it in two]
                    for drill in drills:
                        drill.go_on()
                    return [Example(drill, solved=drill is drills[0]) for drill in drills]
        return []

    def _sources(self) -> Iterator[Lesson]:
        """Yield other lessons that draw: of this course, then of the others."""
        own = self._lesson.course
        for course in (own, *courses().courses):
            yield from (it for it in lessons_of(course) if it.drawn and it.path != self._lesson.path)


def _asking(case: Case, question: Question) -> Case:
    """A case that asks this question alone."""
    return attrs.evolve(case, scenario=attrs.evolve(case.scenario, questions=(question,)))
