"""What a captured cluster uses that the plan leaves out is named."""

from pathlib import Path

import attrs
import pytest

from shadowtime.console.session.slurm.caveats import PREFERRED, CaveatsOfJobs, caveats
from shadowtime.scenarios.slurm import Generation, Quality, read_capture
from tests.oracles.slurm.small import cluster, waiting
from tests.scenarios.slurm.support import files, write


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
    for found in (caveats(capture), CaveatsOfJobs(capture).of(waiting)):
        assert [each.startswith(words) for each in found].count(True) == 1
    assert not any(each.startswith(words) for each in CaveatsOfJobs(capture).of(running))


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


@pytest.mark.parametrize(
    ("limit", "named"),
    [
        (("MaxTRESPU", "node"), False),
        (("GrpTRES", "cpu"), False),
        (("MaxWallPJ", ""), False),
        (("MaxTRESPN", "node"), True),
        (("GrpTRES", "gres/gpu"), False),
        (("GrpTRES", "gres/gpu:a100"), True),
        (("MaxTRESPN", "gres/gpu"), True),
        (("max.tres.minutes.total", "cpu"), True),
    ],
)
def test_limits_that_the_plan_does_not_know_are_named(
    tmp_path: Path, limit: tuple[str, str], named: bool
) -> None:
    """For the cluster, and for the jobs of the quality of service; not where no limits are enforced."""
    capture = read_capture(write(tmp_path, files(42)))
    job = attrs.evolve(capture.jobs[1], qos="day")
    settings = attrs.evolve(capture.settings, limits_enforced=True)
    limited = attrs.evolve(capture, qualities=(Quality("day", 0, (), {limit: 3}),), settings=settings)
    for found in (caveats(limited), CaveatsOfJobs(limited).of(job)):
        assert any(limit[0] in each for each in found) is named
    free = attrs.evolve(limited, settings=attrs.evolve(settings, limits_enforced=False))
    assert not any(limit[0] in each for each in (*caveats(free), *CaveatsOfJobs(free).of(job)))


@pytest.mark.parametrize(
    ("release", "limit", "named"),
    [
        ("22.05.8", ("MaxTRESPU", "node"), True),
        ("22.05.8", ("MaxTRESPJ", "node"), False),
        ("22.05.8", ("GrpTRES", "cpu"), False),
        ("24.11.5", ("MaxTRESPU", "node"), False),
    ],
)
def test_what_22_05_prefers_after_a_start_under_a_limit_on_nodes_is_named(
    release: str, limit: tuple[str, str], named: bool
) -> None:
    """For the cluster: it concerns every job, under the limit or not."""
    capture = attrs.evolve(cluster(1, [waiting(1, 1, 10)], release), generation=Generation(38, release))
    limited = attrs.evolve(capture, qualities=(Quality("day", 0, (), {limit: 3}),))
    assert (PREFERRED in caveats(limited)) is named


@pytest.mark.parametrize(("parser", "named"), [(38, False), (42, True)])
def test_nodes_to_one_user_are_named_where_the_rule_is_not_known(
    tmp_path: Path, parser: int, named: bool
) -> None:
    """22.05 is known; of the releases after it not all recorded plans are met."""
    contents = files(parser)
    shared: object = "user" if parser == 38 else ["user"]
    contents["squeue.json"]["jobs"][1].update(shared=shared)
    capture = read_capture(write(tmp_path, contents))
    assert capture.jobs[1].request.exclusive_user
    for found in (caveats(capture), CaveatsOfJobs(capture).of(capture.jobs[1])):
        assert any("one user" in each for each in found) is named
