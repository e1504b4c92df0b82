"""Limits of qualities of service and associations, planned by hand: both programs agree with the values."""

from typing import Any

import attrs
import pytest

from shadowtime.console.session.slurm import forecast_of
from shadowtime.console.session.slurm.guard.reasons import limit_known
from shadowtime.console.session.slurm.limits import Reached
from shadowtime.kernels.slurm.records import Measure
from shadowtime.scenarios.slurm import Association, Capture, Job, Quality, Share
from shadowtime.scenarios.slurm.accounting import JOBS
from tests.oracles.slurm.cycle import plan
from tests.oracles.slurm.main_pass import main_pass
from tests.oracles.slurm.small import NOW, array, cluster, running, waiting
from tests.session.slurm.test_agreement import row_of
from tests.session.slurm.test_kinds import rows_of, within

GPUS = "gres/gpu"


def small(id_: int, place: int, **changes: Any) -> Job:
    """A job on one CPU of a node for ten minutes."""
    job = running(id_, [place], 600, exclusive=False, memory_per_cpu=1, **changes)
    return attrs.evolve(job, shares=(Share(f"n{place}", 1, 1, ""),))


def wants(id_: int, **changes: Any) -> Job:
    """A job for one CPU and ten minutes."""
    return waiting(id_, 1, 10, exclusive=False, memory_per_cpu=1, **changes)


def of_qualities(jobs: list[Job], *qualities: Quality, **changes: Any) -> Capture:
    """Four nodes that jobs share."""
    capture = within(cluster(4, jobs), exclusive=False, **changes)
    return attrs.evolve(capture, qualities=qualities)


def nodes_of(capture: Capture) -> dict[str, str]:
    """Job -> the nodes of its first row; both programs agree."""
    rows = [row_of(row) for row in forecast_of(capture, NOW).rows]
    assert rows == plan(capture, NOW)
    return {row.job: ",".join(sorted(row.nodes)) for row in reversed(rows)}


@pytest.mark.parametrize(
    ("limits", "nodes"),
    [
        ({("MaxTRESPU", "node"): 3}, "n4"),
        ({("MaxTRESPA", "node"): 3}, "n4"),
        ({("GrpTRES", "node"): 3}, "n3"),
        ({("MaxTRESPJ", "node"): 3}, "n2"),
        ({("MaxTRESPU", "cpu"): 3}, "n2"),
    ],
)
def test_a_job_with_a_limit_on_nodes_starts_on_nodes_of_the_limit(
    limits: dict[tuple[str, str], int], nodes: str
) -> None:
    """Its user holds n4 under the limit, another one n3. Of n2, n3 and n4 the first is the best fit."""
    grace = {"user": "grace", "account": "biology"}
    jobs = [small(1, 4, qos="day"), small(2, 3, qos="day", **grace), small(3, 2), wants(4, qos="day")]
    capture = of_qualities(jobs, Quality("day", 0, (), limits))
    assert nodes_of(capture)["4"] == nodes
    begun = main_pass(capture, NOW).begun
    assert [capture.nodes[node].name for each in begun for node in each.running.nodes] == [nodes]


@pytest.mark.parametrize("release", ["24.11.5", "26.05.5"])
@pytest.mark.parametrize(
    ("weight", "memory", "nodes"), [(2, 0, "n1,n2"), (2, 1, "n2,n3"), (3, 1, "n1,n2"), (1, 1, "n2,n3")]
)
def test_a_node_beside_preferred_ones_of_its_line_has_one_more_weight(
    release: str, weight: int, memory: int, nodes: str
) -> None:
    """The user holds n2 of weight 2: n1 of the same line weighs 3, and n3 of another line its own weight."""
    limit = Quality("day", 0, (), {("MaxTRESPU", "node"): 3})
    asks = waiting(2, 2, 10, exclusive=False, memory_per_cpu=1, qos="day")
    jobs = [small(1, 2, qos="day"), asks]
    capture = attrs.evolve(within(cluster(4, jobs, release), exclusive=False), qualities=(limit,))
    first, second, third, last = (attrs.evolve(node, weight=2) for node in capture.nodes)
    third = attrs.evolve(third, weight=weight, memory=third.memory + memory)
    capture = attrs.evolve(capture, nodes=(first, second, third, attrs.evolve(last, weight=9)))
    assert nodes_of(capture)["2"] == nodes


