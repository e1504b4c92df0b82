"""What a seed settles: the choices' order, and the questions that are drawn.

The same scenario and the same seed give the same questions.
"""

from collections.abc import Mapping
from contextlib import suppress
from random import Random

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.training.questions import kind_of
from shadowtime.console.session.training.questions.drawing import draw
from shadowtime.scenarios import Question

Seed = int | str
"""What settles choices and questions: a number as it was given, or a text derived from one."""


def exam_seed(number: int) -> Seed:
    """Return what settles an exam with the seed `number`.

    No drill, sheet or lecture of a number has it: none of them shows the questions that are drawn for the
    exam, or the order of its choices.
    """
    return f"exam {number}"


def questions_of(
    case: Case, seed: Seed, for_two: bool = False, levels: Mapping[str, str] | None = None
) -> tuple[Question, ...]:
    """Return the questions of a lesson in order of their instants, with those that the seed draws.

    Of one instant those about its review come first. `for_two` draws twice as many where there are so many,
    `levels` gives kinds of questions another difficulty, where there are such instants.
    SessionError if a draw finds fewer questions than it is to find.
    """
    found = list[Question]()
    for place, question in enumerate(case.scenario.questions):
        if question.pick:
            own = f"{seed} {case.scenario.path.stem} pick {place}"
            level = (levels or {}).get(question.ask, question.difficulty)
            other = attrs.evolve(question, pick=question.pick * (1 + for_two), difficulty=level)
            if other != question:
                with suppress(SessionError):
                    found += draw(kind_of(question), case, other, Random(own), found)
                    continue
            found += draw(kind_of(question), case, question, Random(own), found)
        else:
            found.append(question)
    return tuple(sorted(found, key=lambda it: (it.at, not kind_of(it).before_review)))
