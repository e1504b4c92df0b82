"""The numbers of a sample: each depends on the seed, the sample and what it is for, and on nothing else."""

from math import cos, log, pi, sqrt
from typing import NamedTuple

WORD = (1 << 64) - 1
BOOTSTRAP, RUNTIME, ARRIVALS = 1, 2, 3
"""Purposes."""


def mix(x: int) -> int:
    """Return a word in which each bit depends on all bits of another."""
    x = (x + 0x9E3779B97F4A7C15) & WORD
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & WORD
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & WORD
    return x ^ (x >> 31)


class Numbers(NamedTuple):
    """The numbers of one sample of a seed."""

    seed: int
    sample: int

    def uniform(self, purpose: int, a: int, b: int) -> float:
        """Return a number between 0 and 1."""
        word = mix(self.seed & WORD)
        for part in (self.sample, purpose, a, b):
            word = mix(word ^ part)
        return ((word >> 11) + 0.5) / 2**53

    def exponential(self, row: int) -> float:
        """Return the weight of a job in the Bayesian bootstrap."""
        return -log(self.uniform(BOOTSTRAP, row, 0))

    def normal(self, a: int, b: int, c: int) -> float:
        """Return a normal deviate for a draw in row `a`, from the numbers `b` and `c`."""
        radius = sqrt(-2 * log(self.uniform(RUNTIME, a, b)))
        return radius * cos(2 * pi * self.uniform(RUNTIME, a, c))
