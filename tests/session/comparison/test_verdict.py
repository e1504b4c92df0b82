"""What another policy changes agrees with the naive program, on random schedules and windows."""

import random

import attrs
import pytest

from shadowtime.console.session.comparison.verdict import Window, verdict
from shadowtime.console.session.travel.moments import NONE
from tests.oracles.comparison import verdict as naive

USERS = 4


@attrs.frozen
class Columns:
    """The jobs of a case."""

    id: list[int]
    submit: list[int]
    user: list[str]


def jobs_of(rng: random.Random) -> list[naive.Job]:
    """Random jobs in order of submission; some never start in a lane."""
    count, submit = rng.choice((3, 39, 40, 173)), 0
    found = []
    for _ in range(count):
        submit += rng.randrange(40)
        one, other = (None if rng.random() < 0.03 else submit + rng.randrange(900) for _ in range(2))
        found.append((str(rng.randrange(USERS)), submit, one, one if rng.random() < 0.3 else other))
    return found


@pytest.mark.parametrize("seed", range(40))
def test_a_verdict_agrees(seed: int) -> None:
    rng = random.Random(f"verdict {seed}")
    jobs = jobs_of(rng)
    columns = Columns(list(range(len(jobs))), [job[1] for job in jobs], [job[0] for job in jobs])
    last = jobs[-1][1]
    since, until = (None if rng.random() < 0.4 else rng.randrange(last + 2) for _ in range(2))
    starts = [[NONE if each is None else each for each in lane] for lane in list(zip(*jobs, strict=True))[2:]]
    found = verdict(columns, ("a", "b"), starts, Window(since, until), worst=3)
    measured = naive.measured(jobs, since, until)
    assert found.all.jobs == len(measured)
    if not measured:
        return
    for row, user in ((found.all, None), *((each, each.user) for each in found.users)):
        expected = naive.waits(measured, user)
        assert row.jobs == expected["jobs"] and list(row.longest) == expected["longest"]
        assert list(row.means) == pytest.approx([float(each) for each in expected["means"]])
        assert list(row.medians) == expected["medians"]
        assert (row.better, row.worse) == ((expected["better"],), (expected["worse"],))
    assert sum(each.jobs for each in found.users) in (0, len(measured))
    bounds, evidence = naive.bounds(measured), found.evidence[0]
    assert (bounds is None) == (evidence is None)
    if bounds is not None and evidence is not None:
        assert (evidence.low, evidence.high) == pytest.approx(bounds)
    pairs = ((one, other) for _, _, one, other in measured if one is not None and other is not None)
    spread = sorted((abs(other - one) for one, other in pairs), reverse=True)
    worst = [abs(starts[1][job] - starts[0][job]) for job in found.worst]
    assert worst == [by for by in spread if by][:3]
