"""The cycle on clusters that can be followed by hand, each rule of docs/slurm-cycle.md on its own."""

from typing import Any

import attrs
import pytest

from shadowtime.scenarios.slurm import ArrayPart, Capture, Generation, format_hosts
from tests.oracles.slurm.cycle import plan
from tests.oracles.slurm.profile import Span, reserve
from tests.oracles.slurm.small import NOW, array, cluster, reserved, running, waiting


def planned(capture: Capture) -> list[tuple[str, str, int | None, str]]:
    """Job, outcome, start after now, nodes."""
    return [
        (
            row.job,
            row.outcome,
            None if row.start is None else row.start - NOW,
            format_hosts(sorted(row.nodes, key=lambda name: int(name[1:]))),
        )
        for row in plan(capture, NOW)
    ]


def test_the_tightest_set_of_neighbours_is_taken() -> None:
    """Nodes 1 to 3 and 5 are free: one node takes n5, two take n1 and n2."""
    capture = cluster(5, [running(1, [4], 600), waiting(2, 1, 10), waiting(3, 2, 10)])
    assert planned(capture) == [("2", "started", 0, "n5"), ("3", "started", 0, "n[1-2]")]


def test_light_nodes_go_first() -> None:
    """A lighter set is used even if it is not enough."""
    capture = cluster(4, [waiting(1, 2, 10)], weights={1: 5, 2: 5, 3: 5, 4: 1})
    assert planned(capture) == [("1", "started", 0, "n[1,4]")]


@pytest.mark.parametrize(("release", "start"), [("24.11.5", 680), ("26.05.5", 650)])
def test_a_step_of_the_window_delays_a_start_in_24_11(release: str, start: int) -> None:
    """Job 1 leaves at 650; the step goes to 660 + 30 and takes job 2 away, too.

    The choice is n1 either way. 24.11 starts when the last job taken away leaves, 26.05 when n1 is free.
    """
    jobs = [running(1, [1], 650), running(2, [2], 680), waiting(3, 1, 10)]
    assert planned(cluster(2, jobs, release)) == [("3", "planned", start, "n1")]


def test_a_job_behind_a_planned_one_is_backfilled_before_it() -> None:
    """Job 2 needs all nodes at 600: job 3 ends before that second, job 4 with it, which is too late."""
    jobs = [running(1, [1], 600), waiting(2, 3, 10), waiting(3, 1, 9), waiting(4, 1, 10)]
    assert planned(cluster(3, jobs)) == [
        ("2", "planned", 600, "n[1-3]"),
        ("3", "started", 0, "n2"),
        ("4", "planned", 1200, "n1"),
    ]


def test_a_reservation_of_some_nodes_is_left_out_while_it_overlaps() -> None:
    """A run of ten minutes fits before a reservation at 700, one of twelve does not."""
    maint = reserved("maint", [1, 2, 3], 700, 1300, "MAINT")
    jobs = [waiting(1, 4, 10), waiting(2, 1, 12)]
    assert planned(cluster(4, jobs, reservations=[maint])) == [
        ("1", "started", 0, "n[1-4]"),
        ("2", "planned", 600, "n4"),
    ]


def test_a_reservation_of_the_whole_partition_moves_a_start_to_its_end() -> None:
    """The end of the reservation is the start."""
    maint = reserved("maint", [1, 2], 300, 1300, "MAINT")
    assert planned(cluster(2, [waiting(1, 1, 10)], reservations=[maint])) == [("1", "planned", 1300, "n1")]


def test_a_job_of_a_reservation_uses_its_nodes_and_goes_first() -> None:
    """And when the reservation has not begun, it is not in the queue."""
    open_, closed = reserved("course", [3], -60, 9000), reserved("exam", [1], 60, 9000)
    jobs = [waiting(1, 1, 10), waiting(2, 1, 10, reservation="course"), waiting(3, 1, 10, reservation="exam")]
    assert planned(cluster(3, jobs, reservations=[open_, closed])) == [
        ("2", "started", 0, "n3"),
        ("1", "started", 0, "n2"),
    ]


