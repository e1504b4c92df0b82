"""The compiled schedulers give every job of the KTH log its published start, with ties and without."""

from functools import cache
from pathlib import Path

import pytest

from tests.kernels.drive import finished
from tests.oracles.jobs import Job, Workload, read_log, read_starts

NODES = 100
SETTINGS = {"fcfs": "fcfs", "easy": "easy-arrival", "sjbf": "easy-shortest", "cons": "conservative-arrival"}
MEANS = {
    "fcfs": (353776.41, 6814.973),
    "easy": (6834.59, 92.688),
    "sjbf": (5903.69, 69.394),
    "cons": (7316.24, 88.967),
}

read_once = cache(read_log)


def log(published: Path, name: str) -> list[Job]:
    """The jobs of a published log; each is read once."""
    return read_once(published / f"{name}.swf.xz")


@pytest.mark.parametrize("name", ["KTH-SP2", "KTH-SP2.tiefree"])
@pytest.mark.parametrize("policy", SETTINGS)
def test_no_start_differs(published: Path, policy: str, name: str) -> None:
    """Every one of the 28,481 jobs starts when two independent programs agree that it does."""
    results = finished(Workload(log(published, name), NODES), SETTINGS[policy]).results()
    expected = read_starts(published / f"{name}.{policy}.csv.xz")
    differing = [
        index for index, pair in enumerate(zip(results["start"], expected, strict=True)) if len({*pair}) > 1
    ]
    assert differing == []


@pytest.mark.parametrize("policy", SETTINGS)
def test_the_published_means(published: Path, policy: str) -> None:
    """Mean wait and mean bounded slowdown of the log with ties, to the decimals that were published."""
    values = finished(Workload(log(published, "KTH-SP2"), NODES), SETTINGS[policy]).metrics()
    wait, slowdown = values["mean_wait"], values["mean_bounded_slowdown"]
    assert wait is not None
    assert slowdown is not None
    assert (round(wait, 2), round(slowdown, 3)) == MEANS[policy]
