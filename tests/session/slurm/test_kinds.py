"""Small clusters of each kind, planned by hand: both programs agree with the values."""

from typing import Any

import attrs
import pytest

from shadowtime.console.session.slurm import forecast_of
from shadowtime.console.session.slurm.admission import Admission
from shadowtime.console.session.slurm.board.making import board_of
from shadowtime.console.session.slurm.features import alternatives, meets, terms
from shadowtime.console.session.slurm.guard.caveat import Left
from shadowtime.console.session.slurm.limits import Reached
from shadowtime.kernels.slurm.records import Measure
from shadowtime.scenarios.slurm import Association, Capture, Job, Quality, Share
from tests.oracles.slurm.constraints.features import meets as naively_meets
from tests.oracles.slurm.constraints.features import terms as naive_terms
from tests.oracles.slurm.cycle import plan
from tests.oracles.slurm.small import NOW, cluster, reserved, running, waiting
from tests.session.slurm.test_agreement import row_of

Rows = dict[str, tuple[str, int | None]]


def rows_of(capture: Capture) -> Rows:
    """Job -> outcome and seconds from now until its start."""
    rows = [row_of(row) for row in forecast_of(capture, NOW).rows]
    assert rows == plan(capture, NOW)
    return {row.job: (row.outcome, None if row.start is None else row.start - NOW) for row in rows}


def within(capture: Capture, **changes: Any) -> Capture:
    """The cluster with another partition."""
    return attrs.evolve(capture, partitions=(attrs.evolve(capture.partitions[0], **changes),))


@pytest.mark.parametrize(
    ("changes", "admitted"),
    [
        ({"states": ("DOWN",)}, False),
        ({"states": ("INACTIVE",)}, False),
        ({"states": ("DRAIN",)}, True),
        ({"most_minutes": 9}, False),
        ({"most_minutes": 10}, True),
        ({"most_nodes": 1}, False),
        ({"most_nodes": 2}, True),
        ({"least_nodes": 3}, False),
        ({"least_nodes": 2}, True),
        ({"allowed_qos": ("long",)}, False),
        ({"allowed_qos": ("day",), "denied_qos": ("day",)}, True),
        ({"denied_qos": ("day",)}, False),
    ],
)
def test_a_partition_lets_a_job_in_or_not(changes: dict[str, Any], admitted: bool) -> None:
    """A job of two nodes and ten minutes; one that is kept out is on the board, with the reason."""
    capture = within(cluster(4, [waiting(1, 2, 10, qos="day")]), **changes)
    assert rows_of(capture) == ({"1": ("started", 0)} if admitted else {})
    (row,) = board_of(capture, forecast_of(capture, NOW)).rows
    assert (row.outcome, bool(row.note)) == (("started", False) if admitted else ("not queued", True))


@pytest.mark.parametrize(
    ("flag", "changes"),
    [
        ("PARTITION_TIME_LIMIT", {"most_minutes": 9}),
        ("PARTITION_MAXIMUM_NODE", {"most_nodes": 1}),
        ("PARTITION_MINIMUM_NODE", {"least_nodes": 3}),
    ],
)
def test_a_flag_of_a_quality_of_service_lifts_a_bound(flag: str, changes: dict[str, Any]) -> None:
    """Each flag its own bound."""
    capture = within(cluster(4, [waiting(1, 2, 10, qos="day")]), **changes)
    lifted = attrs.evolve(capture, qualities=(Quality("day", 0, (), {}, flags=frozenset((flag,))),))
    assert not rows_of(capture) and "1" in rows_of(lifted)


TREE = (
    Association(1, "science", "", "", 1, {}),
    Association(2, "physics", "", "", 1, {}, "science"),
    Association(3, "biology", "", "", 1, {}, "science"),
)
"""An account with two below it."""


def test_a_job_of_a_denied_account_is_planned_at_now_and_stays() -> None:
    """It reserves its nodes: the job behind it waits for them, and is marked with it."""
    jobs = [waiting(1, 2, 10, account="biology"), waiting(2, 2, 10, account="physics")]
    capture = attrs.evolve(within(cluster(2, jobs), denied_accounts=("biology",)), associations=TREE)
    assert rows_of(capture) == {"1": ("planned", 0), "2": ("planned", 600)}
    assert all(row.marks for row in forecast_of(capture, NOW).rows)


