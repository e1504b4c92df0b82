"""Why an action on a job is refused, so that a test repeats no sentence."""

from shadowtime.console.session import Action
from shadowtime.console.session.operator.refusals import refused


def cannot(do: str, job: int, state: str) -> str:
    """Why the state of a job does not allow an action."""
    return refused(Action(do, job=job), "wrong_state", {"state": state}, "")
