"""The schedulers that a meta-policy may choose from, each able to take over the machine of another."""

from collections.abc import Callable
from typing import Any

from tests.oracles.jobs import Job
from tests.oracles.space.conservative import Hold, anchor
from tests.oracles.space.easy import Reservation, easy_pass, shadow_of
from tests.oracles.space.flex import Flex
from tests.oracles.space.virtual import Scheduler, State, hold

Candidate = tuple[str, dict[str, Any]]
"""A scheduler's name and those of its parameters that differ from the defaults."""


class Queue:
    """A scheduler without memory: each pass looks at the waiting and the running jobs only."""

    def take_over(self, state: State, now: int) -> None:
        """Nothing to plan."""

    def completed(self, state: State, now: int) -> None:
        """Nothing to do before the pass."""

    def submitted(self, state: State, now: int, index: int) -> None:
        """Nothing to do before the pass."""

    def due(self) -> int | None:
        """No timer is needed: without an event no other job may start."""
        return None


class Fcfs(Queue):
    """Heads start while they fit."""

    def starters(self, state: State, now: int) -> list[int]:
        """The heads that fit one after the other."""
        free, starting = state.free(), []
        for index in state.waiting:
            if state.jobs[index].size > free:
                break
            free -= state.jobs[index].size
            starting.append(index)
        return starting


class Easy(Queue):
    """EASY backfilling, candidates in arrival order."""

    def __init__(self, reservation: str = "recomputed") -> None:
        self.keeps = reservation == "kept"
        self.kept: Reservation | None = None

    def take_over(self, state: State, now: int) -> None:
        """No head has a reservation yet."""
        self.kept = None

    def starters(self, state: State, now: int) -> list[int]:
        """What the one pass of an instant starts."""
        running = [(item.end, item.size) for item in state.holds()]
        kept = self.kept if self.keeps else None
        decisions, self.kept = easy_pass(
            state.jobs, now, state.free(), state.waiting, running, "arrival", kept
        )
        return [decision.job for decision in decisions if decision.kind != "reserve"]


class WidestWindows(Queue):
    """Maui with the widest windows: jobs that end in time are found before those that need extra nodes."""

    def starters(self, state: State, now: int) -> list[int]:
        """Heads, then those that end by the shadow time, then those no larger than the extra nodes."""
        starting = Fcfs().starters(state, now)
        queue = [index for index in state.waiting if index not in starting]
        if not queue:
            return starting
        holds = state.holds() + [hold(state.jobs[index], now) for index in starting]
        free = state.free() - sum(state.jobs[index].size for index in starting)
        running = [(item.end, item.size) for item in holds]
        shadow, extra = shadow_of(state.jobs[queue[0]], now, free, running)
        for index in queue[1:]:
            job = state.jobs[index]
            if job.size <= free and now + job.estimate <= shadow:
                free -= job.size
                starting.append(index)
        for index in queue[1:]:
            job = state.jobs[index]
            if index not in starting and job.size <= free and job.size <= extra:
                free -= job.size
                extra -= job.size
                starting.append(index)
        return starting


class Planner(Queue):
    """SJF or LJF: a fresh plan of all waiting jobs in each pass, by estimate; those planned for now start."""

    def __init__(self, rank: Callable[[Job], int]) -> None:
        self.rank = rank

    def starters(self, state: State, now: int) -> list[int]:
        """The jobs that a fresh plan has at its very beginning."""
        holds, starting = state.holds(), []
        for index in sorted(state.waiting, key=lambda index: (self.rank(state.jobs[index]), index)):
            start = anchor(state.jobs[index], holds, state.nodes, now)
            holds.append(hold(state.jobs[index], start))
            if start == now:
                starting.append(index)
        return starting


class Conservative:
    """Conservative backfilling, compressed in arrival order."""

    def __init__(self) -> None:
        self.reserved: dict[int, int] = {}

    def reserve(self, state: State, now: int, index: int) -> None:
        """Put a job at its earliest time beside all others."""
        self.reserved.pop(index, None)
        others = [hold(state.jobs[other], start) for other, start in self.reserved.items()]
        holds: list[Hold] = state.holds() + others
        self.reserved[index] = anchor(state.jobs[index], holds, state.nodes, now)

    def take_over(self, state: State, now: int) -> None:
        """Fresh reservations in arrival order."""
        self.reserved = {}
        for index in state.waiting:
            self.reserve(state, now, index)

    def completed(self, state: State, now: int) -> None:
        """Compression: each job, in arrival order, is taken out and put back."""
        for index in sorted(self.reserved):
            self.reserve(state, now, index)

    def submitted(self, state: State, now: int, index: int) -> None:
        """A new job is given its reservation."""
        self.reserve(state, now, index)

    def starters(self, state: State, now: int) -> list[int]:
        """The jobs reserved for now."""
        starting = sorted(index for index, start in self.reserved.items() if start == now)
        for index in starting:
            del self.reserved[index]
        return starting

    def due(self) -> int | None:
        """The first reservation."""
        return min(self.reserved.values(), default=None)


def maui(windows: str = "queue") -> Scheduler:
    """Maui without weights and without preemption; with the windows of the queue it is EASY exactly."""
    assert windows in ("queue", "widest"), windows
    return Easy() if windows == "queue" else WidestWindows()


MAKERS: dict[str, Callable[..., Scheduler]] = {
    "fcfs": Fcfs,
    "easy": Easy,
    "conservative": Conservative,
    "sjf": lambda: Planner(lambda job: job.estimate),
    "ljf": lambda: Planner(lambda job: -job.estimate),
    "maui": maui,
    "flex": Flex,
}


def scheduler_of(candidate: Candidate) -> Scheduler:
    """A new scheduler of a name with its parameters."""
    name, parameters = candidate
    return MAKERS[name](**parameters)