@pytest.mark.parametrize("release", ["24.11.5", "26.05.5"])
@pytest.mark.parametrize(("account", "nodes"), [("physics", {"n1", "n2"}), ("biology", {"n1", "n3"})])
def test_a_start_counts_tasks_a_node_and_a_plan_at_now_the_node_in_full(
    release: str, account: str, nodes: set[str]
) -> None:
    """Two tasks a node: in full n3 with three free CPUs is the best fit; for a start all nodes give two."""
    holds = running(1, [3], 600, exclusive=False, memory_per_cpu=1)
    holds = attrs.evolve(holds, shares=(Share("n3", 1, 1, ""),))
    changes = {"tasks": 4, "cpus": 4, "tasks_per_node": 2, "exclusive": False, "memory_per_cpu": 1}
    jobs = [holds, waiting(2, 2, 10, account=account, **changes)]
    capture = cluster(3, jobs, release, weights={2: 5, 3: 5})
    capture = within(capture, exclusive=False, denied_accounts=("biology",))
    rows = [row_of(row) for row in forecast_of(attrs.evolve(capture, associations=TREE), NOW).rows]
    assert rows == plan(attrs.evolve(capture, associations=TREE), NOW)
    assert [set(row.nodes) for row in rows] == [nodes]


@pytest.mark.parametrize(
    ("release", "changes", "outcome"),
    [
        ("24.11.5", {"allowed_accounts": ("science",)}, "started"),
        ("22.05.8", {"allowed_accounts": ("science",)}, "planned"),
        ("24.11.5", {"denied_accounts": ("science",)}, "planned"),
        ("22.05.8", {"denied_accounts": ("science",)}, "started"),
        ("24.11.5", {"allowed_accounts": ("biology",)}, "planned"),
    ],
)
def test_a_listed_account_stands_for_those_below_it(
    release: str, changes: dict[str, Any], outcome: str
) -> None:
    """22.05: for itself alone."""
    capture = within(cluster(2, [waiting(1, 2, 10, account="physics")], release), **changes)
    assert rows_of(attrs.evolve(capture, associations=TREE)) == {"1": (outcome, 0)}


def test_without_the_accounts_a_list_of_them_is_marked() -> None:
    """Which account is below which is not known then."""
    capture = within(cluster(2, [waiting(1, 2, 10, account="physics")]), allowed_accounts=("physics",))
    assert all(row.marks for row in forecast_of(capture, NOW).rows)


@pytest.mark.parametrize(("reason", "outcome"), [("Priority", "started"), ("AccountNotAllowed", "planned")])
def test_who_is_in_the_groups_of_a_partition_is_marked_or_seen_from_the_reason(
    reason: str, outcome: str
) -> None:
    """A job that Slurm has refused is planned at now, and stays."""
    capture = within(cluster(2, [waiting(1, 2, 10, reason=reason)]), allowed_groups=("staff",))
    assert rows_of(capture) == {"1": (outcome, 0)}
    assert all(row.marks for row in forecast_of(capture, NOW).rows)


@pytest.mark.parametrize("release", ["22.05.8", "24.11.5", "26.05.5"])
def test_a_job_that_its_only_partition_refuses_has_no_entry(release: str) -> None:
    """One of several partitions may have been refused by another of them."""
    job = waiting(1, 2, 10, reason="PartitionConfig")
    capture = cluster(2, [job, attrs.evolve(waiting(2, 2, 10), partitions=("batch", "open"))], release)
    jobs = (job, attrs.evolve(capture.jobs[1], reason="PartitionConfig"))
    both = (*capture.partitions, attrs.evolve(capture.partitions[0], name="open"))
    assert rows_of(attrs.evolve(capture, jobs=jobs, partitions=both)) == {"2": ("started", 0)}


@pytest.mark.parametrize(("release", "rows"), [("22.05.8", {}), ("26.05.5", {"1": ("planned", 0)})])
def test_a_job_that_is_refused_for_its_account_has_an_entry(release: str, rows: dict[str, object]) -> None:
    """From 24.11 on; it is planned, and never starts."""
    job = waiting(1, 2, 10, reason="PartitionConfig", account="biology")
    assert rows_of(within(cluster(2, [job], release), allowed_accounts=("physics",))) == rows


