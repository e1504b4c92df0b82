"""The workload of Livermore's T3D: the paper's counts and areas, whatever the seed."""

from collections import Counter
from decimal import Decimal
from itertools import pairwise

import pytest

from shadowtime.scenarios import ScenarioError, generate
from shadowtime.scenarios.models.constants import Livermore
from shadowtime.scenarios.models.livermore import SIZES, livermore, weights_of_hours
from shadowtime.scenarios.workload import Workload

COUNT = 12_000
WEEK, HOUR = 7 * 86_400, 3600


@pytest.fixture(scope="module", name="made", params=[1, 7])
def made_fixture(request: pytest.FixtureRequest) -> Workload:
    """Two months on the T3D."""
    return livermore(COUNT, 256, Livermore(), seed=request.param).workload


def rows(made: Workload, klass: str) -> list[int]:
    """The jobs of a class."""
    return [row for row, of in enumerate(made.klass) if of == klass]


def area(made: Workload, of: list[int]) -> float:
    """Mean processor-seconds."""
    return sum(made.size[row] * made.runtime[row] for row in of) / len(of)


@pytest.mark.proof
def test_the_mix_is_the_papers(made: Workload) -> None:
    """2659 interactive jobs of 44.5 and 1328 batch jobs of 289.4 million processor-seconds, in 21 days."""
    interactive, batch = rows(made, "interactive"), rows(made, "batch")
    assert len(interactive) + len(batch) == COUNT
    assert len(interactive) / COUNT == pytest.approx(2659 / 3987, abs=0.015)
    assert area(made, interactive) == pytest.approx(44.5e6 / 2659, rel=0.001)
    assert area(made, batch) == pytest.approx(289.4e6 / 1328, rel=0.001)
    assert made.submit[-1] - made.submit[0] == pytest.approx(COUNT * 21 * 86_400 / 3987, rel=0.01)


def test_no_job_passes_a_limit_of_the_paper(made: Workload) -> None:
    """Interactive jobs: 64 processors and 2 hours; batch jobs: 4 hours; sizes are those of blocks."""
    for klass, most, longest in (("interactive", 64, 7200), ("batch", 256, 14_400)):
        of = rows(made, klass)
        assert {made.size[row] for row in of} == set(SIZES[klass]) and max(SIZES[klass]) == most
        assert max(made.runtime[row] for row in of) == longest
        assert all(1 <= made.runtime[row] <= made.estimate[row] <= longest for row in of)


@pytest.mark.proof
def test_some_batch_jobs_may_run_for_forty_hours() -> None:
    """A tenth of those of up to 64 processors; areas and submissions stay the paper's."""
    made = livermore(COUNT, 256, Livermore(batch_long_share=0.1), seed=1).workload
    batch = rows(made, "batch")
    long = [row for row in batch if made.estimate[row] == 144_000]
    small = [row for row in batch if made.size[row] <= 64]
    assert len(long) / len(small) == pytest.approx(0.1, abs=0.02)
    assert all(made.size[row] <= 64 and made.runtime[row] <= 144_000 for row in long)
    assert max(made.runtime[row] for row in long) > 86_400
    assert area(made, batch) == pytest.approx(289.4e6 / 1328, rel=0.001)
    assert area(made, rows(made, "interactive")) == pytest.approx(44.5e6 / 2659, rel=0.001)


def test_people_work_by_day(made: Workload) -> None:
    """The constants' shares: an hour of the night brings a tenth of interactive jobs, of batch two fifths."""
    for klass, elsewhen in (("interactive", 0.1), ("batch", 0.4)):
        hours = Counter((made.submit[row] % WEEK) // HOUR for row in rows(made, klass))
        day = sum(count for hour, count in hours.items() if hour < 120 and 8 <= hour % 24 < 18)
        assert (hours.total() - day) / 118 / (day / 50) == pytest.approx(elsewhen, abs=0.06)


def test_few_users_submit_most(made: Workload) -> None:
    """The first of thirty submits a quarter of all jobs."""
    users = Counter(made.user)
    assert len(users) == 30 and users.most_common(1)[0][0] == "user1"
    assert users["user1"] / COUNT == pytest.approx(0.25, abs=0.02)


def test_the_same_seed_gives_the_same_jobs_and_every_constant_counts() -> None:
    first, again = (livermore(300, 256, Livermore(), seed=3).workload for _ in range(2))
    columns = ("submit", "runtime", "estimate", "size")
    assert all(getattr(first, name) == getattr(again, name) for name in columns)
    some = livermore(300, 256, Livermore(batch_long_share=0.2), seed=3).workload
    for constants in (
        Livermore(interactive_share=0.2),
        Livermore(interarrival=60),
        Livermore(interactive_area=4000),
        Livermore(batch_area=90_000),
        Livermore(interactive_longest=600),
        Livermore(batch_longest=3600),
        Livermore(interactive_elsewhen=0),
        Livermore(batch_elsewhen=2),
        Livermore(batch_long_share=0.2),
        Livermore(users=3),
    ):
        other = livermore(300, 256, constants, seed=3).workload
        assert any(getattr(first, name) != getattr(other, name) for name in (*columns, "user"))
    other = livermore(300, 256, Livermore(batch_long_share=0.2, batch_long_longest=20_000), seed=3).workload
    assert other.estimate != some.estimate


def test_a_smaller_machine_has_no_larger_jobs_and_a_load_is_refused() -> None:
    assert max(livermore(400, 40, Livermore()).workload.size) == 32
    with pytest.raises(ScenarioError, match="livermore has the load that its constants give"):
        generate({"model": "livermore", "jobs": 5, "load": Decimal("0.5")}, 64)
    with pytest.raises(ScenarioError, match="its least job needs 2 processors, and the machine has 1"):
        generate({"model": "livermore", "jobs": 5}, 1)


def test_the_day_has_ten_hours_and_the_week_five_days() -> None:
    """From 8 to 18 o'clock, the last hour not included, from Monday to Friday."""
    sums = [0.0, *weights_of_hours(7 * 24 * HOUR, 1, Livermore(batch_elsewhen=0.0))]
    weights = [after - before for before, after in pairwise(sums)]
    assert [hour for hour, weight in enumerate(weights) if weight] == [
        24 * day + hour for day in range(5) for hour in range(8, 18)
    ]