def test_who_is_left_out_has_no_row() -> None:
    """Held, not yet eligible, dependent."""
    jobs = [
        waiting(1, 1, 10, priority=0),
        waiting(2, 1, 10, eligible=NOW + 1),
        waiting(3, 1, 10, dependency="afterok:1(unfulfilled)"),
        waiting(4, 1, 10),
    ]
    assert planned(cluster(2, jobs)) == [("4", "started", 0, "n1")]


def test_the_bounds_on_tries_skip_an_entry_and_count_what_was_tried() -> None:
    """The bound by association holds in place of that by user, also for a job without an association."""
    jobs = [running(1, [1, 2], 600)]
    jobs += [waiting(each, 2, 10, association=9) for each in range(2, 6)]
    jobs += [waiting(each, 2, 10, partitions=("urgent",)) for each in range(6, 9)]
    notes = {"planned": "planned", "bf_max_job_user": "user", "bf_max_job_assoc": "association"}

    def noted(**bounds: Any) -> list[str]:
        capture = cluster(2, jobs, **bounds)
        urgent = attrs.evolve(capture.partitions[0], name="urgent")
        rows = plan(attrs.evolve(capture, partitions=(*capture.partitions, urgent)), NOW)
        return [notes.get(row.note or row.outcome, row.note) for row in rows]

    assert noted(max_job_assoc=1, max_job_user=2) == ["planned", *3 * ["association"], *3 * ["planned"]]
    assert noted(max_job_user=2) == [*2 * ["planned"], *5 * ["user"]]
    by_part = noted(max_job_user_part=1, max_job_part=1)
    assert by_part == ["planned", *3 * ["bf_max_job_user_part"], "planned", *2 * ["bf_max_job_user_part"]]


def test_an_array_is_tried_as_often_as_it_may_run() -> None:
    """Three tasks of five, by its own limit; two by that of the scheduler."""
    jobs = [running(1, [1, 2], 600), array(2, 2, 10, "1-5", 3)]
    rows = [("2_*", "planned", start, "n[1-2]") for start in (600, 1200, 1800)]
    assert planned(cluster(2, jobs)) == rows
    assert planned(cluster(2, jobs, max_job_array_resv=2)) == rows[:2]


def test_a_limit_on_running_tasks_holds_for_the_last_task() -> None:
    """A task runs, and one may: the last one, which has an id of its own, is not in the queue."""
    last = waiting(2, 1, 10, array=ArrayPart(2, 5, "", 1))
    runs = attrs.evolve(running(3, [1], 600), array=ArrayPart(2, 4, "", 1))
    assert planned(cluster(2, [runs, last])) == []
    assert planned(cluster(2, [attrs.evolve(last, array=ArrayPart(2, 5, "", 2)), runs]))[0][0] == "2_5"


def test_22_05_tries_every_task_of_an_array_below_its_limit() -> None:
    """One of two may run beside the one that does; both others are tried."""
    runs = attrs.evolve(running(1, [1, 2], 600), array=ArrayPart(2, 1, "", 2))
    jobs = [runs, array(2, 2, 10, "2-4", 2)]
    older = attrs.evolve(cluster(2, jobs), generation=Generation(38, "22.05.8"))
    assert (len(planned(cluster(2, jobs))), len(planned(older))) == (1, 3)


def test_too_large_a_job_cannot_be_scheduled_and_a_late_one_is_beyond_the_window() -> None:
    """The window has ten minutes; job 1 leaves after eleven."""
    jobs = [running(1, [1], 660), waiting(2, 3, 10), waiting(3, 2, 10)]
    assert planned(cluster(2, jobs, window=10)) == [
        ("2", "skipped", None, ""),
        ("3", "beyond window", 660, "n[1-2]"),
    ]


def test_limits_of_the_cycle() -> None:
    """A user over the limit is skipped; the limit on tried jobs ends the cycle."""
    jobs = [
        waiting(1, 1, 10),
        waiting(2, 1, 10),
        waiting(3, 1, 10, user="grace"),
        waiting(4, 1, 10, user="linus"),
    ]
    assert [row[1] for row in planned(cluster(4, jobs, max_job_user=1))] == ["started", "skipped"] + 2 * [
        "started"
    ]
    assert len(planned(cluster(4, jobs, max_job_test=2))) == 2


