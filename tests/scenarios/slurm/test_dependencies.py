"""Dependencies that the list of jobs itself shows to be satisfied."""

from pathlib import Path

import pytest

from shadowtime.scenarios.slurm import read_capture
from tests.scenarios.slurm.support import NOW, number, write
from tests.session.slurm.captures import contents, ended, running, waiting

LEFT = {
    "afterok:3(unfulfilled)": "",
    "afterany:3(unfulfilled),afterok:5(unfulfilled)": "afterok:5(unfulfilled)",
    "afterok:4(unfulfilled)": "afterok:4(unfulfilled)",
    "afterany:4(unfulfilled)": "",
    "afterany:9(unfulfilled)": "afterany:9(unfulfilled)",
    "afterany:3(unfulfilled)?afterok:5(unfulfilled)": "afterany:3(unfulfilled)?afterok:5(unfulfilled)",
    "after:3(unfulfilled)": "after:3(unfulfilled)",
    "afterok:20_*(unfulfilled)": "afterok:20_*(unfulfilled)",
    "afterok:20_1(unfulfilled)": "",
    "afterok:20_2(unfulfilled)": "afterok:20_2(unfulfilled)",
    "": "",
}
"""What is left of a dependency: 3 is over, 4 has failed, 5 runs, 9 is not listed; 20_1 is over, 20_2 runs."""


@pytest.mark.parametrize("dependency", LEFT)
def test_dependencies_on_jobs_that_are_over_in_the_list_are_satisfied(
    tmp_path: Path, dependency: str
) -> None:
    jobs = [
        ended(3, "n1", NOW - 600),
        ended(4, "n1", NOW - 600, "FAILED"),
        running(5, ("n1",), NOW - 60),
        ended(21, "n2", NOW - 600) | {"array_job_id": number(20), "array_task_id": number(1)},
        running(22, ("n2",), NOW - 60) | {"array_job_id": number(20), "array_task_id": number(2)},
        waiting(30, overlay={"dependency": dependency, "accrue_time": number(0)}),
    ]
    job = read_capture(write(tmp_path / "cluster", contents(jobs))).jobs[-1]
    assert (job.dependency, job.depends) == (LEFT[dependency], bool(LEFT[dependency]))
    assert job.accrued_since == (NOW if dependency and not LEFT[dependency] else 0)


@pytest.mark.parametrize(("state", "left"), [("COMPLETED", ""), ("RUNNING", "singleton(unfulfilled)")])
def test_a_singleton_is_satisfied_if_the_job_before_it_is_over(tmp_path: Path, state: str, left: str) -> None:
    same = {"name": "same", "user_name": "ada"}
    first = running(3, ("n1",), NOW - 60) if state == "RUNNING" else ended(3, "n1", NOW - 600)
    jobs = [first | same, waiting(4, overlay=same | {"dependency": "singleton(unfulfilled)"})]
    assert read_capture(write(tmp_path / "cluster", contents(jobs))).jobs[-1].dependency == left
