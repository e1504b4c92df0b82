"""Impact and advice over a cluster: the rows are those of the naive program, on random clusters."""

from random import Random
from typing import Any

import attrs
import pytest

from shadowtime.console.session import SessionError
from shadowtime.console.session.impact.advice import Advised
from shadowtime.console.session.impact.impact import Change, Drained, Impact
from shadowtime.console.session.slurm.impact import ClusterAdvice, ClusterImpact, Course
from shadowtime.console.words.impact import report
from shadowtime.scenarios.slurm import Capture
from shadowtime.scenarios.slurm.changes import EXPECTED
from tests.amount import every, many
from tests.oracles.slurm.runs.impact import Row, impact
from tests.oracles.slurm.small import NOW, cluster, running, waiting
from tests.session.slurm.test_fair_share import shared
from tests.session.slurm.test_over_time import capture_of

CLUSTERS = many(160)
GROUPS = 4
AHEAD = 3000
FAIR_SHARES = [12, 13, 16, *(pytest.param(seed, marks=pytest.mark.proof) for seed in (0, 5))]


def capture_with_begins(seed: int) -> Capture:
    """A random cluster whose running jobs began an hour before they end."""
    capture = with_begins(capture_of(seed))
    priority = "priority/multifactor" if seed % 2 else "priority/basic"
    return attrs.evolve(capture, settings=attrs.evolve(capture.settings, priority=priority))


def with_begins(capture: Capture) -> Capture:
    """The cluster with running jobs that began an hour before they end."""
    jobs = [attrs.evolve(job, begin=job.end - 3600) if job.holding else job for job in capture.jobs]
    return attrs.evolve(capture, jobs=tuple(jobs))


def random_lines(capture: Capture, random: Random) -> list[str]:
    """Some changes that can be made, in an order in which they can."""
    waits = [job.id for job in capture.jobs if job.waiting and job.priority and job.array is None]
    runs = [job.id for job in capture.jobs if job.holding and job.array is None and job.end > NOW + 600]
    up = [str(place) for place, node in enumerate(capture.nodes) if node.up]
    down = [str(place) for place, node in enumerate(capture.nodes) if not node.up]
    lines = []
    for job in random.sample(waits, min(2, len(waits))):
        kinds = f"hold {job}", f"cancel {job}", f"priority {job} 2000", f"limit {job} 5m"
        lines.append(random.choice(kinds))
        if lines[-1] == f"hold {job}" and random.random() < 0.3:
            lines.append(f"release {job}")
    if runs:
        lines.append(random.choice((f"cancel {runs[0]}", f"limit {runs[0]} {random.choice((62, 90))}m")))
    if up and random.random() < 0.5:
        lines.append(f"drain {','.join(random.sample(up, 1 + len(up) // 3))}")
    elif down:
        lines.append(f"resume {down[0]}")
    return lines


def clipped(rows: tuple[Change, ...], until: int) -> set[Row]:
    """Rows with what comes after an instant as never; those that do not differ then are left out."""
    found = set()
    for row in rows:
        before, after = (None if at is None or at > until else at for at in (row.before, row.after))
        if before != after:
            found.add(Row(str(row.job), row.what, before, after))
    return found


def test_an_impact_says_when_drained_nodes_are_empty() -> None:
    """Of the nodes that were up: the last job there ends; n4 is drained already."""
    capture = cluster(4, [running(1, [1], 600), running(2, [2, 3], 900), waiting(3, 4, 10)])
    nodes = [*capture.nodes[:3], attrs.evolve(capture.nodes[3], states=("DRAIN",))]
    course = Course(attrs.evolve(capture, nodes=tuple(nodes)), NOW)
    found = impact_of(course, "drain n[1-2,4]")
    assert found.drained == Drained("n[1-2]", NOW + 901, "2")
    assert report(found)[-1] == "n[1-2]: job 2 ends there last, at 13d 21:35:01 at the latest"
    found = impact_of(course, "hold 3")
    assert found.drained is None and len(report(found)) == 2
    empty = Course(cluster(2, [running(1, [1], 600)]), NOW)
    assert report(impact_of(empty, "drain n2"))[-1] == "n2: no job runs there"


def impact_of(course: Course, *lines: str) -> Impact:
    """The impact of lines."""
    found = ClusterImpact(course, lines).run()
    assert found is not None
    return found


@pytest.mark.parametrize("group", every(4, range(GROUPS)))
def test_no_row_differs_on_random_clusters(group: int) -> None:
    """Whose start or end differs, at the capture and some minutes later."""
    for seed in range(group, CLUSTERS, GROUPS):
        random = Random(seed)
        capture = capture_with_begins(seed)
        lines = random_lines(capture, random)
        if not lines:
            continue
        later = random.random() < 0.5
        at = NOW + 120 if later else NOW - 1
        course = Course(capture, NOW, 1, at) if later else Course(capture, NOW)
        try:
            ours = impact_of(course, *lines)
        except SessionError:
            assert later, (seed, lines)
            continue
        theirs = impact(capture, NOW, at, lines, NOW + AHEAD)
        starts = {row for row in theirs if row.what == "start"}
        found = clipped(ours.rows, NOW + AHEAD)
        assert {row for row in found if row.what == "start"} == starts, (seed, lines)


