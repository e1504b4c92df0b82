"""Why an action on a job is refused, so that a test repeats no sentence."""

from shadowtime.console.session import Action
from shadowtime.console.session.operator.refusals import refused

CODES = {
    "hold": "only_waiting_held",
    "release": "only_held_released",
    "suspend": "only_running_suspended",
    "resume": "only_suspended_resumed",
    "start": "only_waiting_started",
}
"""The kernel's codes, of all policies but the T3D's."""


def cannot(do: str, job: int, state: str) -> str:
    """Why the state of a job does not allow an action, under a policy that offers it."""
    return refused(Action(do, job=job), CODES[do], {"state": state}, "")