def test_a_partition_that_needs_a_reservation_takes_its_jobs_alone() -> None:
    """ReqResv."""
    jobs = [waiting(1, 1, 10), waiting(2, 1, 10, reservation="course")]
    capture = cluster(2, jobs, reservations=[reserved("course", [1], -60, 9000)])
    assert rows_of(within(capture, needs_reservation=True)) == {"2": ("started", 0)}


def test_a_job_that_no_partition_lets_in_has_no_row_and_a_reason() -> None:
    """A job that one lets in has none, and a held job is not looked at."""
    jobs = [waiting(1, 2, 10), waiting(2, 1, 10), waiting(3, 2, 10, priority=0)]
    capture = within(cluster(2, jobs), most_nodes=1)
    found = forecast_of(capture, NOW)
    assert [row.job_id for row in found.rows] == ["2"]
    assert [(job, "MaxNodes" in why) for job, why in found.kept_out] == [("1", True)]


def test_a_job_that_one_of_its_partitions_lets_in_is_not_kept_out() -> None:
    """Also where the cycle ends before it."""
    job = attrs.evolve(waiting(1, 2, 10), partitions=("batch", "open"))
    capture = within(cluster(2, [job]), states=("DOWN",))
    both = (*capture.partitions, attrs.evolve(capture.partitions[0], name="open", states=("UP",)))
    assert Admission(capture).kept_out(job)
    assert not Admission(attrs.evolve(capture, partitions=both)).kept_out(job)


@pytest.mark.parametrize(("deadline", "follows"), [(0, 900), (NOW + 60, 1200)])
def test_a_job_with_a_deadline_is_planned_with_its_whole_limit(deadline: int, follows: int) -> None:
    """After its deadline; the job behind it starts after ten minutes, and not after five."""
    jobs = [running(1, [1], 600), waiting(2, 1, 10, least_limit=5, deadline=deadline), waiting(3, 1, 10)]
    assert rows_of(cluster(1, jobs)) == {"2": ("planned", 600), "3": ("planned", follows)}


@pytest.mark.parametrize(
    ("deadline", "least", "removed"),
    [(1100, 0, True), (1200, 0, False), (1100, 5, False), (800, 5, True), (0, 0, False)],
)
def test_a_job_that_cannot_end_before_its_deadline_says_so(deadline: int, least: int, removed: bool) -> None:
    """sbatch(1): it is removed if it would start later than the deadline less its (least) limit."""
    job = waiting(2, 1, 10, least_limit=least, deadline=NOW + deadline if deadline else 0)
    (row,) = forecast_of(cluster(1, [running(1, [1], 600), job]), NOW).rows
    assert row.start == NOW + 600
    assert [mark.left is Left.NEVER for mark in row.marks] == [True] * removed


@pytest.mark.parametrize("release", ["22.05.8", "24.11.5", "26.05.5"])
@pytest.mark.parametrize(
    ("deadline", "least", "follows"), [(500, 5, 480), (200, 5, 300), (9000, 5, 600), (500, 0, 600)]
)
def test_a_deadline_cuts_the_limit_of_a_job_that_starts(
    release: str, deadline: int, least: int, follows: int
) -> None:
    """To whole minutes, and not below its least limit; a job without a least limit keeps its own."""
    share = {"exclusive": False, "memory_per_node": 1, "cpus": 4, "tasks": 4}
    jobs = [
        waiting(1, 1, 10, least_limit=least, deadline=NOW + deadline, **share),
        waiting(2, 1, 10, **share),
    ]
    found = rows_of(within(cluster(1, jobs, release), exclusive=False))
    assert found == {"1": ("started", 0), "2": ("planned", follows)}


def limited(jobs: list[Job], name: str, resource: str, most: int) -> Capture:
    """A cluster of four nodes with a limit of the account above that of each job."""
    associations = (
        Association(1, "science", "", "", 1, {(name, resource): most}),
        Association(2, "physics", "", "", 1, {}, "science"),
        Association(3, "physics", "ada", "", 1, {}),
    )
    found = [attrs.evolve(job, association=3, account="physics") for job in jobs]
    return attrs.evolve(cluster(4, found), associations=associations)


