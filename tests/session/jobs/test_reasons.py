"""Why jobs wait, whatever was looked at before: a fork serves only the event of its pass."""

from random import Random

import pytest

from console.session import open_session
from tests.console.operator import under


@pytest.mark.parametrize("policy", ["easy", "conservative", "sjf", "dynp"])
def test_a_walk_shows_the_reasons_of_a_straight_run(policy: str) -> None:
    """Forward and back by chance; beside each place a run that has just come there."""
    case, random = under(policy), Random(7)
    session = open_session(case)
    session.go_end()
    for _ in range(30):
        session.go_event(random.randrange(session.total or 1))
        fresh = open_session(case)
        fresh.go_event(session.number)
        jobs = range(len(case.jobs))
        assert [session.row(job).reason for job in jobs] == [fresh.row(job).reason for job in jobs]
