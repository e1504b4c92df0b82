"""The chain of a planned job is true in the plan of the naive program, link by link."""

from pathlib import Path

import pytest

from shadowtime.console.session.jobs.chain import Chain
from shadowtime.console.session.slurm.board.chain import chain, likely_chain
from shadowtime.console.session.slurm.board.facts import Board, PlanRow
from shadowtime.console.session.slurm.board.making import board
from shadowtime.scenarios.slurm import Capture, parse_hosts, read_capture
from tests.amount import every, many
from tests.oracles.slurm import small
from tests.oracles.slurm.cycle import Row, plan
from tests.oracles.slurm.recorded import snapshots
from tests.session.slurm.clusters import random_capture

CLUSTERS = Path(__file__).parents[4] / "scenarios/clusters"
NOW = small.NOW


def chains(found: Board) -> list[tuple[PlanRow, Chain]]:
    """The rows of a plan that have a chain."""
    return [(row, made) for row in found.rows if (made := chain(found, row)) is not None]


def stays(capture: Capture, before: list[Row], row: Row, now: int) -> set[tuple[str, str, int, int]]:
    """Who has each node of a row until its start at the latest: the node, who, from when on, until when.

    Of running jobs those that end by then, of rows those before it in the queue, and reservations.
    """
    assert row.start is not None
    ends = {job.id: job.end for job in capture.jobs if job.holding}
    found, late = set(), capture.settings.over_time_limit
    for job in capture.jobs:
        if job.holding and min(job.end, ends.get(job.het_job, job.end)) <= row.start:
            past = (
                now + 60 * (job.limit or 0)
                if late is None
                else max(now + 1, job.end + capture.settings.kill_wait + late)
            )
            end = min(row.start, job.end if job.end > now else past)
            found |= {(name, job.shown, now, end) for name in row.nodes.intersection(job.nodes)}
    for other in before:
        if other.outcome in ("planned", "started") and other.start is not None and other.start < row.start:
            job = next(each for each in capture.jobs if each.waiting and each.shown == other.job)
            most = next(one for one in capture.partitions if one.name == other.partition).most_minutes
            until = other.end or other.start + 60 * (job.least_limit or job.limit or most or 525600)
            end = min(until, row.start)
            if until <= row.start + capture.settings.backfill.resolution and end > other.start:
                found |= {(name, other.job, other.start, end) for name in row.nodes & other.nodes}
    for each in capture.reservations:
        begin, end = (at + each.moved(now) for at in (each.begin, each.end))
        if now < end <= row.start and each.name != row.reservation:
            partition = next(one for one in capture.partitions if one.name == row.partition)
            required = next(job.request.required_nodes for job in capture.jobs if job.shown == row.job)
            whole = "ALL_NODES" in each.flags or not set(required).isdisjoint(each.nodes)
            whole |= "MAINT" in each.flags and set(partition.nodes) <= set(each.nodes)
            names = row.nodes if whole else row.nodes.intersection(each.nodes)
            found |= {(name, each.name, max(begin, now), end) for name in names}
    return found


def check(capture: Capture, now: int) -> int:
    """Compare every chain of a cluster without preemption with the naive plan; return how many."""
    rows, found = plan(capture, now), board(capture)
    made = chains(found)
    for shown, each in made:
        assert shown.order is not None
        row = rows[shown.order - 1]
        held = stays(capture, rows[: shown.order - 1], row, now)
        assert (each.start, each.needs, each.links[-1].free) == (row.start, len(row.nodes), 0)
        assert [link.at for link in each.links] == sorted(link.at for link in each.links)
        for link, following in zip(each.links, each.links[1:], strict=False):
            names = frozenset(parse_hosts(link.nodes))
            who = {
                (node, begin if link.change < 0 else end) for node, job, begin, end in held if job == link.job
            }
            assert all((node, link.at) in who for node in names) and len(names) == abs(link.change), link
            if following.at > link.at:
                busy = {node for node, _, begin, end in held if begin <= link.at < end}
                assert link.free == each.needs - len(busy), link
                assert (link.kind == "waits") == (not busy), link
        assert len(each.links) == 1 or each.links[-2].free == each.needs
        ended = {(link.job, link.at) for link in each.links if link.change > 0}
        assert not {node for node, *_, end in held} - {
            node for node, who, _, end in held if (who, end) in ended
        }, "a node that nobody leaves"
    return len(made)


@pytest.mark.parametrize("group", every(5, range(5)))
def test_each_link_is_true_in_the_plan_of_random_clusters(group: int) -> None:
    drawn = (random_capture(seed) for seed in range(group, many(1500), 5))
    # Some draws have two jobs of one name, which no cluster has.
    assert sum(check(each, NOW) for each in drawn if len({job.shown for job in each.jobs}) == len(each.jobs))


def test_each_link_is_true_in_the_plan_of_the_shipped_and_the_recorded_clusters() -> None:
    for folder in (CLUSTERS / "two-tiers", *snapshots()[:: max(1, 2400 // many(300))]):
        capture = read_capture(folder)
        check(capture, capture.taken)


def test_likely_starts_stand_beside_those_who_take_nodes() -> None:
    """Job 2 is planned before job 3, on the same node; when job 1 ends is not known."""
    jobs = [small.running(1, [1], 300), small.waiting(2, 1, 10), small.waiting(3, 1, 10)]
    (_, first), (_, second) = chains(board(small.cluster(1, jobs)))
    assert [link.kind for link in first.links] == ["ends", "start"]
    found = likely_chain(second, {"2": NOW + 60, "3": None})
    assert [(link.kind, link.job, link.likely) for link in found.links] == [
        ("ends", "1", None), ("starts", "2", NOW + 60), ("ends", "2", None), ("start", "3", None),
    ]  # fmt: skip


@pytest.mark.parametrize(("begin", "code"), [(300, None), (310, "rounded_end")])
def test_a_start_that_waits_for_a_rounded_end_says_so(begin: int, code: str | None) -> None:
    """Job 3 starts when job 2 is over, which the plan rounds up to the whole minute."""
    jobs = [small.running(1, [1], begin), small.waiting(2, 1, 10), small.waiting(3, 1, 10)]
    _, (row, found) = chains(board(small.cluster(1, jobs)))
    reason = found.links[-1].reason
    assert row.start == NOW + (900 if code is None else 960)
    assert (None if reason is None else reason.code) == code