@pytest.mark.parametrize(
    ("name", "resource", "most", "outcome"),
    [
        ("GrpTRES", "node", 2, "skipped"),
        ("GrpTRES", "node", 3, "started"),
        ("GrpTRES", "cpu", 11, "skipped"),
        ("GrpTRES", "cpu", 12, "started"),
        ("GrpTRESRunMins", "node", 29, "skipped"),
        ("GrpTRESRunMins", "node", 30, "started"),
        ("GrpTRES", "mem", 11_999, "skipped"),
        ("GrpTRES", "mem", 12_000, "started"),
        ("GrpTRES", "billing", 11, "skipped"),
        ("GrpTRES", "billing", 12, "started"),
        ("GrpTRESRunMins", "mem", 119_999, "skipped"),
        ("GrpTRESRunMins", "mem", 120_000, "started"),
        ("GrpTRES", "license/x", 0, "started"),
        ("GrpJobs", "", 1, None),
        ("GrpJobs", "", 2, "started"),
        ("MaxJobs", "", 1, "started"),
    ],
)
def test_a_limit_of_an_account_counts_for_all_below_it(
    name: str, resource: str, most: int, outcome: str | None
) -> None:
    """A job on two nodes runs for ten minutes, one node of four CPUs for ten minutes is asked for."""
    found = rows_of(limited([running(1, [1, 2], 600), waiting(2, 1, 10)], name, resource, most))
    assert found.get("2", (None, None))[0] == outcome


def test_a_limit_on_jobs_that_a_start_reaches_passes_over_the_next_one() -> None:
    """With a reason of its own: slurmctld logs no line for it."""
    capture = limited([waiting(1, 1, 10), waiting(2, 1, 10)], "GrpJobs", "", 1)
    assert rows_of(capture) == {"1": ("started", 0), "2": ("skipped", None)}
    found = forecast_of(capture, NOW)
    assert [row.note for row in found.rows] == ["", "limit on jobs"]
    assert found.limits == {2: Reached("GrpJobs", Measure.JOBS, 1, "account science", 1, 1)}


@pytest.mark.parametrize(("release", "nodes"), [("22.05.8", "n4"), ("24.11.5", "n1")])
def test_22_05_takes_the_nodes_of_a_limit_on_nodes_first(release: str, nodes: str) -> None:
    """For every job: those that jobs under GrpTRES=node of a quality of service hold."""
    jobs = [running(1, [1, 2, 3], 300), running(2, [4], 300, qos="narrow"), waiting(3, 1, 10)]
    capture = attrs.evolve(
        cluster(4, jobs, release), qualities=(Quality("narrow", 0, (), {("GrpTRES", "node"): 4}),)
    )
    assert rows_of(capture) == {"3": ("planned", 300)}
    assert [row.nodes for row in forecast_of(capture, NOW).rows] == [nodes]


@pytest.mark.parametrize(
    ("name", "resource", "most", "outcome"),
    [
        ("MaxTRESMinsPJ", "cpu", 79, "skipped"),
        ("MaxTRESMinsPJ", "cpu", 80, "started"),
        ("MaxTRESPN", "mem", 3999, "skipped"),
        ("MaxTRESPN", "mem", 4000, "started"),
        ("MaxTRESPJ", "gres/gpu", 3, "skipped"),
        ("MaxTRESPJ", "gres/gpu", 4, "started"),
        ("MinTRESPJ", "gres/gpu", 5, "skipped"),
        ("MaxTRESPJ", "gres/gpu:b", 3, "started"),
        ("MaxTRESPJ", "gres/gpu:a", 3, "skipped"),
        ("MaxTRESPJ", "billing", 19, "skipped"),
        ("MaxTRESPJ", "billing", 20, "started"),
    ],
)
def test_a_limit_of_a_job_counts_what_is_chosen(name: str, resource: str, most: int, outcome: str) -> None:
    """Two whole nodes of four CPUs and 4000 MiB, two devices on each, for ten minutes: 8 + 4 x 3 billed."""
    job = waiting(1, 2, 10, qos="day", devices_per_node="gres/gpu:a:2")
    capture = within(cluster(2, [job]), billing={"cpu": 1.0, "gres/gpu": 3.0})
    nodes = tuple(attrs.evolve(each, devices="gpu:a:4") for each in capture.nodes)
    quality = Quality("day", 0, (), {(name, resource): most})
    found = rows_of(attrs.evolve(capture, nodes=nodes, qualities=(quality,)))
    assert found["1"][0] == outcome