@pytest.mark.parametrize("name", ["GrpTRES", "MaxTRESPU", "MaxTRESPA"])
@pytest.mark.parametrize("release", ["22.05.8", "24.11.5"])
def test_a_node_that_two_jobs_hold_counts_once(release: str, name: str) -> None:
    """Both jobs of the limit run on n4; two nodes may be held."""
    jobs = [small(1, 4, qos="day"), small(2, 4, qos="day"), wants(3, qos="day")]
    limit = Quality("day", 0, (), {(name, "node"): 2})
    capture = attrs.evolve(within(cluster(4, jobs, release), exclusive=False), qualities=(limit,))
    assert rows_of(capture)["3"][0] == "started"


@pytest.mark.parametrize("name", ["GrpTRES", "MaxTRESPU", "MaxTRESPA"])
@pytest.mark.parametrize(("release", "outcome"), [("22.05.8", "skipped"), ("24.11.5", "planned")])
def test_22_05_adds_the_nodes_of_a_planned_start_to_those_held(release: str, outcome: str, name: str) -> None:
    """The limit's one job holds n1, which comes free first; one node may be held."""
    jobs = [running(1, [1], 600, qos="day"), running(2, [2], 1200), waiting(3, 1, 10, qos="day")]
    limit = Quality("day", 0, (), {(name, "node"): 1})
    capture = attrs.evolve(cluster(2, jobs, release), qualities=(limit,))
    assert rows_of(capture)["3"][0] == outcome


@pytest.mark.parametrize(("end", "outcome"), [(-10, "skipped"), (600, "planned")])
@pytest.mark.parametrize("release", ["24.11.5", "26.05.5"])
def test_nodes_of_a_start_that_fails_are_added_to_those_held(release: str, end: int, outcome: str) -> None:
    """The limit's one job holds n1, and is past its end or not; one node may be held."""
    jobs = [running(1, [1], end, qos="day"), running(2, [2], 1200), waiting(3, 1, 10, qos="day")]
    limit = Quality("day", 0, (), {("MaxTRESPU", "node"): 1})
    capture = attrs.evolve(cluster(2, jobs, release), qualities=(limit,))
    assert rows_of(capture)["3"][0] == outcome


@pytest.mark.parametrize(("bound", "expected"), [(4, "n1,n2,n3"), (3, "n1,n2,n3"), (2, "n3,n4")])
def test_a_limit_on_nodes_bounds_the_nodes_of_a_choice(bound: int, expected: str) -> None:
    """Six CPUs: n1 and n2 have one each, n3 and n4 four. A choice has no more nodes than the limit."""
    jobs = [attrs.evolve(small(10 + at, at), shares=(Share(f"n{at}", 3, 1, ""),)) for at in (1, 2)]
    asks = waiting(3, 1, 10, exclusive=False, memory_per_cpu=1, qos="day", cpus=6, tasks=6)
    asks = attrs.evolve(asks, request=attrs.evolve(asks.request, most_nodes=0))
    limit = Quality("day", 0, (), {("MaxTRESPU", "node"): bound})
    assert nodes_of(of_qualities([*jobs, asks], limit))["3"] == expected


def test_a_later_start_prefers_no_node() -> None:
    """A job under the limit holds n3; all nodes come free together, and the plan takes the first."""
    limit = Quality("day", 0, (), {("MaxTRESPU", "node"): 3})
    full = [running(each, [each - 9], 600) for each in (10, 11, 13)]
    rest = attrs.evolve(small(12, 3), shares=(Share("n3", 3, 1, ""),))
    capture = of_qualities([*full, rest, small(2, 3, qos="day"), wants(3, qos="day")], limit)
    assert nodes_of(capture)["3"] == "n1"


def test_the_lowest_association_that_holds_a_node_is_preferred() -> None:
    """Grace of the same account holds n2, ada n4, and another job of the quality of service n3."""
    associations = (
        Association(1, "physics", "", "", 1, {("GrpTRES", "node"): 4}),
        Association(2, "physics", "ada", "", 1, {("GrpTRES", "node"): 3}),
        Association(3, "physics", "grace", "", 1, {}),
    )
    of = {"account": "physics"}
    grace = small(1, 2, user="grace", association=3, **of)
    ada, asks = small(2, 4, association=2, **of), wants(3, association=2, **of)
    for jobs, node in (([grace, asks], "n2"), ([grace, ada, asks], "n4")):
        capture = attrs.evolve(of_qualities(jobs), associations=associations)
        assert nodes_of(capture)["3"] == node
    grouped = of_qualities([grace, ada, attrs.evolve(asks, qos="day"), small(4, 3, qos="day")])
    limit = Quality("day", 0, (), {("GrpTRES", "node"): 4})
    capture = attrs.evolve(grouped, associations=associations, qualities=(limit,))
    assert nodes_of(capture)["3"] == "n3"


