"""Likely starts on a cluster: the draws are those of the naive program, and nothing later counts."""

from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import attrs
import pytest

from shadowtime.console.session.slurm.likely import odds as likely_odds
from shadowtime.console.session.slurm.likely.comes import Again
from shadowtime.console.session.slurm.likely.odds import MOST_WAITING, ClusterOdds
from shadowtime.console.session.slurm.likely.rows import MOST_LIMIT, NO_LIMIT, LikelyRows
from shadowtime.console.session.slurm.over_time import followed
from shadowtime.console.session.slurm.sampling import NEVER, Future, Sampler
from shadowtime.scenarios.slurm import Capture
from shadowtime.scenarios.slurm.accounted.records import Accounted, Past, ordered
from shadowtime.scenarios.slurm.fields import MOST
from tests.amount import many
from tests.oracles.likely.cluster import known_of_cluster
from tests.oracles.likely.sample import Sample
from tests.oracles.slurm.small import NOW, array, cluster, running, waiting

CLUSTERS = many(120)
STATES = ("COMPLETED", "COMPLETED", "FAILED", "TIMEOUT", "CANCELLED", "NODE_FAIL")


def run(id_: int, start: int, end: int | None, **changes: Any) -> Accounted:
    """A run of the accounting, from and to so many seconds after now."""
    plain = Accounted(
        id=id_, user="ada", account="", partition="batch", qos="", limit=60, cpus=2, nodes=1, given=4,
        memory=0, devices="", submit=NOW + start - 30, eligible=NOW + start - 20, start=NOW + start,
        end=None if end is None else NOW + end, elapsed=0 if end is None else end - start, state="COMPLETED",
    )  # fmt: skip
    return attrs.evolve(plain, **changes)


def random_cluster(random: Random) -> Capture:
    """Eight nodes; some minutes, days or weeks of accounting, in which the jobs that run are, too."""
    back = random.choice((0, 1500, 20_000, 400_000, 800_000))
    runs, id_ = [], 1
    for _ in range(random.choice((0, 3, 30))):
        start = -random.randint(60, max(60, back))
        end = min(start + random.choice((0, 7, random.randint(1, 4000))), random.choice((-1, 500)))
        user, state = random.choice(("ada", "bob")), random.choice(STATES)
        limit, cpus = random.choice((30, 60, None)), random.choice((1, 2, 8))
        runs.append(run(id_, start, end, user=user, state=state, limit=limit, cpus=cpus))
        id_ += random.choice((0, 1, 1, 1))
    jobs = []
    for place in range(1, 9):
        if random.random() < 0.6:
            begin = NOW - random.randint(0, 500)
            left = random.choice((random.randint(60, 3000), random.randint(3000, 3600)))
            jobs.append(running(100 + place, [place], left, begin=begin))
            runs.append(run(100 + place, begin - NOW, random.choice((None, 40))))
    for number in range(random.randint(0, 5)):
        nodes, limit = random.randint(1, 4), random.choice((30, 60))
        user, cpus = random.choice(("ada", "bob", "eve")), random.choice((1, 2, 8))
        eligible = NOW + random.choice((-100, 50))
        job = waiting(200 + number, nodes, limit, user=user, eligible=eligible, cpus_wanted=cpus)
        jobs.append(job)
    if random.random() < 0.4:
        jobs.append(array(300, 1, 30, "1-3"))
    past = random.choice((Past(ordered(runs)), Past(ordered(runs)), None))
    return attrs.evolve(cluster(8, jobs), past=past, taken=NOW)


def check_draws(seed: int) -> None:
    """Runtimes and first arrivals are those of the naive program, bit for bit."""
    random = Random(seed)
    capture = random_cluster(random)
    units = Sampler(capture, NOW).units
    rows = LikelyRows(capture, NOW, units)
    known, places = known_of_cluster(capture, NOW, [(unit.job, unit.task or 0) for unit in units])
    assert rows.ended == len(known.ended)
    aside = [
        0 if unit.job.waiting else NOW - unit.job.begin - known.progress[place]
        for unit, place in zip(units, places, strict=True)
    ]
    for number in (random.randrange(18), 18):
        sample = Sample(known, seed, number)
        drawn = [sample.runtimes[place] for place in places]
        assert rows.runtimes(seed, number) == [sum(pair) for pair in zip(aside, drawn, strict=True)]
        naive = [(each.submit, each.model, each.runtime) for each in islice(sample.arrivals(), 12)]
        found = [(at, rows.of.index(row), runtime) for at, row, runtime in islice(rows.arrivals(), 12)]
        assert found == naive


@pytest.mark.parametrize("group", range(4))
def test_draws_are_those_of_the_naive_program(group: int) -> None:
    """With arrays, jobs that come later, cancelled and requeued runs, and runs that are not over."""
    for seed in range(group, CLUSTERS, 4):
        check_draws(seed)


def test_limits_and_no_arrivals_are_the_expected_starts() -> None:
    """Without a history that is what the samples come to if the runtimes are the limits."""
    compared = 0
    for seed in range(12):
        capture = random_cluster(Random(seed))
        odds, sampler = ClusterOdds(capture, NOW), Sampler(capture, NOW)
        rows = LikelyRows(capture, NOW, sampler.units)
        by_unit = {row.unit: row.suspended + row.limit for row in rows.of}
        limits = [by_unit[place] for place in range(len(sampler.units))]
        found = sampler.starts(odds.asked, [Future(limits)])
        first: dict[str, int] = {}
        for each in followed(capture, NOW)[0]:
            name = each.job_id.partition("_")[0]
            if each.start:
                first[name] = min(first.get(name, each.start), each.start)
        assert dict(zip((job.partition("_")[0] for job in odds.jobs), found, strict=True)) == first
        compared += len(found)
    assert compared > 20