def test_a_limit_of_a_partition_goes_before_that_of_the_job() -> None:
    """And the other way round with the flag OverPartQOS."""
    own, job = (
        Quality("part", 0, (), {("MaxTRESPJ", "node"): 2}),
        Quality("day", 0, (), {("MaxTRESPJ", "node"): 1}),
    )
    capture = within(cluster(2, [waiting(1, 2, 10, qos="day")]), qos="part")
    flagged = attrs.evolve(job, flags=frozenset(("OVERRIDE_PARTITION_QOS",)))
    assert rows_of(attrs.evolve(capture, qualities=(own, job))) == {"1": ("started", 0)}
    assert rows_of(attrs.evolve(capture, qualities=(own, flagged))) == {"1": ("skipped", None)}
    settings = attrs.evolve(capture.settings, limits_enforced=False)
    free = attrs.evolve(capture, qualities=(own, flagged), settings=settings)
    assert rows_of(free) == {"1": ("started", 0)}


def test_a_job_of_a_flexible_reservation_starts_before_it() -> None:
    """Outside of its nodes, too; the reservation keeps the others away."""
    jobs = [waiting(1, 2, 10, reservation="flex"), waiting(2, 1, 10)]
    reservation = reserved("flex", [1], 300, 900)
    flexible = attrs.evolve(reservation, flags=frozenset(("FLEX",)))
    assert rows_of(cluster(2, jobs, reservations=[reservation])) == {"2": ("started", 0)}
    found = rows_of(cluster(2, jobs, reservations=[flexible]))
    assert found == {"1": ("started", 0), "2": ("planned", 600)}


@pytest.mark.parametrize(
    ("begin", "minutes", "outcome"),
    [(-60, 10, "skipped"), (900, 10, "started"), (300, 10, "skipped"), (-900, 10, "started")],
)
def test_licences_of_a_reservation_are_kept_from_other_jobs(begin: int, minutes: int, outcome: str) -> None:
    """While it overlaps their time; its own jobs have them, on any nodes."""
    own = waiting(1, 1, 5, licenses="matlab:2", reservation="lic")
    reservation = attrs.evolve(reserved("lic", [], begin, begin + 800), licenses="matlab:2")
    capture = cluster(2, [own, waiting(2, 1, minutes, licenses="matlab:1")], reservations=[reservation])
    settings = attrs.evolve(capture.settings, licenses={"matlab": 2})
    found = rows_of(attrs.evolve(capture, settings=settings))
    assert found["2"][0] == outcome
    if begin == -60:
        assert found["1"] == ("started", 0)


def test_a_floating_reservation_is_always_as_far_ahead() -> None:
    """It begins 300 s after now: only a job that ends before can have its node, however late it is."""
    reservation = attrs.evolve(reserved("float", [1], 260, 90000, "TIME_FLOAT"), read_at=NOW - 40)
    capture = cluster(1, [waiting(1, 1, 6), waiting(2, 1, 5)], reservations=[reservation])
    assert rows_of(capture)["2"] == ("started", 0)
    assert rows_of(capture)["1"][0] == "skipped"


def test_a_required_node_that_is_gone_is_the_trouble_of_its_job_alone() -> None:
    """The job cannot be scheduled; the next one starts."""
    jobs = [waiting(1, 1, 10, required_nodes=("gone",)), waiting(2, 1, 10)]
    assert rows_of(cluster(2, jobs)) == {"1": ("skipped", None), "2": ("started", 0)}


@pytest.mark.parametrize(
    ("until", "found"),
    [
        (-1, {"2+0": ("started", 0), "2+1": ("started", 0), "4": ("planned", 600)}),
        (300, {"2+0": ("planned", 0), "2+1": ("planned", 300), "4": ("planned", 600)}),
    ],
)
def test_the_components_of_a_job_start_together_or_not_at_all(until: int, found: Rows) -> None:
    """One asks for two nodes, one for the third; a job behind them waits for the nodes of the first."""
    parts = [waiting(2, 2, 10, het_job=2), waiting(3, 1, 5, het_job=2, het_offset=1)]
    before = [running(1, [3], until)] if until > 0 else []
    assert rows_of(cluster(3, [*before, *parts, waiting(4, 2, 10)])) == found


def test_a_component_without_a_start_keeps_the_later_ones_out() -> None:
    """They have no row."""
    parts = [waiting(2, 3, 10, het_job=2), waiting(3, 1, 5, het_job=2, het_offset=1)]
    assert rows_of(cluster(2, parts)) == {"2+0": ("skipped", None)}


