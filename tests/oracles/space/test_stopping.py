"""What the schedulers have in common that stop jobs which started out of order."""

from typing import Any

import pytest

from tests.oracles.outcome import Outcome
from tests.oracles.small_cases import jobs
from tests.oracles.space.checkpoint import checkpoint
from tests.oracles.space.maui import maui


@pytest.mark.parametrize(
    ("stopping", "parameters"), [(checkpoint, {"threshold": 0}), (maui, {"preempt": True})]
)
def test_those_stopped_last_stand_ahead_of_those_stopped_before(
    stopping: Any, parameters: dict[str, Any]
) -> None:
    """At 10 X and Y stop for C; at 14 X is back and Z stops for it; at 20, when X ends, Z is before Y."""
    workload = jobs(
        (0, 10, 4, 10), (0, 14, 2, 14), (0, 20, 9, 20), (0, 16, 3, 50), (0, 15, 3, 50), (10, 12, 1, 20)
    )
    outcome: Outcome = stopping(workload, 12, **parameters)
    assert outcome.finishes == [10, 14, 30, 20, 33, 28]
    assert outcome.preemptions == [0, 0, 0, 1, 1, 1]
    assert outcome.waits == [0, 0, 10, 4, 18, 6]
