"""What an event decided, in a few words: reported of many decisions at once as of each."""

import pytest
from hypothesis import given

from shadowtime.console import words
from shadowtime.console.session import Decision, Reason
from tests.oracles.jobs import Workload, workloads
from tests.session.build import POLICIES, session_of


@pytest.mark.proof
@pytest.mark.parametrize("policy", POLICIES)
@given(workload=workloads())
def test_what_many_decided_is_told_as_of_each(policy: str, workload: Workload) -> None:
    """Decisions that are made facts when they are asked for are tallied without asking."""
    session = session_of(workload, policy)
    for it in session.events(1, 200):
        each = tuple(it.decisions)
        assert words.tally(it.decisions, words.NODES) == words.tally(each, words.NODES)
        assert it.decisions == each and it.decisions[:1] == each[:1]


def test_jobs_are_named_in_the_order_of_the_decisions() -> None:
    """Also where two reasons led to the same."""
    codes = ("ends_by_shadow", "within_extra", "ends_by_shadow")
    made = tuple(Decision("backfill", job, Reason(code, {})) for job, code in enumerate(codes, 1))
    assert words.tally(made, words.NODES) == words.TALLIES["backfill"].format("jobs 1, 2, 3")
