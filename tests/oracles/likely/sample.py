"""One sample: the runtimes of the jobs that are not over, and the jobs that come."""

from collections.abc import Callable, Iterator
from math import exp, floor, log2
from typing import NamedTuple

from tests.oracles.likely.known import NO_USER, Known, Request
from tests.oracles.likely.numbers import ARRIVALS, RUNTIME, Numbers

WEEK = 604_800
MOST_ARRIVALS = 65_536
MOST_ASKED = 2**60
MOST_QUEUED = 32


class Entry(NamedTuple):
    """An earlier job of a level."""

    ratio: float
    weight: float


class Arrival(NamedTuple):
    """A job that comes."""

    row: int
    submit: int
    runtime: int
    model: int
    """The row of the job that comes again."""


class Mixture(NamedTuple):
    """The constants of a sample."""

    kappa: tuple[float, float, float, float, float]
    decay: int
    window: int
    near: bool


def mixture(sample: int) -> Mixture:
    """Return the constants of a sample."""
    factor = (1, 0.4, 2.5)[sample % 3]
    decay = (6, 4, 12)[sample // 3 % 3]
    return Mixture(
        (3 * factor, 3 * factor, 6 * factor, 20, 1), decay, 4 * decay + 1, near=sample // 2 % 2 == 1
    )


class Sample:
    """A sample of what may come, as far as it has been drawn."""

    def __init__(self, known: Known, seed: int, sample: int) -> None:
        """Draw the runtimes of all jobs that are not over."""
        self.known = known
        self.numbers = Numbers(seed, sample)
        self.mixture = mixture(sample)
        self.runtimes: dict[int, int] = {}
        self.queued: list[int] = []
        alive = [row for row in known.started if row in known.progress]
        for number in (0, 1):
            for row in reversed(alive):
                self.runtimes[row] = self.draw(row, known.requests[row], known.progress[row], number)
        for row in known.aside + [row for row in known.queue if row not in alive]:
            self.runtimes[row] = self.draw(row, known.requests[row], known.progress[row], 0)
            self.queued.append(row)

    def arrivals(self) -> Iterator[Arrival]:
        """Yield the jobs that come, in order."""
        known = self.known
        if not known.requests:
            return
        span = known.now - known.requests[0].submit
        fitting = [unit for unit in (WEEK, 86_400) if unit <= span] or [max(1, span // 8)]
        unit = fitting[0] if known.young else WEEK
        most = min(8, max(1, span // unit))
        weights = [exp(-(weeks - 1) / 4) for weeks in range(1, most + 1)]
        goal = self.numbers.uniform(ARRIVALS, 0, 0) * sum_in_order(weights)
        period = unit * (1 + first_that_passes(weights, goal))
        models = [row for row, asked in enumerate(known.requests) if asked.submit > known.now - period]
        if not models:
            return
        seconds = 0
        for place in range(MOST_ARRIVALS):
            model, row = models[place % len(models)], len(known.requests) + place
            asked = known.requests[model]
            seconds += asked.estimate
            if seconds > MOST_ASKED:
                return
            runtime = known.ended[model] if model in known.ended else self.draw(row, asked, 0, 0)
            yield Arrival(row, asked.submit + period * (1 + place // len(models)), runtime, model)

    def draw(self, row: int, asked: Request, progress: int, number: int) -> int:
        """Return a runtime for the job in a row with this progress: its draw of this number."""

        def uniform(place: int) -> float:
            return self.numbers.uniform(RUNTIME, row, 16 * number + place)

        if progress >= asked.estimate:
            return asked.estimate
        least = progress / asked.estimate
        levels = self.levels(row, asked)
        # By level, from 1 to 6: how much is above the least ratio in it and in all that are more general.
        above = [[entry for entry in entries if entry.ratio > least] for entries in levels]
        heavy = [sum_in_order([entry.weight for entry in entries]) for entries in above]
        whole = [sum_in_order([entry.weight for entry in entries]) for entries in levels]
        kappa = self.mixture.kappa
        survival = [0.0] * 5 + [1 - least]
        for level in reversed(range(5)):
            survival[level] = (heavy[level] + kappa[level] * survival[level + 1]) / (
                whole[level] + kappa[level]
            )
        ratio = least + (1 - least) * uniform(9)
        for level in range(5):
            chance = heavy[level] + kappa[level] * survival[level + 1]
            if heavy[level] > 0 and uniform(level + 1) * chance < heavy[level]:
                weights = [entry.weight for entry in above[level]]
                ratio = above[level][first_that_passes(weights, uniform(6) * heavy[level])].ratio
                if ratio < 1:
                    moved = ratio * exp(0.1 * self.numbers.normal(row, 16 * number + 7, 16 * number + 8))
                    ratio = moved if least < moved < 1 else ratio
                break
        return min(asked.estimate, max(progress + 1, floor(ratio * asked.estimate + 0.5)))

    def levels(self, row: int, asked: Request) -> list[list[Entry]]:
        """Return the entries of the five levels for the job in a row."""

        def alike(other: Request) -> bool:
            return floor(log2(other.estimate)) == floor(log2(asked.estimate)) and floor(
                log2(other.size)
            ) == floor(log2(asked.size))

        return [
            self.of_user(row, asked, lambda other: other[2:] == asked[2:]),
            self.of_user(row, asked, lambda other: other.estimate == asked.estimate),
            self.of_user(row, asked, lambda _: True, general=True),
            self.of_everybody(600, 300, alike),
            self.of_everybody(2000, 1000, lambda _: True),
        ]

    def of_user(
        self, row: int, asked: Request, matches: Callable[[Request], bool], *, general: bool = False
    ) -> list[Entry]:
        """Return entries of the same user. In the general level requests differ."""
        requests, user = self.known.requests, asked.user
        if user == NO_USER:
            return []

        def entry(other: int, runtime: int, weight: float) -> Entry:
            ratio = runtime / asked.estimate
            if not general:
                return Entry(ratio, weight)
            nearness = nearness_of(requests[other], asked) if self.mixture.near else 1
            return Entry(min(ratio, 1), weight * nearness)

        started = [
            other
            for other in reversed(self.known.started)
            if requests[other].user == user and matches(requests[other])
        ]
        entries = []
        for rank, other in enumerate(started[: self.mixture.window]):
            runtime = self.known.ended.get(other, self.runtimes.get(other))
            if other != row and runtime is not None:
                weight = exp(-rank / self.mixture.decay) * self.numbers.exponential(other)
                entries.append(entry(other, runtime, weight))
        queued = [other for other in reversed(self.queued) if requests[other].user == user]
        for other in queued[:MOST_QUEUED]:
            if matches(requests[other]):
                entries.append(entry(other, self.runtimes[other], 0.5))
        return entries

    def of_everybody(self, most: int, decay: int, matches: Callable[[Request], bool]) -> list[Entry]:
        """Return entries of the jobs that have ended, in order of falling ratio."""
        requests, runtimes = self.known.requests, self.known.ended
        ended = [other for other in reversed(runtimes) if matches(requests[other])]
        entries = [
            Entry(runtimes[other] / requests[other].estimate, exp(-rank / decay))
            for rank, other in enumerate(ended[:most])
        ]
        return sorted(entries, key=lambda entry: -entry.ratio)


def nearness_of(other: Request, asked: Request) -> float:
    """Return how near two requests are, 1 if they are equal."""
    return exp(
        -abs(log2(other.estimate) - log2(asked.estimate)) / 0.5 - abs(log2(other.size) - log2(asked.size))
    )


def sum_in_order(values: list[float]) -> float:
    """Return the sum, taken from the left with a rounding at each step."""
    total = 0.0
    for value in values:
        total += value
    return total


def first_that_passes(weights: list[float], goal: float) -> int:
    """Return the first place at which the running sum of weights passes a goal, the last one if none does."""
    total = 0.0
    for place, weight in enumerate(weights):
        total += weight
        if total > goal:
            return place
    return len(weights) - 1