def test_a_required_node_is_taken_and_the_rest_comes_from_the_tightest_set_after_it() -> None:
    """Sets n1, n3 to n6 (with the required n4) and n8, n9: one more node is n8."""
    jobs = [running(1, [2], 900), running(2, [7], 900), waiting(3, 2, 10, required_nodes=("n4",))]
    assert planned(cluster(9, jobs)) == [("3", "started", 0, "n[4,8]")]


def test_a_set_whose_nodes_are_all_required_counts_no_more() -> None:
    """Sets n1 to n3, n5 (required) and n7, n8: three more nodes are those of the first."""
    jobs = [running(1, [4, 6, 9], 900), waiting(2, 4, 10, required_nodes=("n5",))]
    assert planned(cluster(9, jobs)) == [("2", "started", 0, "n[1-3,5]")]


@pytest.mark.parametrize(
    ("required", "nodes", "start", "chosen"),
    [
        (("n3", "n4"), 4, 700, "n[3-6]"),
        (("n4", "n2"), 2, 600, "n[2-3]"),
        (("n2", "n4"), 3, 600, "n[2-4]"),
        (("n6", "n7"), 2, 0, "n[6-7]"),
    ],
)
def test_neighbours_with_required_nodes_are_one_set(
    required: tuple[str, ...], nodes: int, start: int, chosen: str
) -> None:
    """n2 and n3 are busy, then n5, then n1: n6 to n9, which are free, stand apart from n4."""
    busy = [running(1, [2, 3], 600), running(2, [5], 700), running(3, [1], 900)]
    jobs = [*busy, waiting(4, nodes, 5, contiguous=True, required_nodes=required)]
    outcome = "planned" if start else "started"
    assert planned(cluster(9, jobs)) == [("4", outcome, start, chosen)]


@pytest.mark.parametrize(("memory", "start"), [(0, 100), (8000, 130)])
def test_a_job_on_a_node_that_is_too_small_is_passed_over(memory: int, start: int) -> None:
    """Job 1 leaves n3 at 40: the step from there to 60 + 60 ends before job 3 leaves.

    Without n3 the step begins when job 2 leaves, at 100, and goes to 120 + 30.
    """
    jobs = [running(1, [3], 40), running(2, [1], 100), running(3, [2], 130)]
    plain = cluster(3, [*jobs, waiting(4, 1 if memory else 2, 10, memory_per_node=memory)])
    nodes = [attrs.evolve(node, memory=4000 if node.name == "n3" else 8000) for node in plain.nodes]
    assert planned(attrs.evolve(plain, nodes=tuple(nodes)))[0][2] == start


def test_an_excluded_node_and_a_run_of_neighbours() -> None:
    """Job 1 must not use n2; job 2 wants two neighbours, and waits for them."""
    jobs = [
        waiting(1, 1, 10, excluded_nodes=("n2", "n1")),
        waiting(2, 3, 10, contiguous=True),
    ]
    assert planned(cluster(4, jobs)) == [("1", "started", 0, "n3"), ("2", "planned", 600, "n[1-3]")]


FREE = frozenset((1, 2, 3))


def test_reserving_splits_records_and_merges_one_pair() -> None:
    """The first reservation at the first begin leaves an empty record, which merges with nothing."""

    def shape() -> list[tuple[int, int, int]]:
        return [(span.begin, span.end, len(span.free)) for span in spans]

    spans = [Span(0, 6000, FREE)]
    assert reserve(spans, 0, 600, frozenset((1,)), {}, 60) == 2
    assert shape() == [
        (0, 0, 3),
        (0, 600, 2),
        (600, 6000, 3),
    ]
    assert reserve(spans, 600, 1200, frozenset((1,)), {}, 60) == 1
    assert shape() == [
        (0, 0, 3),
        (0, 1200, 2),
        (1200, 6000, 3),
    ]
    assert reserve(spans, 1200, 1210, frozenset((3,)), {}, 60) == 1
    assert shape() == [(0, 0, 3), (0, 1200, 2), (1200, 1260, 2), (1260, 6000, 3)]


