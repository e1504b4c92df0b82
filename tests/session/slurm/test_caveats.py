"""What a captured cluster uses that the plan leaves out is named."""

from pathlib import Path
from typing import Any

import attrs
import pytest

from shadowtime.console.session.slurm.caveats import CaveatsOfJobs, caveats
from shadowtime.console.session.slurm.guard.caveat import Caveat, Left
from shadowtime.scenarios.slurm import Capture, Generation, Quality, read_capture
from tests.oracles.slurm.small import NOW, cluster, reserved, waiting
from tests.scenarios.slurm.support import files, write


@pytest.mark.parametrize(
    ("fields", "threads", "left"),
    [
        ({"memory_per_tres": "gres:gpu:900"}, 1, Left.BY_DEVICE),
        ({"array_job_id": 2, "array_task_string": "3,5,7,..."}, 1, Left.CUT),
        ({"cpus_per_tres": "gres/gpu:3"}, 1, Left.BY_DEVICE),
        ({"threads_per_core": {"set": True, "infinite": False, "number": 1}}, 2, Left.THREADS),
    ],
)
def test_what_a_job_asks_for_and_the_plan_does_not_know(
    tmp_path: Path, fields: dict[str, object], threads: int, left: Left
) -> None:
    """It is named for the cluster and for the job, and not for a job without it."""
    contents = files(42)
    for node in contents["nodes.json"]["nodes"]:
        node.update(threads=threads, cpus=4 * threads)
    contents["squeue.json"]["jobs"][1].update(fields)
    capture = read_capture(write(tmp_path, contents))
    running, waiting = capture.jobs
    for found in (caveats(capture), CaveatsOfJobs(capture).of(waiting)):
        assert [each.left for each in found].count(left) == 1
    assert not CaveatsOfJobs(capture).of(running)


def test_what_a_held_job_asks_for_is_not_named_for_the_cluster(tmp_path: Path) -> None:
    """It has no entry, and Slurm shows its own estimate as the most nodes."""
    contents = files(42)
    contents["squeue.json"]["jobs"][1].update(max_nodes=7)
    assert Caveat(Left.RANGES) in caveats(read_capture(write(tmp_path / "waits", contents)))
    contents["squeue.json"]["jobs"][1].update(priority=0)
    assert Caveat(Left.RANGES) not in caveats(read_capture(write(tmp_path / "held", contents)))


def test_one_thread_of_a_core_is_nothing_to_name_where_cores_have_one(tmp_path: Path) -> None:
    """`threads_per_core` of 1 changes nothing on nodes of one thread a core."""
    contents = files(42)
    contents["squeue.json"]["jobs"][1].update(threads_per_core=1)
    assert Caveat(Left.THREADS) not in caveats(read_capture(write(tmp_path, contents)))


