"""The exact small cases that every program for these policies must reproduce, each with its story."""

from typing import NamedTuple

from tests.oracles.jobs import Job


class SmallCase(NamedTuple):
    """A workload of a few jobs and the starts that each policy gives it."""

    story: str
    nodes: int
    jobs: list[Job]
    starts: dict[tuple[str, str], list[int]]
    """(policy, its parameter) -> starts; the parameter is EASY's `scan`, conservative's `compress`, or ''."""


def jobs(*rows: tuple[int, int, int, int]) -> list[Job]:
    """Jobs from (submit, runtime, size, estimate) rows."""
    return [Job(*row) for row in rows]


def endless(length: int) -> SmallCase:
    """EASY's unbounded delay, with a backfilled job of any length."""
    return SmallCase(
        "A small job backfilled beside the head delays the third job for as long as it likes",
        10,
        jobs((0, 100, 6, 100), (0, 10, 8, 10), (0, 10, 9, 10), (1, length, 2, length)),
        {("easy", "arrival"): [0, 100, 1 + length, 1], ("conservative", "arrival"): [0, 100, 110, 120]},
    )


CASES = [
    endless(500),
    endless(100_000),
    SmallCase(
        "A head that needs the whole machine empties it first",
        10,
        jobs((0, 10, 4, 10), (0, 20, 6, 20), (1, 10, 10, 10), (2, 8, 2, 40), (3, 30, 2, 50)),
        {("easy", "arrival"): [0, 0, 20, 30, 30]},
    ),
    SmallCase(
        "The extra nodes count every job that ends at the shadow time",
        5,
        jobs((0, 4, 1, 4), (3, 1, 3, 1), (3, 2, 2, 4), (3, 1, 1, 4), (3, 1, 3, 2)),
        {("easy", "arrival"): [0, 3, 4, 3, 4]},
    ),
    SmallCase(
        "In an instant all completions and all submissions come before the one pass",
        5,
        jobs((1, 2, 2, 5), (1, 1, 5, 3), (3, 2, 3, 3), (3, 3, 3, 4), (3, 4, 4, 4)),
        {("easy", "arrival"): [1, 3, 4, 6, 9]},
    ),
    SmallCase(
        "EASY lets the last job pass where a reservation of the third one forbids it",
        4,
        jobs((0, 5, 3, 6), (2, 2, 2, 6), (3, 3, 2, 6), (3, 1, 1, 5)),
        {("easy", "arrival"): [0, 5, 5, 3], ("conservative", "arrival"): [0, 5, 5, 7]},
    ),
    SmallCase(
        "The order in which candidates are scanned decides who takes the hole",
        5,
        jobs((0, 5, 2, 6), (2, 1, 4, 1), (2, 1, 2, 4), (2, 1, 2, 1), (2, 1, 5, 2)),
        {("easy", "arrival"): [0, 5, 2, 3, 6], ("easy", "shortest"): [0, 5, 6, 2, 7]},
    ),
    SmallCase(
        "A job that ends in time takes no extra nodes even when it comes after one that does",
        5,
        jobs((1, 2, 4, 3), (1, 1, 4, 2), (1, 2, 1, 5), (1, 1, 1, 1), (3, 2, 3, 6)),
        {("easy", "arrival"): [1, 3, 1, 3, 4]},
    ),
    SmallCase(
        "Compression keeps each job's place in the plan; planning anew does not",
        4,
        jobs((2, 2, 2, 6), (2, 2, 2, 4), (3, 1, 3, 6), (3, 1, 2, 1), (3, 3, 2, 5)),
        {("conservative", "arrival"): [2, 2, 5, 4, 6], ("conservative", "replan"): [2, 2, 4, 5, 5]},
    ),
]

ROWS = [(case, policy, setting) for case in CASES for policy, setting in case.starts]
ROW_NAMES = [f"{policy}-{setting}: {case.story}" for case, policy, setting in ROWS]