@pytest.mark.parametrize("release", ["22.05.8", "24.11.5", "26.05.5"])
def test_the_earliest_start_that_a_try_of_a_component_finds_counts(release: str) -> None:
    """The first try finds n2 after 900 s, the second n1 after 420 s: the other component goes from there."""
    jobs = [
        running(1, [2], 900),
        running(2, [3], 120),
        waiting(3, 2, 5),
        waiting(4, 1, 10, het_job=4),
        waiting(5, 1, 10, het_job=4, het_offset=1),
    ]
    found = rows_of(cluster(3, jobs, release))
    assert found == {"3": ("planned", 120), "4+0": ("planned", 420), "4+1": ("planned", 420)}


@pytest.mark.parametrize(("release", "outcome"), [("22.05.8", "skipped"), ("24.11.5", "planned")])
def test_which_component_counts_for_a_deadlock(release: str, outcome: str) -> None:
    """The second job starts between two of the first in one partition, and before its third in the other.

    22.05 takes the earliest start in a partition, so each job waits for the other; the rest take the latest.
    """
    ends = {1: 300, 2: 900, 3: 600, 4: 3000, 5: 1500}
    parts = [(10, 1, "batch"), (10, 2, "batch"), (10, 4, "east"), (20, 3, "batch"), (20, 5, "east")]
    jobs = [running(place, [place], end) for place, end in ends.items()]
    for number, (first, place, partition) in enumerate(parts):
        id_ = first + number - 3 * (first == 20)
        job = waiting(id_, 1, 5, het_job=first, het_offset=id_ - first, required_nodes=(f"n{place}",))
        jobs.append(attrs.evolve(job, partitions=(partition,)))
    capture = cluster(5, jobs, release)
    capture = attrs.evolve(
        capture, partitions=(*capture.partitions, attrs.evolve(capture.partitions[0], name="east"))
    )
    found = rows_of(capture)
    starts = [found[name][1] or 0 for name in ("10+0", "20+0", "10+1", "10+2")]
    assert starts == sorted(set(starts)) and starts[-1] == 3000
    assert found["20+1"][0] == outcome


def preemptive(jobs: list[Job], release: str = "24.11.5") -> Capture:
    """A cluster of three nodes: jobs of `high` preempt those of `low`, which are requeued."""
    capture = cluster(3, jobs, release)
    settings = attrs.evolve(capture.settings, preempt="preempt/partition_prio", preempt_mode="REQUEUE")
    parts = (
        attrs.evolve(capture.partitions[0], name="low", preempt_mode="REQUEUE"),
        attrs.evolve(capture.partitions[0], name="keep", preempt_mode="OFF"),
        attrs.evolve(capture.partitions[0], name="high", tier=9),
    )
    return attrs.evolve(capture, settings=settings, partitions=parts)


def among(job: Job, partition: str) -> Job:
    """A job in another partition."""
    return attrs.evolve(job, partitions=(partition,), begin=NOW - 1000 if job.holding else 0)


@pytest.mark.parametrize("release", ["22.05.8", "24.11.5", "26.05.5"])
def test_who_may_be_preempted_is_no_obstacle_to_a_later_start(release: str) -> None:
    """A job of all nodes starts when the one ends that it may not preempt."""
    jobs = [among(running(1, [1, 2], 6000), "low"), among(running(2, [3], 600), "keep")]
    capture = preemptive([*jobs, among(waiting(3, 3, 10), "high")], release)
    assert rows_of(capture) == {"3": ("planned", 600)}


def test_a_preempted_job_leaves_in_the_next_second() -> None:
    """The node that the start does not take is planned for the job behind it then."""
    jobs = [among(running(1, [1, 2], 6000), "low"), among(running(2, [3], 9000), "keep")]
    capture = preemptive([*jobs, among(waiting(3, 1, 10), "high"), among(waiting(4, 1, 5), "low")])
    assert rows_of(capture) == {"3": ("planned", 0), "4": ("planned", 1)}


@pytest.mark.parametrize(("release", "outcome"), [("22.05.8", "started"), ("24.11.5", "skipped")])
def test_cpus_that_a_partition_cuts_off_must_hold_the_tasks(release: str, outcome: str) -> None:
    """Five tasks of four CPUs under ten CPUs a node are given ten and ten: room for four."""
    job = waiting(
        1, 1, 10, cpus=20, tasks=5, cpus_per_task=4, most_nodes=0, nodes_wanted=False, exclusive=False,
        least_cpus_per_node=4, memory_per_node=1,
    )  # fmt: skip
    capture = within(cluster(3, [job], release), exclusive=False, most_cpus_per_node=10)
    nodes = tuple(attrs.evolve(node, cpus=16, cores=16) for node in capture.nodes)
    settings = attrs.evolve(capture.settings, select_parameters=frozenset(("CR_CORE",)))
    found = rows_of(attrs.evolve(capture, nodes=nodes, settings=settings))
    assert found["1"][0] == outcome


