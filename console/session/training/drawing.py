"""What a seed settles: the choices' order, and the questions that are drawn.

The same scenario and the same seed give the same questions.
"""

from random import Random

from shadowtime.console.session.case import Case
from shadowtime.console.session.training.questions import kind_of
from shadowtime.scenarios import Question

Seed = int | str
"""What settles choices and questions: a number as it was given, or a text derived from one."""


def exam_seed(number: int) -> Seed:
    """Return what settles an exam with the seed `number`.

    No drill, sheet or lecture of a number has it: none of them shows the questions that are drawn for the
    exam, or the order of its choices.
    """
    return f"exam {number}"


def questions_of(case: Case, seed: Seed) -> tuple[Question, ...]:
    """Return the questions of a lesson in order of their instants, with those that the seed draws.

    Of one instant those about its review come first. SessionError if a draw finds fewer questions than it is
    to find.
    """
    found = list[Question]()
    for place, question in enumerate(case.scenario.questions):
        if question.pick:
            random = Random(f"{seed} {case.scenario.path.stem} pick {place}")
            found += kind_of(question).draw(case, question, random, found)
        else:
            found.append(question)
    return tuple(sorted(found, key=lambda it: (it.at, not kind_of(it).before_review)))