def test_a_job_that_starts_has_no_further_entry() -> None:
    """It starts in the first of its partitions; the second one is not tried."""
    both = attrs.evolve(waiting(1, 1, 10), partitions=("batch", "batch"))
    assert planned(cluster(2, [both])) == [("1", "started", 0, "n1")]


def test_22_05_starts_no_more_tasks_than_may_run() -> None:
    """One of two runs: the first try starts another, and the tries end."""
    runs = attrs.evolve(running(1, [1], 600), array=ArrayPart(2, 1, "", 2))
    older = attrs.evolve(cluster(4, [runs, array(2, 1, 10, "2-4", 2)]), generation=Generation(38, "22.05.8"))
    assert planned(older) == [("2_*", "started", 0, "n2")]


def test_jobs_that_leave_together_keep_the_order_of_the_list_of_jobs() -> None:
    """Job 5 starts first, but job 4 stands before it: the step of 22.05 takes job 4 away, and no other.

    Job 2 leaves within the step from job 1, and holds no node that job 6 may have.
    """
    jobs = [
        running(1, [1], 50), running(2, [5], 55), running(3, [4], 10000), waiting(4, 1, 10, priority=950),
        waiting(5, 1, 10), waiting(6, 2, 5, priority=900, excluded_nodes=("n5",)),
    ]  # fmt: skip
    assert planned(cluster(5, jobs, "22.05.8")) == [
        ("5", "started", 0, "n2"),
        ("4", "started", 0, "n3"),
        ("6", "planned", 600, "n[1,3]"),
    ]


def test_the_next_tasks_of_an_array_stand_at_the_end_of_the_list_of_jobs() -> None:
    """The first task has the place of its array; the second one starts before job 5 and stands behind it."""
    jobs = [
        running(1, [1], 50), running(2, [6], 55), running(3, [5], 10000), array(4, 1, 10, "1-2"),
        waiting(5, 1, 10), waiting(6, 2, 5, excluded_nodes=("n2", "n6")),
    ]  # fmt: skip
    assert planned(cluster(6, jobs, "22.05.8")) == [
        ("4_*", "started", 0, "n2"),
        ("4_*", "started", 0, "n3"),
        ("5", "started", 0, "n4"),
        ("6", "planned", 600, "n[1,4]"),
    ]


def test_a_reservation_of_other_partitions_is_not_in_the_way() -> None:
    """Jobs 2 to 4 leave job 5 no gap: 22.05 looks no further, as no reservation of its partition ends."""
    course = reserved("course", [4], 100, 900)
    whole = [waiting(number, 3, 10) for number in (2, 4)]
    pairs = [waiting(number, 2, 10, excluded_nodes=("n3",)) for number in (3, 5)]
    jobs = [running(1, [1, 2, 3], 600), *whole, *pairs]
    plain = cluster(4, jobs, "22.05.8", reservations=[course])
    batch = attrs.evolve(plain.partitions[0], nodes=("n1", "n2", "n3"))
    assert planned(attrs.evolve(plain, partitions=(batch,))) == [
        ("2", "planned", 600, "n[1-3]"),
        ("3", "planned", 1200, "n[1-2]"),
        ("4", "planned", 1800, "n[1-3]"),
        ("5", "skipped", None, ""),
    ]


@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize(("release", "start"), [("22.05.8", 650), ("24.11.5", 680), ("26.05.5", 650)])
def test_with_bf_licenses_a_job_that_holds_a_wanted_licence_is_not_passed_over(
    release: str, start: int, kept: bool
) -> None:
    """Job 2 leaves within the step; it has no candidate, but the licence. All jobs share nodes."""
    shares = {"exclusive": False, "cpus": 4, "memory_per_cpu": 1}
    jobs = [
        running(1, [1], 650, **shares),
        running(2, [2], 680, licenses="x:1", **shares),
        waiting(3, 1, 10, excluded_nodes=("n2",), licenses="x:1", **shares),
    ]
    capture = cluster(2, jobs, release, licenses=kept)
    licensed = attrs.evolve(
        capture,
        partitions=(attrs.evolve(capture.partitions[0], exclusive=False),),
        settings=attrs.evolve(capture.settings, licenses={"x": 2}),
    )
    assert planned(licensed) == [("3", "planned", start if kept else 650, "n1")]