@pytest.mark.parametrize(
    ("limit", "named"),
    [
        (("MaxTRESPU", "node"), False),
        (("GrpTRES", "cpu"), False),
        (("MaxWallPJ", ""), False),
        (("MaxTRESPN", "node"), True),
        (("GrpTRES", "gres/gpu"), False),
        (("GrpTRES", "license/x"), True),
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
        assert (Caveat(Left.LIMIT, limit) in found) is named
    free = attrs.evolve(limited, settings=attrs.evolve(settings, limits_enforced=False))
    assert not {Caveat(Left.LIMIT, limit)}.intersection((*caveats(free), *CaveatsOfJobs(free).of(job)))


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
    assert (Caveat(Left.PREFERRED) in caveats(limited)) is named


@pytest.mark.parametrize(
    ("parser", "partitions", "named"),
    [(38, "batch,batch", False), (42, "batch", False), (42, "batch,batch", True), (45, "batch,batch", False)],
)
def test_nodes_to_one_user_are_named_where_no_partition_shows_them(
    tmp_path: Path, parser: int, partitions: str, named: bool
) -> None:
    """Of a job of several partitions: each may give nodes to one user, or the job asks for it."""
    contents = files(parser)
    shown = {"shared": "user" if parser == 38 else ["user"], "partition": partitions}
    for name in ("squeue.json", "squeue_v0.0.44.json"):
        if name in contents:
            contents[name]["jobs"][1].update(shown)
    capture = read_capture(write(tmp_path, contents))
    assert capture.jobs[1].request.exclusive_user
    for found in (caveats(capture), CaveatsOfJobs(capture).of(capture.jobs[1])):
        assert (Caveat(Left.HIDDEN_USERS) in found) is named


def marked(capture: Capture, id_: int = 1) -> bool:
    """Whether a waiting job is marked."""
    return bool(CaveatsOfJobs(capture).of(next(job for job in capture.jobs if job.id == id_)))


@pytest.mark.parametrize(
    ("release", "wishes", "there", "expected"),
    [
        ("24.11.5", {"devices_per_node": "gres/shard:2"}, "gpu:2,shard:8", True),
        ("24.11.5", {"devices_per_node": "gres/gpu:1"}, "gpu:2,mps:200", True),
        ("24.11.5", {"devices_per_node": "gres/gpu:1"}, "gpu:2", False),
        ("24.11.5", {}, "gpu:2,shard:8", False),
        ("24.11.5", {"most_nodes": 1, "tasks": 8, "exclusive": False}, "", False),
    ],
)
def test_shares_of_gpus_are_marked(release: str, wishes: dict[str, Any], there: str, expected: bool) -> None:
    """And GPUs beside them; not a job without either."""
    capture = cluster(2, [waiting(1, 1, 10, **wishes)], release)
    nodes = tuple(attrs.evolve(node, devices=there) for node in capture.nodes)
    assert marked(attrs.evolve(capture, nodes=nodes)) is expected
    assert (Caveat(Left.SHARES) in caveats(attrs.evolve(capture, nodes=nodes))) is expected


@pytest.mark.parametrize("enforced", [True, False])
def test_components_under_limits_are_marked(enforced: bool) -> None:
    """Not another job, nor where no limits hold."""
    jobs = [waiting(1, 1, 10, het_job=1), waiting(2, 1, 10)]
    capture = cluster(2, jobs)
    capture = attrs.evolve(capture, settings=attrs.evolve(capture.settings, limits_enforced=enforced))
    found = [CaveatsOfJobs(capture).of(job) for job in capture.jobs]
    assert found == [(Caveat(Left.COMPONENTS),) if enforced else (), ()]


@pytest.mark.parametrize(("release", "expected"), [("22.05.8", False), ("24.11.5", False), ("26.05.5", True)])
def test_nodes_that_are_powered_down_are_marked_on_26_05(release: str, expected: bool) -> None:
    """The others were recorded without a difference; 22.05 does not list those of a cloud."""
    capture = cluster(2, [waiting(1, 1, 10)], release)
    nodes = (attrs.evolve(capture.nodes[0], states=("IDLE", "CLOUD", "POWERED_DOWN")), capture.nodes[1])
    assert marked(attrs.evolve(capture, nodes=nodes)) is expected
    parts = (attrs.evolve(capture.partitions[0], unlisted=True),)
    hidden = attrs.evolve(capture, nodes=nodes, partitions=parts)
    assert marked(hidden) is (expected or release == "22.05.8")


def test_a_floating_reservation_marks_the_jobs_beside_it() -> None:
    """When it was made is not shown; its own jobs and those of other nodes do not need it."""
    floats = attrs.evolve(reserved("float", [1], 300, 900, "TIME_FLOAT"), read_at=NOW)
    jobs = [waiting(1, 1, 10), waiting(2, 1, 10, reservation="float")]
    capture = cluster(2, jobs, reservations=[floats])
    assert marked(capture) and not marked(capture, 2)
    elsewhere = attrs.evolve(floats, nodes=())
    assert not marked(attrs.evolve(capture, reservations=(elsewhere,)))


@pytest.mark.parametrize(
    ("bf_licenses", "wanted", "expected"),
    [(True, "fluent", True), (True, "matlab", False), (False, "fluent", False)],
)
def test_licences_of_a_reservation_at_later_starts_are_marked(
    bf_licenses: bool, wanted: str, expected: bool
) -> None:
    """With bf_licenses, for jobs that ask for them."""
    held = attrs.evolve(reserved("lic", [2], 300, 900), licenses="fluent:2")
    capture = cluster(2, [waiting(1, 1, 10, licenses=wanted)], reservations=[held], licenses=bf_licenses)
    assert marked(capture) is expected


@pytest.mark.parametrize(("release", "expected"), [("24.11.5", True), ("26.05.5", False)])
def test_the_most_nodes_of_a_job_of_a_reservation_may_be_an_estimate(release: str, expected: bool) -> None:
    """24.11 shows such a job with its own estimate."""
    job = waiting(1, 1, 10, reservation="course", tasks=8, exclusive=False)
    capture = cluster(2, [job], release, reservations=[reserved("course", [1], -60, 900)])
    assert marked(capture) is expected


@pytest.mark.parametrize(
    ("parser", "features", "changes", "named"),
    [
        (42, "[a*2&b*1]", {}, False),
        (42, "a*2&b", {}, True),
        (42, "a*2", {"required_nodes": "n1"}, True),
        (38, "a*2", {}, False),
        (38, "a*2", {"cpus": 12, "tasks": 12}, True),
    ],
)
def test_features_with_counts_are_named_where_the_rule_is_not_known(
    tmp_path: Path, parser: int, features: str, changes: dict[str, object], named: bool
) -> None:
    """In a constraint of another form, beside required nodes, and on 22.05 with more CPUs than nodes."""
    contents = files(parser)
    asked = {"cpus": 2, "tasks": 2, "tres_req_str": "cpu=2,node=2,billing=2"}
    contents["squeue.json"]["jobs"][1].update(asked | {"features": features} | changes)
    capture = read_capture(write(tmp_path, contents))
    for found in (caveats(capture), CaveatsOfJobs(capture).of(capture.jobs[1])):
        assert (Caveat(Left.COUNTED) in found) is named
