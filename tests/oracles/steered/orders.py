"""Policies that decide by more than the queue, in a steered run: dynP, IVS and UNICOS MAX."""

from collections.abc import Callable
from typing import Any

from tests.oracles.steered.policies import Conservative, Easy, Fcfs, Maui, Ordered, Reserving
from tests.oracles.steered.world import World

SIGNS = {"fcfs": 0, "sjf": 1, "ljf": -1}
"""Of an order: what it makes of an estimate."""


class Deciding(Ordered):
    """A plan in each pass, in the order that is in force; the order may change right before the pass."""

    def __init__(self) -> None:
        super().__init__(SIGNS["fcfs"])

    def order(self, world: World) -> str | None:
        """The order that should be in force; None keeps the present one."""
        raise NotImplementedError

    def reconsider(self, world: World) -> bool:
        """Settle the order for a pass. Whether it is another one."""
        order = self.order(world)
        before, self.sign = self.sign, self.sign if order is None else SIGNS[order]
        return self.sign != before


class DynP(Deciding):
    """By the mean estimate of the waiting jobs, when there are enough of them."""

    def __init__(self, lower: int, upper: int, threshold: int) -> None:
        super().__init__()
        self.lower, self.upper, self.threshold = lower, upper, threshold

    def order(self, world: World) -> str | None:
        """SJF for short jobs, LJF for long ones, FCFS between."""
        estimates = [world.estimate(job) for job in world.queue()]
        if not estimates or len(estimates) < self.threshold:
            return None
        if sum(estimates) <= self.lower * len(estimates):
            return "sjf"
        return "fcfs" if sum(estimates) <= self.upper * len(estimates) else "ljf"


class Ivs(Deciding):
    """By the vote of the waiting jobs, where enough nodes are busy; interactive by the whole estimate."""

    def __init__(self, delta: int, utilized: float, interactive: int) -> None:
        super().__init__()
        self.delta, self.utilized, self.interactive = delta, utilized, interactive

    def order(self, world: World) -> str | None:
        """SJF where the short are in the majority, LJF where the long are."""
        busy = sum(world.jobs[job].size for job in world.running)
        if busy < self.utilized * world.nodes:
            return "fcfs"
        queue = world.queue()
        short = sum(world.jobs[job].estimate <= self.interactive for job in queue)
        long = len(queue) - short
        if short > long + self.delta:
            return "sjf"
        return "ljf" if long > short + self.delta else None


class Unicos(Fcfs):
    """Whatever fits starts, until somebody that does not has waited too long."""

    def __init__(self, limit: int) -> None:
        self.limit = limit

    def decide(self, world: World) -> list[int]:
        """The jobs that a pass starts, in order."""
        started, free = [], len(world.idle())
        for job in world.queue():
            if world.jobs[job].size <= free:
                started.append(job)
                free -= world.jobs[job].size
            elif world.records[job].wait + world.now - world.records[job].entered > self.limit:
                break
        return started


def maui(windows: str = "queue", reservations: int = 1) -> Fcfs:
    """With one reservation: EASY, or EASY in two scans."""
    if reservations > 1:
        return Reserving(reservations, windows == "widest")
    return Maui() if windows == "widest" else Easy("arrival")


def space_policy(name: str, parameters: dict[str, Any]) -> Fcfs:
    """A policy by its name and parameters, new and with no past."""
    makers: dict[str, Callable[..., Fcfs]] = {
        "fcfs": Fcfs,
        "easy": lambda scan="arrival", reservation="recomputed": Easy(scan, reservation),
        "conservative": lambda compress="arrival": Conservative(compress),
        "sjf": lambda: Ordered(1),
        "ljf": lambda: Ordered(-1),
        "maui": maui,
        "dynp": DynP,
        "ivs": Ivs,
        "unicos": Unicos,
    }
    return makers[name](**parameters)
