"""What a captured cluster uses that the plan leaves out is named."""

from pathlib import Path

import attrs
import pytest

from shadowtime.console.session.slurm.caveats import caveats, caveats_of
from shadowtime.scenarios.slurm import Quality, read_capture
from tests.scenarios.slurm.support import files, write

LIMITS = "limits of qualities of service other than nodes by user"


@pytest.mark.parametrize(
    ("fields", "threads", "words"),
    [
        ({"memory_per_tres": "gres:gpu:900"}, 1, "CPUs or memory by generic resource"),
        ({"array_job_id": 2, "array_task_string": "3,5,7,..."}, 1, "tasks that squeue cut off"),
        ({"cpus_per_tres": "gres/gpu:3"}, 1, "CPUs or memory by generic resource"),
        ({"threads_per_core": {"set": True, "infinite": False, "number": 1}}, 2, "fewer threads of a core"),
    ],
)
def test_what_a_job_asks_for_and_the_plan_does_not_know(
    tmp_path: Path, fields: dict[str, object], threads: int, words: str
) -> None:
    """It is named for the cluster and for the job, and not for a job without it."""
    contents = files(42)
    for node in contents["nodes.json"]["nodes"]:
        node.update(threads=threads, cpus=4 * threads)
    contents["squeue.json"]["jobs"][1].update(fields)
    capture = read_capture(write(tmp_path, contents))
    running, waiting = capture.jobs
    for found in (caveats(capture), caveats_of(capture, waiting)):
        assert [each.startswith(words) for each in found].count(True) == 1
    assert not any(each.startswith(words) for each in caveats_of(capture, running))


def test_what_a_held_job_asks_for_is_not_named_for_the_cluster(tmp_path: Path) -> None:
    """It has no entry, and Slurm shows its own estimate as the most nodes."""
    contents = files(42)
    contents["squeue.json"]["jobs"][1].update(max_nodes=7)
    assert "ranges of nodes" in caveats(read_capture(write(tmp_path / "waits", contents)))
    contents["squeue.json"]["jobs"][1].update(priority=0)
    assert "ranges of nodes" not in caveats(read_capture(write(tmp_path / "held", contents)))


def test_one_thread_of_a_core_is_nothing_to_name_where_cores_have_one(tmp_path: Path) -> None:
    """`threads_per_core` of 1 changes nothing on nodes of one thread a core."""
    contents = files(42)
    contents["squeue.json"]["jobs"][1].update(threads_per_core=1)
    assert not any("threads" in each for each in caveats(read_capture(write(tmp_path, contents))))


@pytest.mark.parametrize(("bound", "named"), [({"node": 3}, False), ({"cpu": 70}, True), ({}, False)])
def test_limits_on_users_other_than_nodes_are_named(
    tmp_path: Path, bound: dict[str, int], named: bool
) -> None:
    """A plan knows how many nodes a user may hold; a bound on CPUs is left out, and said to be."""
    capture = read_capture(write(tmp_path, files(42)))
    quality = Quality("day", 0, (), bound, ())
    assert (LIMITS in caveats(attrs.evolve(capture, qualities=(quality,)))) is named
    job = attrs.evolve(capture.jobs[1], qos="day")
    assert (LIMITS in caveats_of(attrs.evolve(capture, qualities=(quality,)), job)) is named
