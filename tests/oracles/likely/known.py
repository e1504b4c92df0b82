"""What a sample may know: the requests of submitted jobs, what has started and ended so far, and how."""

from typing import NamedTuple

NO_USER = -1


class Request(NamedTuple):
    """What a submitted job asks for: seconds, nodes, and the number of its user."""

    submit: int
    user: int
    size: int
    estimate: int


class Known(NamedTuple):
    """What is known after an event. Jobs are named by their rows."""

    now: int
    requests: list[Request]
    """Of all submitted jobs, by row."""
    started: list[int]
    """All that have started, in order of their starts; those of one event by row."""
    ended: dict[int, int]
    """Runtimes of those that have ended, in order of their ends; those of one event by row."""
    progress: dict[int, int]
    """Seconds of its runtime that each job that is not over has had."""
    aside: list[int]
    """Those that have not started and do not wait in the queue: they have nodes, or are held. By row."""
    queue: list[int]
    """Those that wait, in the order of the queue."""
    young: bool = False
    """Whether arrivals may come again after less than a week, if nothing older is known."""