@pytest.mark.parametrize(
    ("limits", "admitted"),
    [
        ({}, False),
        ({("MaxJobsPU", ""): 2}, True),
        ({("MaxJobsPA", ""): 2}, True),
        ({("GrpJobs", ""): 2}, False),
    ],
)
def test_a_count_of_a_quality_of_service_goes_before_that_of_the_association(
    limits: dict[tuple[str, str], int], admitted: bool
) -> None:
    """One job of the association runs, and its MaxJobs is 1."""
    jobs = [running(1, [1], 600, association=2), waiting(2, 1, 10, association=2, qos="day")]
    capture = attrs.evolve(
        cluster(2, jobs),
        associations=(Association(2, "", "ada", "", 1, {("MaxJobs", ""): 1}),),
        qualities=(Quality("day", 0, (), limits),),
    )
    assert ("2" in rows_of(capture)) is admitted


@pytest.mark.parametrize(("most", "outcome"), [(5, "skipped"), (6, "started")])
def test_a_limit_on_devices_counts_those_of_every_node(most: int, outcome: str) -> None:
    """A job holds two, of whatever type; two nodes of two each are asked for."""
    holds = running(1, [1], 600, qos="day")
    holds = attrs.evolve(holds, shares=(Share("n1", 4, 4000, "gpu:a100:2(IDX:0-1)"),))
    asks = waiting(2, 2, 10, qos="day", devices_per_node="gres/gpu:2")
    capture = attrs.evolve(
        cluster(3, [holds, asks]), qualities=(Quality("day", 0, (), {("MaxTRESPU", GPUS): most}),)
    )
    nodes = tuple(attrs.evolve(node, devices="gpu:a100:2") for node in capture.nodes)
    assert rows_of(attrs.evolve(capture, nodes=nodes))["2"][0] == outcome


@pytest.mark.parametrize(
    ("reason", "resource", "known"),
    [
        ("QOSMaxGRESPerUser", GPUS, True),
        ("AssocGrpGRES", GPUS, True),
        ("QOSMaxGRESPerUser", "gres/gpu:a100", True),
        ("QOSGrpGRESMinutes", GPUS, False),
        ("QOSMaxGRESPerNode", GPUS, True),
    ],
)
def test_a_reason_of_a_limit_on_devices_is_known_with_it(reason: str, resource: str, known: bool) -> None:
    """One on what was used before is not, without the table of what has been used."""
    capture = attrs.evolve(
        cluster(1, []),
        qualities=(Quality("day", 0, (), {("MaxTRESPU", resource): 1}),),
        associations=(Association(1, "physics", "ada", "", 1, {}),),
    )
    assert limit_known(capture, reason) is known


@pytest.mark.parametrize(
    ("limit", "counts", "outcome"),
    [
        (("GrpJobs", ""), {JOBS: 1}, None),
        (("GrpJobs", ""), {JOBS: 0}, "started"),
        (("GrpTRES", "cpu"), {"cpu": 4}, "skipped"),
        (("GrpTRES", "cpu"), {"cpu": 3}, "started"),
        (("MaxTRESPU", "cpu"), {"cpu": 3}, "skipped"),
    ],
)
def test_slurms_own_count_goes_before_the_jobs_of_the_queue(
    limit: tuple[str, str], counts: dict[str, int], outcome: str | None
) -> None:
    """A job of four CPUs runs, as many are asked for, and the bound is reached with both: 1 job, 7 CPUs."""
    jobs = (running(1, [1], 600, qos="day"), waiting(2, 1, 10, qos="day"))
    most = 1 if limit[0] == "GrpJobs" else 7
    capture = attrs.evolve(
        cluster(2, jobs),
        qualities=(Quality("day", 0, (), {limit: most}),),
        usage={("day", "", ""): counts},
        counted=jobs,
    )
    assert rows_of(capture).get("2", (None, None))[0] == outcome


def test_tasks_that_start_leave_the_bound_on_planned_ones_alone() -> None:
    """Of five tasks two start at once; two more are planned, and none beyond bf_max_job_array_resv."""
    capture = cluster(2, [array(1, 1, 10, "1-5")], max_job_array_resv=2)
    rows = [row_of(row) for row in forecast_of(capture, NOW).rows]
    assert rows == plan(capture, NOW)
    assert [row.outcome for row in rows] == ["started", "started", "planned", "planned"]


def test_a_job_without_its_licences_counts_for_the_bound_on_its_user() -> None:
    """Two entries of the user are looked at: that without a licence and the next."""
    jobs = [
        running(9, [1], 600),
        waiting(1, 1, 10, licenses="matlab:1"),
        waiting(2, 1, 10),
        waiting(3, 1, 10),
    ]
    capture = cluster(1, jobs, max_job_user=2)
    rows = [row_of(row) for row in forecast_of(capture, NOW).rows]
    assert rows == plan(capture, NOW)
    assert [row.outcome for row in rows] == ["skipped", "planned", "skipped"]