def test_a_job_that_starts_holds_its_licences() -> None:
    """There is one; the second job is skipped, though a node is free."""
    capture = cluster(2, [waiting(1, 1, 10, licenses="x:1"), waiting(2, 1, 10, licenses="x:1")])
    licensed = attrs.evolve(capture, settings=attrs.evolve(capture.settings, licenses={"x": 1}))
    assert planned(licensed) == [("1", "started", 0, "n1"), ("2", "skipped", None, "")]


def test_steps_begin_with_the_end_of_a_job_that_is_past_it() -> None:
    """22.05: job 1 ended 3 s ago and leaves in 27 s. The step that reaches job 2 goes to 120, not to 150."""
    jobs = [running(1, [1], -3), running(2, [2], 95), running(3, [3], 130), waiting(4, 2, 10)]
    assert planned(cluster(3, jobs, "22.05.8")) == [("4", "planned", 95, "n[1-2]")]


@pytest.mark.parametrize("release", ["22.05.8", "24.11.5", "26.05.5"])
def test_a_job_that_starts_holds_what_its_tasks_use(release: str) -> None:
    """Two tasks a node, on two nodes of four CPUs: two of n1 stay free."""
    share = {"exclusive": False, "memory_per_cpu": 100}
    pairs = {"cpus": 4, "tasks": 4, "tasks_per_node": 2, "least_cpus_per_node": 2}
    jobs = [waiting(1, 2, 10, **share, **pairs), waiting(2, 1, 10, **share, cpus=2, tasks=2)]
    plain = cluster(2, jobs, release)
    shared = attrs.evolve(plain, partitions=(attrs.evolve(plain.partitions[0], exclusive=False),))
    assert planned(shared) == [("1", "started", 0, "n[1-2]"), ("2", "started", 0, "n1")]


@pytest.mark.parametrize(
    ("release", "nodes"), [("22.05.8", "n[1,3]"), ("24.11.5", "n[1-2]"), ("26.05.5", "n[1-2]")]
)
def test_a_node_counts_for_no_more_than_its_tasks(release: str, nodes: str) -> None:
    """Two tasks a node: n2 has four CPUs free, n3 two. 22.05 takes the tighter one (seen on each release)."""
    share = {"exclusive": False, "memory_per_cpu": 100}
    pairs = {"cpus": 4, "tasks": 4, "tasks_per_node": 2, "least_cpus_per_node": 2}
    jobs = [
        running(1, [1], 600, exclusive=False),
        running(2, [3], 600, exclusive=False),
        waiting(3, 2, 10, **share, **pairs),
    ]
    for place in (0, 1):
        taken = attrs.evolve(jobs[place].shares[0], cores=2, memory=200)
        jobs[place] = attrs.evolve(jobs[place], shares=(taken,))
    plain = cluster(3, jobs, release, weights={2: 5, 3: 5})
    shared = attrs.evolve(plain, partitions=(attrs.evolve(plain.partitions[0], exclusive=False),))
    assert planned(shared) == [("3", "started", 0, nodes)]


def test_a_job_that_starts_gives_back_what_is_more_than_it_asks_for() -> None:
    """Two tasks of two CPUs: the choice gives three CPUs of n1 and two of n2, the job holds two of each."""
    share = {"exclusive": False, "memory_per_cpu": 100, "cpus_per_task": 2, "least_cpus_per_node": 2}
    jobs = [waiting(1, 2, 10, **share, cpus=4, tasks=2), waiting(2, 1, 10, **share, cpus=2, tasks=1)]
    plain = cluster(2, jobs)
    shared = attrs.evolve(plain, partitions=(attrs.evolve(plain.partitions[0], exclusive=False),))
    assert planned(shared) == [("1", "started", 0, "n[1-2]"), ("2", "started", 0, "n1")]
