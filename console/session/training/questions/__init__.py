"""The kinds of questions: one object a kind, by the name that stands in a lesson's file."""

from collections.abc import Mapping

from shadowtime.console.session.session import Session
from shadowtime.console.session.training.facts import Answer
from shadowtime.console.session.training.questions import clusters, odds, readings, starts
from shadowtime.console.session.training.questions.bounds import LimitOfJob
from shadowtime.console.session.training.questions.clusters import LargestFactor
from shadowtime.console.session.training.questions.kind import QuestionKind
from shadowtime.console.session.training.questions.operating import Delayed, Remedy
from shadowtime.console.session.training.questions.placing import NodesOfJob, RowOfJob
from shadowtime.console.session.training.questions.reviews import Review
from shadowtime.console.session.training.questions.standing import State, Why
from shadowtime.console.session.training.questions.starts import NextEvent
from shadowtime.scenarios import Question

__all__ = ["KINDS", "QuestionKind", "answer", "kind_of"]

KINDS: Mapping[str, QuestionKind] = {
    "next_start": starts.NextStart(),
    "start_time": starts.StartTime(),
    "next_event": NextEvent(),
    "preempted": starts.Preempted(),
    "state": State(),
    "why": Why(),
    "row": RowOfJob(),
    "nodes": NodesOfJob(),
    "limit": LimitOfJob(),
    "in_force": Review(),
    "delayed": Delayed(),
    "remedy": Remedy(),
    "free": readings.Free(),
    "owner": readings.Owner(),
    "end_time": readings.EndTime(),
    "waited": readings.Waited(),
    "metric": readings.Metric(),
    "last_event": readings.LastEvent(),
    "likely_start": odds.LikelyOf(),
    "least_certain": odds.LeastCertain(),
    "likely_first": odds.LikelyFirst(),
    "record": odds.Recorded(),
    "as_forecast": odds.AsForecast(),
    "request": odds.Requested(),
    "not_running": clusters.NotRunning(),
    "planned_start": clusters.PlannedStart(),
    "planned_nodes": clusters.PlannedNodes(),
    "sooner": clusters.Sooner(),
    "put_off": clusters.PutOff(),
    "factor": LargestFactor(),
}


def answer(session: Session, question: Question) -> Answer:
    """Return the answer to a question at the session's present event, or raise UnanswerableError."""
    return kind_of(question).answer(session, question)


def kind_of(question: Question) -> QuestionKind:
    return KINDS[question.ask]
