"""Other samples of a workload: users drawn anew, submissions moved, jobs that wait for their user's last."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from shadowtime.console.session import ScenarioError, load
from shadowtime.scenarios.models.resampling import THINK, WEEK, fed_back, resampled, shaken
from shadowtime.scenarios.workload import Job, Workload
from tests.scenarios.support import log, row


@pytest.fixture
def workload() -> Workload:
    """Four weeks of eight users."""
    choose = Random(7)
    submits = sorted(choose.randrange(4 * WEEK) for _ in range(400))
    return Workload.of(
        Job(
            number + 1,
            choose.randrange(1, 9),
            submit,
            1 + choose.randrange(4000),
            5000,
            f"u{choose.randrange(8)}",
        )
        for number, submit in enumerate(submits)
    )


def test_users_are_drawn_with_their_jobs(workload: Workload) -> None:
    """Each copy has all jobs of its user, at the same hours of the same weekdays."""
    found = resampled(workload, 3)
    first = workload.submit[0]

    def jobs(of: Workload, row: int) -> tuple[int, int, int]:
        return of.size[row], of.runtime[row], (of.submit[row] - first) % WEEK

    wanted = {name: Counter[tuple[int, int, int]]() for name in set(workload.user)}
    for index, user in enumerate(workload.user):
        wanted[user][jobs(workload, index)] += 1
    copies = dict[str, Counter[tuple[int, int, int]]]()
    for index, user in enumerate(found.user):
        copies.setdefault(user, Counter())[jobs(found, index)] += 1
    assert len(copies) == 8 and all(copies[name] == wanted[name.rpartition(".")[0]] for name in copies)
    assert list(found.submit) == sorted(found.submit) and found.submit[-1] < first + 4 * WEEK
    assert list(found.id) == list(range(1, len(found) + 1)) and found.rows == len(found)
    assert list(resampled(workload, 3).submit) == list(found.submit) != list(resampled(workload, 4).submit)


def test_a_workload_without_users_cannot_be_resampled() -> None:
    """The reason is given."""
    with pytest.raises(ValueError, match="user of each job"):
        resampled(Workload.of([Job(1, 1, 0, 5, 5)]), 1)


def test_submissions_are_moved_a_little(workload: Workload) -> None:
    """Every distance up to the bound comes, in both directions; the jobs are the same."""
    found = shaken(workload, 5, 1)
    before = dict(zip(workload.id, workload.submit, strict=True))
    moved = {submit - before[job] for job, submit in zip(found.id, found.submit, strict=True)}
    assert moved == set(range(-5, 6)) and list(found.submit) == sorted(found.submit)
    assert sorted(found.id) == list(workload.id)
    assert dict(zip(found.id, found.size, strict=True)) == dict(zip(workload.id, workload.size, strict=True))


def test_a_job_waits_for_the_last_of_its_user(workload: Workload) -> None:
    """Pair by pair: the last end of the user's jobs, if that was at most twenty minutes before."""
    choose = Random(1)
    waits = {key: choose.randrange(3000) for key in zip(workload.id, workload.submit, strict=True)}
    del waits[workload.id[5], workload.submit[5]]
    found = fed_back(workload, waits)
    assert found.after is not None and found.think is not None
    rows = list(zip(workload.id, workload.submit, workload.runtime, workload.user, strict=True))
    for (_, submit, _, user), after, think in zip(rows, found.after, found.think, strict=True):
        ends = [
            (came + waits[number, came] + runtime, number)
            for number, came, runtime, of in rows
            if of == user and (number, came) in waits
        ]
        end, before = max((end for end in ends if submit - THINK <= end[0] <= submit), default=(submit, -1))
        assert (after, think) == (before, submit - end)
    assert sum(after > 0 for after in found.after) > 3


def test_a_scenario_says_what_is_sampled(tmp_path: Path) -> None:
    """A later end moves the job that waits for it; seeds give other samples."""
    rows = [row(1, 0, 500, estimate=500), row(2, 1, wait=0, user=1), row(3, 131, 10, wait=0, user=1)]
    (tmp_path / "a.swf").write_text(log(*rows, header="; MaxProcs: 4\n"))

    def submissions(keys: str) -> list[int]:
        path = tmp_path / "s.toml"
        path.write_text(f'title = "T"\npolicy = {{name = "fcfs"}}\n[workload]\nlog = "a.swf"\n{keys}\n')
        return list(load(path).columns.submit)

    assert submissions("") == [0, 1, 131]
    # Job 2 ends at 600, and its user thinks for 30 seconds.
    assert submissions('arrivals = "feedback"') == [0, 1, 630]
    shakes = {tuple(submissions(f'shake = {{within = "1m", seed = {seed}}}')) for seed in range(5)}
    assert len(shakes) == 5
    with pytest.raises(ScenarioError, match="user of each job"):
        submissions("resample = {seed = 1}")
    with pytest.raises(ScenarioError, match="expected at most"):
        submissions(f"shake = {{within = {2**61}, seed = 1}}")


def test_times_are_bounded_again_after_a_change(tmp_path: Path) -> None:
    """A user with long estimates who is drawn twice has them twice."""
    rows = [row(1, estimate=2**61, user=1), row(2, user=2)]
    (tmp_path / "a.swf").write_text(log(*rows, header="; MaxProcs: 4\n"))
    path, lengths = tmp_path / "s.toml", set[int]()
    for seed in range(20):
        path.write_text(
            'title = "T"\npolicy = {name = "fcfs"}\n[workload]\nlog = "a.swf"\n'
            f"resample = {{seed = {seed}}}\n"
        )
        try:
            lengths.add(sum(load(path).columns.estimate))
        except ScenarioError as error:
            assert "2^62" in str(error)
            lengths.add(2**62)
    assert lengths == {400, 2**61 + 200, 2**62}
