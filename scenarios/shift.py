"""What a shift is: a scenario that somebody sees through by hand, or in an incident."""

import attrs

from shadowtime.scenarios.actions import Action

MANUAL, INCIDENT = "manual", "incident"
SHIFTS = (MANUAL, INCIDENT)
"""Who schedules: the operator alone, or the policy of the file, which the operator helps."""
ALLOWED = {
    MANUAL: ("start", "hold", "release", "suspend", "resume"),
    INCIDENT: ("hold", "release", "cancel", "suspend", "resume", "start", "priority", "drain", "down", "up"),
}
"""What may be done if the file does not say."""
FAIRNESS = 0.5
"""The share of fairness in the index if the file does not say."""
MOST_ACTIONS = 10_000


@attrs.frozen
class Response:
    """A reference response: what a good operator does, each action after all events of its instant."""

    name: str
    actions: tuple[Action, ...]
    line: int = attrs.field(default=0, eq=False)


@attrs.frozen
class Shift:
    """What an operator on duty is to reach, by what means, and what the result is compared with."""

    kind: str = attrs.field(validator=attrs.validators.in_(SHIFTS))
    goal: str
    until: int | None = None
    """The instant at which the shift ends; None if it ends with the last event. A manual one has an end."""
    budget: int | None = None
    """How many actions may be in force at the end; None for any number."""
    allow: tuple[str, ...] = ()
    """The actions that may be done."""
    fairness: float = FAIRNESS
    """The share of the index that is fairness: half of it the worst wait, half the wide jobs."""
    wide: int = 1
    """The size from which a job is wide, in the machine's unit."""
    responses: tuple[Response, ...] = ()
    debrief: str = ""
    """The instructor's notes, shown after the shift."""
    line: int = attrs.field(default=0, eq=False)
