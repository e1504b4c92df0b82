"""A steered workload: jobs and a machine, and what an operator does and what fails while they run.

A policy is written as its name, which stands for its defaults, or for `gang` as a name and its parameters.
"""

from typing import Any, NamedTuple

from tests.oracles.jobs import Job

Policy = tuple[str, dict[str, Any]]

KINDS = (
    *("finish", "node_down", "node_up", "switch_slot", "reservation_due", "action", "submit"),
    *("switch_policy", "pass"),
)
"""What happens in an instant, in the order in which it happens: a policy changes its mind before its pass."""


class Action(NamedTuple):
    """What the operator does: at an instant, or right after the event of a number. One of the two is None."""

    do: str
    at: int | None = None
    after: int | None = None
    job: int | None = None
    to: int = 0
    """The priority."""
    nodes: tuple[int, ...] = ()
    policy: Policy | None = None


class Outage(NamedTuple):
    """Nodes that are out of service in [start, until), or from then on for ever."""

    nodes: tuple[int, ...]
    start: int
    until: int | None = None
    kill: bool = False
    """Whether the jobs on those nodes are struck."""


class Case(NamedTuple):
    """All that a run is made from."""

    jobs: list[Job]
    nodes: int
    policy: Policy = ("fcfs", {})
    actions: tuple[Action, ...] = ()
    """In the order of the file."""
    outages: tuple[Outage, ...] = ()
    on_failure: str = "kill"
    interval: int = 3600
    """Seconds of progress between checkpoints."""


class Event(NamedTuple):
    """One event of a run; the first has number 1."""

    number: int
    time: int
    kind: str
    job: int | None


class Stretch(NamedTuple):
    """A job had these nodes in [since, until)."""

    since: int
    until: int
    nodes: tuple[int, ...]


class Fate(NamedTuple):
    """What became of a job."""

    start: int | None
    """First start."""
    finish: int | None
    """None also where it was cancelled."""
    state: str
    """A letter of the console, F where it ended, C where it was cancelled, K where a failure killed it."""
    preemptions: int
    wait: int
    """Seconds in the queue or held, all its stays there together."""
    held: list[Stretch]