def test_nothing_that_comes_later_counts() -> None:
    """Runs that end, start or are submitted after the capture change no start of any sample."""
    compared: Counter[bool] = Counter()
    for seed in range(10):
        capture = random_cluster(Random(seed))
        if capture.past is None:
            continue
        known = [each for each in capture.past.jobs if each.start <= NOW]
        ends = [
            attrs.evolve(each, end=None, elapsed=0, state="RUNNING")
            if each.end is None or each.end > NOW
            else each
            for each in known
        ]
        later = [
            attrs.evolve(each, end=NOW + 7, elapsed=NOW + 7 - each.start, state="TIMEOUT")
            if each.end is None
            else each
            for each in ends
        ]
        later += [run(900, 5, 90), run(901, 50, None, submit=NOW - 60), run(902, 60, 70, user="bob")]
        one, other = (
            ClusterOdds(attrs.evolve(capture, past=Past(ordered(runs))), NOW) for runs in (ends, later)
        )
        assert one.jobs == other.jobs and one.history == other.history
        found = one.starts(samples=3)
        assert found == other.starts(samples=3)
        compared[len(found) > 0] += 1
    assert compared[True] > 3


def test_a_history_moves_a_start_and_a_job_that_never_starts_is_not_asked_for() -> None:
    """Job 1 may run for an hour; jobs like it ran for a minute. Job 3 is held."""
    first = running(1, [1, 2], 3500, begin=NOW - 100, cpus_wanted=2)
    jobs = [first, waiting(2, 2, 60, cpus_wanted=2), waiting(3, 2, 60, priority=0)]
    runs = [run(50 + number, -9000 + number, -8700 + number) for number in range(30)]
    capture = attrs.evolve(cluster(2, jobs), past=Past(ordered(runs)), taken=NOW)
    odds = ClusterOdds(capture, NOW)
    assert odds.jobs == ("2",) and odds.history == 30
    starts = sorted(odds.starts(samples=25))
    assert starts[0] > NOW and starts[12] < NOW + 400 and NEVER not in starts


def test_a_job_without_a_limit_has_that_of_its_partition() -> None:
    """And without one a year."""
    capture = cluster(1, [waiting(1, 1, 60)])
    for most, seconds in ((20, 1200), (None, 60 * NO_LIMIT)):
        parts = tuple(attrs.evolve(each, most_minutes=most) for each in capture.partitions)
        whole = attrs.evolve(capture, partitions=parts, past=Past((run(5, -60, -30, limit=None),)))
        rows = LikelyRows(whole, NOW, Sampler(whole, NOW).units)
        assert [row.limit for row in rows.of] == [3600, seconds]


@pytest.mark.parametrize("limit", [1 << 56, MOST - 1])
def test_a_limit_of_more_than_32_bits_is_cut(limit: int) -> None:
    """Of a job of the queue and of one of the accounting."""
    capture = cluster(1, [waiting(1, 1, limit)])
    whole = attrs.evolve(capture, past=Past((run(5, -60, -30, limit=limit),)))
    rows = LikelyRows(whole, NOW, Sampler(whole, NOW).units)
    assert [row.limit for row in rows.of] == [60 * MOST_LIMIT] * 2


def test_jobs_that_are_over_without_any_cpu_are_drawn_from() -> None:
    """Of the queue and of a ledger; those of a ledger have devices to share out."""
    done: dict[str, Any] = {"states": ("COMPLETED",), "begin": NOW - 90, "end": NOW - 50}
    over = [waiting(id_, 1, 60, cpus=0, least_nodes=0, **done) for id_ in range(10, 22)]
    capture = cluster(1, [running(1, [1], 3500, begin=NOW - 60), waiting(2, 1, 60)])
    seen = Past(
        tuple(run(each.id, -90, -50, cpus=0, nodes=0, given=0, devices="gres/gpu=2") for each in over)
    )
    for known in (
        attrs.evolve(capture, jobs=(*capture.jobs, *over)),
        attrs.evolve(capture, past=seen),
    ):
        odds = ClusterOdds(known, NOW)
        assert odds.history == 12 and len(odds.starts(samples=4)) == 4
        again = Again(known)
        made = [again.of(row) for row in odds._rows.of if row.unit is None]
        assert {(job.request.cpus, job.request.least_nodes) for job in made if job is not None} == {(1, 1)}


def test_with_too_many_tasks_there_are_no_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor an object for each of them; the history is as long as before."""
    past = Past(tuple(run(50 + number, -9000 + number, -8700 + number) for number in range(12)))
    for tasks, most, absent in (("1-4000000", MOST_WAITING, "many"), ("0-6:2", 3, "many"), ("0-4:2", 3, "")):
        monkeypatch.setattr(likely_odds, "MOST_WAITING", most)
        jobs = [running(1, [1], 3500, begin=NOW - 60), array(300, 1, 30, tasks)]
        capture = attrs.evolve(cluster(1, jobs), past=past)
        draws, found = ClusterOdds(capture, NOW), likely_odds.likely(capture, NOW, 2)
        assert (draws.absent, found.absent, found.history) == (absent, absent, 12)
        assert len(draws.units) == (1 if absent else 4) and bool(found.starts) != bool(absent)
