"""The CPUs and the queue of the last weeks are those of the naive program."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.report.cluster import Accounted, course
from tests.session.report import naive

ROWS = st.lists(st.tuples(*[st.integers(0, 9)] * 3, st.integers(1, 8), st.sampled_from("rwd")), max_size=12)


@given(rows=ROWS, bounds=st.sets(st.integers(-3, 40), min_size=2, max_size=6))
def test_the_course_is_that_of_the_seconds(
    rows: list[tuple[int, int, int, int, str]], bounds: set[int]
) -> None:
    """Done, running and waiting jobs: CPUs held and jobs waiting are the means over each stretch."""
    late, found, jobs = 10**6, [], []
    for eligible, wait, runs, cpus, state in rows:
        start = late if state == "w" else eligible + wait
        end = late if state != "d" else start + runs
        jobs.append(naive.Times(eligible, start, end, cpus, ""))
        found.append(Accounted(cpus, eligible, *(None if at == late else at for at in (start, end))))
    edges = sorted(bounds)
    for each, (begin, end) in zip(course(found, edges), pairwise(edges), strict=True):
        seconds = range(begin, end)
        assert (each.begin, each.end) == (begin, end)
        assert each.busy == pytest.approx(sum(naive.busy(jobs, at) for at in seconds) / len(seconds))
        assert each.queue == pytest.approx(sum(naive.waiting(jobs, at) for at in seconds) / len(seconds))
        assert each.longest >= max(naive.waiting(jobs, at) for at in seconds)
