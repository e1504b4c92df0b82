"""What the product says of the jobs of a run, so that a test of a screen or of lines repeats no sentence."""

from shadowtime.console import words
from shadowtime.console.session import Case, Session, open_session
from shadowtime.console.words import NODES, Unit


def at(case: Case, place: str) -> Session:
    """A run of a case at a place."""
    session = open_session(case)
    session.go(place)
    return session


def why(session: Session, job: int, code: str, unit: Unit = NODES) -> str:
    """Why a job waits, by the reason of this code."""
    reason = session.why(job)
    assert reason is not None and reason.code == code, reason
    return words.waits(job, reason, unit)


def turned(session: Session, job: int, code: str, unit: Unit = NODES) -> str:
    """Why a job started, resumed or was preempted, by the reason of this code."""
    made = session.turned(job)
    assert made is not None and made.reason.code == code, made
    return words.decision(made, unit)


def expected(session: Session, job: int, verb: str = "start") -> str:
    """When a job is expected to start, or by another verb to resume."""
    row = session.row(session.index_of(job))
    assert row.predicted is not None
    return words.prediction(job, row.predicted, session.time, NODES, row.terms, verb)


def flat(text: str) -> str:
    """A text of several lines in one, without the frame of a panel."""
    return " ".join(text.replace("│", "").split())