@pytest.mark.parametrize("seed", FAIR_SHARES)
def test_no_start_differs_where_fair_share_moves(seed: int) -> None:
    """A cancelled job charges what it has used until then; some limits on past usage are reached."""
    random, capture, until = Random(seed), with_begins(shared(seed)), NOW + 900
    lines = random_lines(capture, random)
    at = NOW + 120 if seed % 2 else NOW - 1
    course = Course(capture, NOW, 1, at) if seed % 2 else Course(capture, NOW)
    try:
        ours = impact_of(course, *lines)
    except SessionError:
        assert seed % 2, lines
        return
    theirs = {row for row in impact(capture, NOW, at, lines, until) if row.what == "start"}
    assert {row for row in clipped(ours.rows, until) if row.what == "start"} == theirs, lines


def line_of(*jobs: Any, **parameters: Any) -> Course:
    """A course of two nodes from its capture on."""
    return Course(cluster(2, jobs, **parameters), NOW)


def test_a_change_moves_starts_and_ends() -> None:
    """Job 1 frees its nodes later if its limit grows, and job 2 waits for it; job 3 stays behind job 2."""
    first = attrs.evolve(running(1, [1, 2], 600), begin=NOW - 3000)
    course = line_of(first, waiting(2, 2, 10), waiting(3, 1, 5))
    found = impact_of(course, "limit 1 +10m")
    rows = [(row.job, row.what, row.change) for row in found.rows]
    assert rows == [(1, "end", 600), (2, "start", 600), (3, "start", 600)]
    assert (found.time, found.event, found.acted, found.do) == (NOW, 0, frozenset({1}), ("limit 1 +10m",))
    (held,) = [row for row in impact_of(course, "hold 2").rows if row.job == 2]
    assert held.lost and impact_of(course, "hold 3").rows[0].job == 3


def test_drained_nodes_by_name_and_by_index_are_the_same() -> None:
    """Nobody starts on them any more; who runs there runs on."""
    course = line_of(running(1, [1], 600), waiting(2, 2, 10), waiting(3, 1, 5))
    by_name, by_index = impact_of(course, "drain n2"), impact_of(course, "drain 1")
    assert by_name.rows == by_index.rows
    assert {row.job: row.after is None for row in by_name.rows} == {2: True, 3: False}


@pytest.mark.parametrize(
    "line",
    ["explode 3", "hold 77", "release 2", "drain n9", "drain 7", "hold 1", "set bf_window=3", "limit 1 2h"],
)
def test_what_cannot_be_done_is_one_line(line: str) -> None:
    """Job 1 runs and does not say when it began."""
    with pytest.raises(SessionError) as caught:
        impact_of(line_of(running(1, [1], 600), waiting(2, 2, 10)), line)
    assert "\n" not in str(caught.value)


def test_a_refusal_names_no_change_that_is_refused() -> None:
    """A parameter is one of lessons, and compared with --policy."""
    course = line_of(waiting(1, 1, 10))
    for text in EXPECTED.split(", "):
        course.typed(text)
    with pytest.raises(SessionError, match="--policy"):
        course.typed("set bf_max_job_test=500")


def advice_of(course: Course, job: int, by: str) -> Advised:
    """The advice for a job."""
    found = ClusterAdvice(course, job, by, None).run()
    assert found is not None
    return found


def test_every_advice_is_confirmed_and_costed() -> None:
    """Job 3 starts in time if job 2 is held, or if it is before it; held jobs are released then."""
    course = line_of(running(1, [1], 600), waiting(2, 2, 10), waiting(3, 2, 20))
    found = advice_of(course, 3, "+11m")
    assert (found.start, found.by) == (NOW + 1205, NOW + 660)
    by_do = {advice.do[0]: advice for advice in found.advice}
    assert set(by_do) == {"priority 3 999", "hold 2"}
    for advice in found.advice:
        assert advice.then == (("release 2",) if advice.do == ("hold 2",) else ())
        starts = {row.job: row.after for row in impact_of(course, *advice.do).rows}
        assert starts[3] == advice.start <= found.by
    assert by_do["priority 3 999"].totals.delay_total > 0
    assert not advice_of(course, 3, "+2h").needed
    with pytest.raises(SessionError):
        advice_of(course, 1, "now")


def test_what_only_the_user_can_ask_for_is_advised() -> None:
    """Fewer nodes fit beside job 1 now; so does a shorter limit, before the start of job 2."""
    smaller = advice_of(line_of(running(1, [1], 600), waiting(2, 2, 5)), 2, "now")
    assert [advice.do for advice in smaller.advice] == [("nodes 2 1",)]
    shorter = advice_of(line_of(running(1, [1], 600), waiting(2, 2, 10), waiting(3, 1, 20)), 3, "now")
    (limit,) = (advice for advice in shorter.advice if advice.do[0].startswith("limit"))
    assert limit.do == ("limit 3 9m",) and limit.start == NOW and not limit.payers


def test_work_that_is_broken_off_finds_nothing() -> None:
    """And the next one finds what it would have found."""
    course = line_of(running(1, [1], 600), waiting(2, 2, 10))
    work = ClusterImpact(course, ["hold 2"])
    work.cancel()
    assert work.run() is None
    assert impact_of(course, "hold 2").rows
