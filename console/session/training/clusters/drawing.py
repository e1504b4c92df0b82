"""Questions about a cluster that a seed draws: their jobs, out of all that wait."""

from collections.abc import Sequence
from random import Random

import attrs

from shadowtime.console.session.case import Case
from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.training.clusters.answers import cluster_answer
from shadowtime.console.session.training.refusing import UnanswerableError
from shadowtime.scenarios import Question
from shadowtime.scenarios.slurm.changes import number_of

CHOICES = 3
"""Choices that a drawn question has at least."""


def draw_jobs(case: Case, wanted: Question, random: Random, before: Sequence[Question]) -> list[Question]:
    """Draw the questions of one table. No job of the lesson is asked about twice.

    SessionError if there are too few jobs about which the question has an answer.
    """
    capture = case.scenario.cluster
    assert capture is not None
    asked = {question.job for question in before}
    numbers = sorted({number_of(job) for job in capture.jobs if job.waiting} - asked)
    found = list[Question]()
    for number in random.sample(numbers, len(numbers)):
        made = attrs.evolve(wanted, job=number, pick=0)
        if _asks_well(case, made):
            found.append(made)
        if len(found) == wanted.pick:
            return found
    raise SessionError(
        f"{case.scenario.path}:{wanted.line}: {len(found)} of {wanted.pick} {wanted.ask} questions can be"
        " drawn; expected more jobs about which the plan has an answer"
    )


def _asks_well(case: Case, question: Question) -> bool:
    try:
        return len(cluster_answer(case, question).offered) >= CHOICES
    except UnanswerableError:
        return False