def test_a_node_of_one_user_opens_for_another_when_the_last_job_ends() -> None:
    """Two of four CPUs are free; job 2 of the same user has them, job 3 of another waits."""
    share = {"exclusive": False, "memory_per_node": 1, "cpus": 2, "tasks": 1, "exclusive_user": True}
    first = running(1, [1], 600, **share)
    first = attrs.evolve(first, shares=(attrs.evolve(first.shares[0], cores=2, memory=1),))
    jobs = [first, waiting(2, 1, 5, **share), waiting(3, 1, 5, user="grace", **share)]
    capture = within(cluster(1, jobs), exclusive=False)
    assert rows_of(capture) == {"2": ("started", 0), "3": ("planned", 600)}


@pytest.mark.parametrize("release", ["24.11.5", "26.05.5"])
@pytest.mark.parametrize(("other", "start"), [("ada", 600), ("grace", 2000)])
def test_a_node_beside_another_user_opens_when_all_its_jobs_are_gone(
    other: str, start: int, release: str
) -> None:
    """Three CPUs are held until 600, one until 2000 by a job of the same user, which closes nothing."""
    share = {"exclusive": False, "memory_per_node": 1}
    jobs = []
    for number, (user, until, cores) in enumerate([("ada", 2000, 1), (other, 600, 3)], 1):
        job = running(number, [1], until, user=user, **share)
        jobs.append(attrs.evolve(job, shares=(attrs.evolve(job.shares[0], cores=cores, memory=1),)))
    jobs.append(waiting(3, 1, 5, exclusive_user=True, cpus=2, **share))
    capture = within(cluster(1, jobs, release), exclusive=False)
    assert rows_of(capture) == {"3": ("planned", start)}


def test_with_too_few_nodes_open_the_next_try_is_when_one_opens() -> None:
    """n1 is free from 300 to 900 and again after 1800; n2, n3 and n5 open at 600."""
    jobs = [
        running(1, [2, 3, 5], 600, user="grace", exclusive_user=True),
        running(2, [4], 900),
        waiting(3, 1, 5, required_nodes=("n1",)),
        waiting(4, 2, 15, required_nodes=("n1", "n4")),
        waiting(5, 3, 15, exclusive_user=True),
    ]
    rows = rows_of(cluster(5, jobs))
    assert rows == {"3": ("started", 0), "4": ("planned", 900), "5": ("planned", 600)}


@pytest.mark.parametrize(
    ("text", "met"),
    [
        ("a&b", True),
        ("a&c", False),
        ("a&c|b", True),
        ("a&(c|b)", True),
        ("(a|c)&(c|d)", False),
        ("c|(a&b)", True),
        ("a,b", True),
        ("c&[a|b]", False),
        ("", True),
    ],
)
def test_features_meet_a_constraint(text: str, met: bool) -> None:
    """Of a node with a and b."""
    features = frozenset("ab")
    assert meets(text)(features) is met
    assert not text or naively_meets(features, text) is met


def test_brackets_around_a_whole_constraint_ask_for_one_kind_of_nodes() -> None:
    """With more around them they are parentheses; what is no constraint is no error."""
    assert alternatives("[a|b]") == ("a", "b")
    assert alternatives("[(a&b)|(c&d)]") == ("(a&b)", "(c&d)")
    assert alternatives("new&[a|b]") == ("new&[a|b]",)
    assert alternatives("[a|b]&[c|d]") == ("[a|b]&[c|d]",)
    for text in ("(" * 100_000, ")&|", "[a", "a&", "[]"):
        assert meets(text)(frozenset("a")) in (True, False) and alternatives(text)


ENDS = {1: 600, 2: 600, 3: 900, 4: 1200, 5: 1500, 6: 1500}


