"""Impact and advice over a cluster: the rows are those of the naive program, on random clusters."""

import re
from datetime import UTC, datetime
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import attrs
import pytest

from shadowtime.console.session import SessionError
from shadowtime.console.session.clock import dated_clock
from shadowtime.console.session.course.places import instant_from
from shadowtime.console.session.impact.advice import AdviceWork, Advised
from shadowtime.console.session.impact.impact import Fate, Impact, ImpactWork
from shadowtime.console.session.impact.outlook import Stay, Vacated
from shadowtime.console.session.impact.rows import JobChange
from shadowtime.console.session.slurm.impact.outlook import ClusterOutlook
from shadowtime.console.session.slurm.over_time import followed
from shadowtime.console.session.slurm.parameters import NAME, parse_overrides
from shadowtime.console.words.impact import report
from shadowtime.scenarios.slurm import Capture
from shadowtime.scenarios.slurm.changes import EXPECTED, TIMED
from tests.amount import every, many
from tests.oracles.slurm.runs.impact import Row, impact
from tests.oracles.slurm.small import NOW, array, cluster, reserved, running, waiting
from tests.session.slurm.over_time.test_fair_share import shared
from tests.session.slurm.over_time.test_over_time import capture_of

CLUSTERS = many(160)
GROUPS = 4
AHEAD = 3000
SETTINGS = (
    "bf_max_job_user=1", "bf_max_job_test=3", "bf_interval=90", "bf_interval=7", "sched_interval=20",
    "bf_window=30", "bf_resolution=300", "default_queue_depth=2", "bf_max_job_array_resv=1",
)  # fmt: skip
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
    if runs[1:] and random.random() < 0.5:
        lines.append(f"requeue {runs[1]}")
    if capture.reservations and random.random() < 0.5:
        lines.append(f"unreserve {capture.reservations[0].name}")
    if random.random() < 0.5:
        nodes = ",".join(map(str, random.sample(range(len(capture.nodes)), 1 + len(capture.nodes) // 3)))
        lines.append(f"reserve {nodes} {random.choice((NOW + 120, NOW + 900))} {random.choice((5, 20))}m new")
    if random.random() < 0.5:
        lines.insert(random.randint(0, len(lines)), f"set {random.choice(SETTINGS)}")
    return lines


def later_lines(capture: Capture, random: Random) -> list[str]:
    """Changes that are made some minutes later."""
    places = [str(place) for place, node in enumerate(capture.nodes) if node.up]
    nodes = ",".join(random.sample(places, 1 + len(places) // 3))
    end = random.choice((NOW + 700, NOW + 1500))
    return random.choice(
        ([f"drain {nodes} at {NOW + 400}"], [f"drain {nodes} at {NOW + 400}", f"resume {nodes} at {end}"])
    )


def typed(line: str) -> str:
    """A line with its instant as it is typed."""
    return re.sub(
        str(NOW)[:3] + r"\d{4}",
        lambda found: f"{datetime.fromtimestamp(int(found[0]), UTC):%Y-%m-%d %H:%M:%S}",
        line,
    )


def clipped(rows: tuple[JobChange, ...], until: int) -> set[Row]:
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
    outlook = ClusterOutlook(attrs.evolve(capture, nodes=tuple(nodes)), NOW, zone=UTC)
    found = impact_of(outlook, "drain n[1-2,4]")
    stays = (Stay("2", "ada", "n2", NOW + 901), Stay("1", "ada", "n1", NOW + 601))
    assert found.vacated == (Vacated("n[1-2]", NOW, stays),)
    assert found.vacated[0].empty == NOW + 901
    assert report(found)[-2] == "n[1-2]: empty at 13d 21:35:01 at the latest"
    found = impact_of(outlook, "hold 3")
    assert found.vacated == () and len(report(found)) == 3
    empty = ClusterOutlook(cluster(2, [running(1, [1], 600)]), NOW, zone=UTC)
    (vacated,) = impact_of(empty, "drain n2").vacated
    assert (vacated.nodes, vacated.stays) == ("n2", ())


def test_the_progress_of_an_impact_counts_tasks() -> None:
    """Two runs of six tasks; the first is over half way through."""
    outlook, found = line_of(running(1, [1, 2], 600), array(2, 1, 10, "1-6")), []
    ImpactWork(outlook, ["drain n1"]).run(lambda done, total: found.append((done, total)))
    assert {total for _, total in found} == {12} and found == sorted(found)
    assert {done for done, _ in found} >= {2, 4, 6, 7, 8, 12}


def impact_of(outlook: ClusterOutlook, *lines: str) -> Impact:
    """The impact of lines."""
    found = ImpactWork(outlook, lines).run()
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
        lines += later_lines(capture, random) if random.random() < 0.3 else []
        at = NOW + 120 if later else NOW - 1
        outlook = ClusterOutlook(capture, NOW, int(later), at if later else NOW, UTC)
        try:
            ours = impact_of(outlook, *map(typed, lines))
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
    outlook = ClusterOutlook(capture, NOW, seed % 2, at if seed % 2 else NOW, UTC)
    try:
        ours = impact_of(outlook, *lines)
    except SessionError:
        assert seed % 2, lines
        return
    theirs = {row for row in impact(capture, NOW, at, lines, until) if row.what == "start"}
    assert {row for row in clipped(ours.rows, until) if row.what == "start"} == theirs, lines


def line_of(*jobs: Any, **parameters: Any) -> ClusterOutlook:
    """What is expected of two nodes from the capture on."""
    return ClusterOutlook(cluster(2, jobs, **parameters), NOW, zone=UTC)


def test_a_change_moves_starts_and_ends() -> None:
    """Job 1 frees its nodes later if its limit grows, and job 2 waits for it; job 3 stays behind job 2."""
    first = attrs.evolve(running(1, [1, 2], 600), begin=NOW - 3000)
    outlook = line_of(first, waiting(2, 2, 10), waiting(3, 1, 5))
    found = impact_of(outlook, "limit 1 +10m")
    rows = [(row.job, row.what, row.change) for row in found.rows]
    assert rows == [(1, "end", 600), (2, "start", 600), (3, "start", 600)]
    assert (found.time, found.event, found.acted, found.do) == (NOW, 0, frozenset({1}), ("limit 1 +10m",))
    assert found.fate(1) is Fate.UNAFFECTED and impact_of(outlook, "hold 2").fate(2) is Fate.HARMED
    assert impact_of(outlook, "priority 3 9000").fate(3) is Fate.HELPED
    (held,) = [row for row in impact_of(outlook, "hold 2").rows if row.job == 2]
    assert held.lost and impact_of(outlook, "hold 3").rows[0].job == 3


def test_a_reservation_keeps_out_who_would_run_into_it_and_stops_nobody() -> None:
    """Job 1 is there until 600 s and job 2 until 900 s; the reservation of both nodes begins at 720 s.

    Job 3 would have run into it from 601 s on, so it comes after it, and job 4 of 90 s before.
    """
    outlook = line_of(
        running(1, [1], 600), running(2, [2], 900), waiting(3, 1, 10), waiting(4, 1, 1), waiting(5, 2, 1)
    )
    found = impact_of(outlook, "reserve n[1-2] +12m 30m")
    (nodes,) = found.vacated
    assert (nodes.reservation, nodes.begin, nodes.end) == ("maintenance", NOW + 720, NOW + 2520)
    assert nodes.stays == (Stay("2", "ada", "n2", NOW + 901),) and nodes.empty == NOW + 901
    after = {row.job: row.after or 0 for row in found.rows if row.what == "start"}
    assert after[3] >= NOW + 2520 and after[5] >= NOW + 2520 and after.get(4, NOW) <= NOW + 660
    (alone,) = impact_of(outlook, "reserve n1 +16m 30m night").vacated
    assert alone.reservation == "night" and alone.stays == () and alone.empty == NOW + 960
    assert impact_of(outlook, "reserve ALL +12m 30m").rows == impact_of(outlook, "reserve 0,1 +12m 30m").rows


def test_a_later_change_is_made_in_its_second() -> None:
    """Job 3 starts on n1 at 603 s: a drain at 602 s keeps it off, one at 603 s does not."""
    outlook = line_of(running(1, [1], 600), running(2, [2], 4000), waiting(3, 1, 10))
    (drained,) = impact_of(outlook, "drain n1 at +602s").rows
    assert (drained.job, drained.before) == (3, NOW + 603)
    assert drained.after is not None and NOW + 4001 <= drained.after <= NOW + 4010
    late = impact_of(outlook, "drain n1 at +603s")
    assert late.rows == () and late.vacated == (
        Vacated("n1", NOW + 603, (Stay("3", "ada", "n1", NOW + 1204),)),
    )
    back = impact_of(outlook, "resume n1 at +20m", "drain n1 at +602s")
    assert back.do == ("resume n1 at +20m", "drain n1 at +602s")
    assert [(row.job, row.after) for row in back.rows] == [(3, NOW + 1203)]
    assert impact_of(outlook, "drain n2 at now").vacated == impact_of(outlook, "drain n2").vacated


def test_a_requeued_job_waits_two_minutes_and_comes_last() -> None:
    """Job 2 starts at once, and job 1 on its end: its end moves, for its start is past."""
    outlook = line_of(running(1, [1, 2], 600), waiting(2, 2, 10), waiting(3, 2, 10))
    rows = {row.job: row for row in impact_of(outlook, "requeue 1").rows}
    assert rows[2].after is not None and rows[2].after < NOW + 60
    assert rows[1].what == "end" and rows[1].before == NOW + 601
    assert rows[1].after is not None and rows[1].after > rows[2].after + 2 * 600 + 3600
    alone = line_of(running(1, [1, 2], 600), waiting(2, 2, 10))
    # Nobody waits any more when it is requeued: it runs until its limit of an hour once more.
    (last,) = (row for row in impact_of(alone, "requeue 2 at +700s").rows if row.job == 2)
    assert last.after is not None and NOW + 700 + 120 + 600 <= last.after <= NOW + 700 + 180 + 601
    nobody = line_of(running(1, [1], 600), running(2, [2], 4000))
    assert [(row.job, row.what) for row in impact_of(nobody, "requeue 2 at +700s").rows] == [(2, "end")]
    fixed = line_of(running(1, [1, 2], 600, can_requeue=False))
    with pytest.raises(SessionError):
        impact_of(fixed, "requeue 1")


def test_a_change_is_written_as_it_is_typed() -> None:
    """With its instant; a reservation with its name."""
    outlook = line_of(waiting(1, 1, 10))
    for line in ("drain n1 at tomorrow 06:00", "reserve n[1-2] 2030-01-01 18:00 4h night", "requeue 5"):
        assert outlook.typed(line).text == line
    assert outlook.typed("reserve ALL +1h 30m").text == "reserve ALL +1h 30m maintenance"
    tomorrow = outlook.read("reserve n1 tomorrow 00:00 1m")
    assert tomorrow.at == NOW - NOW % 86400 + 86400


def test_drained_nodes_by_name_and_by_index_are_the_same() -> None:
    """Nobody starts on them any more; who runs there runs on."""
    outlook = line_of(running(1, [1], 600), waiting(2, 2, 10), waiting(3, 1, 5))
    by_name, by_index = impact_of(outlook, "drain n2"), impact_of(outlook, "drain 1")
    assert by_name.rows == by_index.rows
    assert {row.job: row.after is None for row in by_name.rows} == {2: True, 3: False}


@pytest.mark.parametrize(
    "line",
    [
        "explode 3", "hold 77", "release 2", "drain n9", "drain 7", "hold 1", "set bf_window=x", "set",
        "limit 1 2h", "requeue 2", "requeue 77", "drain n1 at", "drain n1 at noon", "drain n1 at 25:00",
        "explode 3 at +1h", "drain n1 at 1970-01-01 00:00", "set bf_window=3 at +1h", "hold 1 at +1m",
        "reserve n1", "reserve n1 +1h", "reserve n9 +1h 2h", "reserve n1 noon 2h", "reserve n1 +1h long",
        "reserve n1 +1h 90s", "reserve n1 +1h 0m", "reserve n1 +1h 2h a b", "reserve n1 tomorrow 2h",
        "reserve n1 tomorrow 18:00 long", "reserve n1 now 1h busy",
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_one_line(line: str) -> None:
    """Job 1 runs and does not say when it began; there is a reservation busy."""
    outlook = line_of(running(1, [1], 600), waiting(2, 2, 10), reservations=[reserved("busy", [1], 90, 99)])
    with pytest.raises(SessionError) as caught:
        impact_of(outlook, line)
    assert "\n" not in str(caught.value)


def test_a_refusal_names_no_change_that_is_refused() -> None:
    """Parameters among them."""
    outlook = line_of(waiting(1, 1, 10))
    for text in (*EXPECTED.split(", "), *TIMED.split(", ")):
        assert outlook.typed(text).text


def test_a_parameter_at_the_capture_is_that_of_the_cluster_from_the_start() -> None:
    """The starts are those of a cluster that was configured so, also those of a late job."""
    late = attrs.evolve(running(6, [2, 3], -10), limit=5)
    jobs = [
        running(1, [1], 3000),
        late,
        waiting(2, 3, 10),
        *(waiting(id_, 1, 5, user="grace") for id_ in (3, 4, 5)),
    ]
    capture = cluster(3, jobs)
    for text in ("bf_max_job_user=1", "bf_interval=300 sched_interval=400", "KillWait=90", "bf_interval=-1"):
        found = impact_of(ClusterOutlook(capture, NOW, zone=UTC), f"set {text}")
        assert found.do == (f"set {text}",)
        configured = parse_overrides(NAME, text.split()).apply(capture)
        before, after = ({each.job_id: each.start for each in followed(one, NOW)[0]}
                         for one in (capture, configured))  # fmt: skip
        moved = {str(row.job): row.after for row in found.rows if row.what == "start"}
        assert moved == {job: after[job] for job in before if before[job] != after[job]}
        assert moved


def test_an_impact_is_summed_by_user() -> None:
    """Who loses starts comes first, then who is delayed most; each row counts for one user."""
    jobs = [
        waiting(1, 2, 60),
        waiting(2, 1, 5, user="grace"),
        waiting(3, 2, 10),
        waiting(4, 2, 10, user="lise"),
    ]
    found = impact_of(line_of(*jobs), "hold 2", "limit 1 90m")
    users = [user for user, _ in found.by_user]
    assert users[0] == "grace" and found.by_user[0][1].never_jobs == 1
    sums = dict(found.by_user)
    for user in ("ada", "lise"):
        rows = [row.change or 0 for row in found.rows if row.user == user]
        assert (sums[user].delayed_jobs, sums[user].delay_total) == (len(rows), sum(rows))
    assert sum(each.delayed_jobs for each in sums.values()) == found.totals.delayed_jobs


def advice_of(outlook: ClusterOutlook, job: int, by: str) -> Advised:
    """The advice for a job."""
    found = AdviceWork(outlook, job, by).run()
    assert found is not None
    return found


def test_every_advice_is_confirmed_and_costed() -> None:
    """Job 3 starts in time if job 2 is held, or if it is before it; held jobs are released then."""
    outlook = line_of(running(1, [1], 600), waiting(2, 2, 10), waiting(3, 2, 20))
    found = advice_of(outlook, 3, "+11m")
    assert (found.start, found.by) == (NOW + 1205, NOW + 660)
    by_do = {advice.do[0]: advice for advice in found.advice}
    assert set(by_do) == {"priority 3 999", "hold 2"}
    for advice in found.advice:
        assert advice.then == (("release 2",) if advice.do == ("hold 2",) else ())
        starts = {row.job: row.after for row in impact_of(outlook, *advice.do).rows}
        assert starts[3] == advice.start <= found.by
    assert by_do["priority 3 999"].totals.delay_total > 0
    assert not advice_of(outlook, 3, "+2h").needed
    with pytest.raises(SessionError):
        advice_of(outlook, 1, "now")


def test_what_only_the_user_can_ask_for_is_advised() -> None:
    """Fewer nodes fit beside job 1 now; so does a shorter limit, before the start of job 2."""
    smaller = advice_of(line_of(running(1, [1], 600), waiting(2, 2, 5)), 2, "now")
    assert [advice.do for advice in smaller.advice] == [("nodes 2 1",)]
    shorter = advice_of(line_of(running(1, [1], 600), waiting(2, 2, 10), waiting(3, 1, 20)), 3, "now")
    (limit,) = (advice for advice in shorter.advice if advice.do[0].startswith("limit"))
    assert limit.do == ("limit 3 9m",) and limit.start == NOW and not limit.payers


def test_a_reservation_in_the_way_may_be_given_up() -> None:
    """Only one that has nodes of the partitions of the job, and is not over."""
    names = (("night", [1, 2], 60, 9000), ("elsewhere", [9], 60, 9000), ("over", [1], -90, -60))
    outlook = line_of(waiting(1, 2, 10), reservations=[reserved(*each) for each in names])
    found = advice_of(outlook, 1, "now")
    assert found.start is not None and found.start >= NOW + 9000
    tried = [advice.do for advice in found.advice]
    assert ("unreserve night",) in tried and not {("unreserve elsewhere",), ("unreserve over",)} & set(tried)


def test_work_that_is_broken_off_finds_nothing() -> None:
    """And the next one finds what it would have found."""
    outlook = line_of(running(1, [1], 600), waiting(2, 2, 10))
    work = ImpactWork(outlook, ["hold 2"])
    work.cancel()
    assert work.run() is None
    assert impact_of(outlook, "hold 2").rows


@pytest.mark.parametrize(
    ("text", "then"),
    [
        ("now", "2026-10-24 20:00"),
        ("+90m", "2026-10-24 21:30"),
        ("19:00", "2026-10-25 19:00"),
        ("20:00", "2026-10-24 20:00"),
        ("tomorrow 19:00", "2026-10-25 19:00"),
        ("tomorrow 21:00", "2026-10-25 21:00"),
        ("10-26 06:00", "2026-10-26 06:00"),
        ("2026-10-26 06:00", "2026-10-26 06:00"),
    ],
)
def test_instants_are_those_of_the_clock_of_the_cluster(text: str, then: str) -> None:
    """Also over the night in which summer time ends."""
    zone = ZoneInfo("Europe/Berlin")
    now, found = (
        int(datetime.fromisoformat(each).replace(tzinfo=zone).timestamp())
        for each in ("2026-10-24 20:00", then)
    )
    clock = dated_clock(zone, now)
    assert instant_from(text, now, clock) == found
    assert instant_from("tomorrow", now, clock) is None and instant_from("-1h", now, clock) is None