def test_nodes_that_jobs_under_the_limit_hold_are_never_too_many() -> None:
    """Three are held under a limit of two: a job beside them starts, one on another node does not."""
    jobs = [small(1, 1, qos="day"), small(2, 2, qos="day"), small(3, 3, qos="day"), wants(4, qos="day")]
    jobs.append(wants(5, qos="day", required_nodes=("n4",)))
    rows = rows_of(of_qualities(jobs, Quality("day", 0, (), {("GrpTRES", "node"): 2})))
    assert rows == {"4": ("started", 0), "5": ("skipped", None)}


def test_the_next_tasks_of_an_array_are_planned_where_a_started_one_reaches_a_limit_on_jobs() -> None:
    """Another job is passed over; a task that could start now is not planned."""
    quality = Quality("day", 0, (), {("MaxJobsPU", ""): 1})
    tasks = attrs.evolve(array(2, 2, 10, "1-2"), qos="day")
    later = of_qualities([running(1, [1, 2], 600), tasks, waiting(3, 1, 10, qos="day")], quality)
    found = [(row.job_id, row.outcome, row.note) for row in forecast_of(later, NOW).rows]
    assert found[:2] == [("2_*", "started", ""), ("2_*", "planned", "")]
    assert found[2] == ("3", "skipped", "limit on jobs")
    now = of_qualities([attrs.evolve(array(2, 1, 10, "1-2"), qos="day")], quality)
    assert [row.outcome for row in forecast_of(now, NOW).rows] == ["started", "skipped"]


def test_a_component_that_a_limit_skips_has_a_start_that_counts() -> None:
    """The next one of its job is tried, and skipped for the same limit."""
    jobs = [running(1, [1], 600, qos="day")]
    jobs += [waiting(2 + place, 1, 10, qos="day", het_job=2, het_offset=place) for place in (0, 1)]
    capture = attrs.evolve(cluster(4, jobs), qualities=(Quality("day", 0, (), {("GrpTRES", "node"): 1}),))
    assert rows_of(capture) == {"2+0": ("skipped", None), "2+1": ("skipped", None)}


@pytest.mark.parametrize(
    ("limit", "most", "expected"),
    [
        (("MaxTRESPU", "node"), 2, (Measure.HELD, 1, 2)),
        (("MaxTRESPU", "cpu"), 5, (Measure.HELD, 4, 2)),
        (("GrpTRESRunMins", "cpu"), 59, (Measure.MINUTES, 40, 20)),
        (("MaxTRESPJ", "cpu"), 3, (Measure.MOST, 4, None)),
        (("MaxTRESMinsPJ", "cpu"), 39, (Measure.MOST_MINUTES, 40, None)),
        (("MaxTRESPN", "cpu"), 3, (Measure.BY_NODE, 4, None)),
        (("MinTRESPJ", "cpu"), 5, (Measure.LEAST, 4, None)),
    ],
)
def test_the_limit_that_keeps_a_job_out_has_its_value_its_owner_and_its_use(
    limit: tuple[str, str], most: int, expected: tuple[Measure, int, int | None]
) -> None:
    """Its user holds a CPU of n1 and of n2 for ten minutes. It asks for all four CPUs of another node."""
    four = attrs.evolve(wants(3).request, cpus=4)
    jobs = [small(1, 1, qos="day"), small(2, 2, qos="day"), attrs.evolve(wants(3, qos="day"), request=four)]
    found = forecast_of(of_qualities(jobs, Quality("day", 0, (), {limit: most})), NOW).limits
    what, asked, used = expected
    assert found == {1: Reached(" ".join(limit), what, most, "QOS day", asked, used)}


def test_the_use_of_a_limit_counts_what_slurm_counts_beside_the_queue() -> None:
    """Slurm counts five CPUs where the jobs of the queue hold one."""
    four = attrs.evolve(wants(2).request, cpus=4)
    jobs = [small(1, 1, qos="day"), attrs.evolve(wants(2, qos="day"), request=four)]
    capture = of_qualities(jobs, Quality("day", 0, (), {("GrpTRES", "cpu"): 8}))
    capture = attrs.evolve(capture, usage={("day", "", ""): {"cpu": 5}}, counted=capture.jobs)
    assert forecast_of(capture, NOW).limits == {1: Reached("GrpTRES cpu", Measure.HELD, 8, "QOS day", 4, 5)}