@pytest.mark.parametrize("release", ["22.05.8", "24.11.5", "26.05.5"])
@pytest.mark.parametrize(
    ("text", "nodes", "changes", "found"),
    [
        ("[a*2&b*1]", 3, {}, ("planned", 1200, "n[1-2,4]")),
        ("a*2", 3, {}, ("planned", 600, "n[1-2,7]")),
        ("[a*2&b*1]", 4, {}, ("planned", 1200, "n[1-2,4,7]")),
        ("a*2", 3, {"excluded_nodes": ("n7", "n8")}, ("planned", 600, "n[1-3]")),
        ("[a*2&b*1]", 3, {"excluded_nodes": ("n4", "n5", "n6")}, ("planned", 600, "n[1-2,7]")),
        ("[b*1&a*2]", 3, {"excluded_nodes": ("n4", "n5", "n6")}, ("skipped", None, "")),
        ("[a*3&b*1]", 4, {"excluded_nodes": ("n1",)}, ("skipped", None, "")),
        ("[a*1&b*1]", 2, {"cpus": 9, "tasks": 9}, ("skipped", None, "")),
        ("[a*2&b*1]", 3, {"cpus": 12, "tasks": 12}, ("planned", 1500, "n[1-6]")),
        ("c*2", 2, {}, ("started", 0, "n[7-8]")),
        ("c*1", 2, {}, ("started", 0, "n[7-8]")),
        ("[c*2&b*1]", 3, {"excluded_nodes": ("n1", "n2", "n3")}, ("planned", 1200, "n[4,7-8]")),
        ("c*2", 3, {}, ("planned", 0, "n[1,7-8]")),
        ("[c*1&d*1]", 2, {}, ("planned", 0, "n[7-8]")),
    ],
)
def test_features_with_counts_are_chosen_one_after_the_other(
    text: str, nodes: int, changes: dict[str, Any], found: tuple[str, int | None, str], release: str
) -> None:
    """n1 to n3 have a, n4 to n6 have b, n7 and n8 have c and are free."""
    jobs = [running(place, [place], end) for place, end in ENDS.items()]
    capture = cluster(8, [*jobs, waiting(9, nodes, 10, features=text, **changes)], release)
    marks = dict(zip((node.name for node in capture.nodes), "aaabbbcc", strict=True))
    capture = attrs.evolve(
        capture, nodes=tuple(attrs.evolve(node, features=(marks[node.name],)) for node in capture.nodes)
    )
    (row,) = forecast_of(capture, NOW).rows
    assert rows_of(capture) == {"9": found[:2]} and row.nodes == found[2]


@pytest.mark.parametrize(("release", "outcome"), [("22.05.8", "started"), ("24.11.5", "planned")])
def test_a_job_with_counts_that_shares_nodes_does_not_start(release: str, outcome: str) -> None:
    """It is planned at now, and marked."""
    job = waiting(1, 2, 10, features="a*2", exclusive=False, memory_per_node=1)
    capture = within(cluster(2, [job], release), exclusive=False)
    nodes = tuple(attrs.evolve(node, features=("a",)) for node in capture.nodes)
    capture = attrs.evolve(capture, nodes=nodes)
    assert rows_of(capture) == {"1": (outcome, 0)}
    assert [bool(row.marks) for row in forecast_of(capture, NOW).rows] == [outcome == "planned"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a*2", (("a", 2),)),
        ("[a*2&b*1]", (("a", 2), ("b", 1))),
        ("[a*2,b*1]", (("a", 2), ("b", 1))),
        ("a*2&b", ()),
        ("[a*2|b*1]", ()),
        ("(a|b)*2", ()),
        ("a", ()),
        ("", ()),
    ],
)
def test_features_with_counts_are_read(text: str, found: tuple[tuple[str, int], ...]) -> None:
    """Each with its count; nothing of a constraint of another form, and of a job that requires nodes."""
    asked = waiting(1, 2, 10, features=text).request
    assert terms(asked) == found == tuple(naive_terms(asked))
    required = attrs.evolve(asked, required_nodes=("n1",))
    assert terms(required) == () and naive_terms(required) == []


def test_a_job_past_its_end_does_not_make_a_step_longer() -> None:
    """Job 1 is gone, though it leaves after job 2: the step ends there, a minute before job 3 leaves."""
    jobs = [running(1, [1], -5), running(2, [2], 5), running(3, [3], 90), waiting(4, 2, 10)]
    assert rows_of(cluster(3, jobs, "24.11.5"))["4"] == ("planned", 5)
