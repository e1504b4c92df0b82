"""Making an answer, and refusing a question that has none at its moment."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.training.facts import Answer, Because, Choices, TurnsOut, Value
from shadowtime.console.session.training.scene import Scene
from shadowtime.scenarios import Question, format_time


class UnanswerableError(SessionError):
    """A question that has no answer at its moment: one clear line."""


def unanswerable(scene: Scene, question: Question, why: str) -> UnanswerableError:
    """Return the error for a question, with its place in the file."""
    place = f"{scene.case.scenario.path}:{question.line}: " if question.line else ""
    return UnanswerableError(f"{place}{question.ask} at {format_time(question.at)} has no answer: {why}")


def asked_job(scene: Scene, question: Question) -> tuple[int, int]:
    """Return the index and the id of the job that is asked about. UnanswerableError if it has not come."""
    assert question.job is not None
    index = scene.case.index_of(question.job)
    submit = scene.case.columns.submit[index]
    if submit > scene.now or scene.before.state(index) == "":
        why = f"job {question.job} is submitted at {format_time(submit)}, and not there yet"
        raise unanswerable(scene, question, why)
    return index, question.job


def answered(
    question: Question,
    now: int,
    right: tuple[Value, ...],
    choices: Choices,
    because: tuple[Because, ...],
    against: Callable[[Value], tuple[Because, ...]] | Mapping[Any, Because] = MappingProxyType({}),
    *,
    starts: bool = False,
    foreseen: bool = False,
    turns_out: TurnsOut | None = None,
) -> Answer:
    """Return an answer at an instant, with its choices; `against` is what is to be said of a wrong one."""
    found = against if callable(against) else lambda value: (against[value],) if value in against else ()
    return Answer(
        question, now, right, choices.offered, because, found, choices.mistakes, starts, foreseen,
        turns_out=turns_out,
    )  # fmt: skip
