"""Likely changes over a cluster: two runs of a sample differ in what is done alone."""

from random import Random

import attrs
import pytest

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.impact.advice import AdviceWork
from shadowtime.console.session.impact.impact import Impact, ImpactWork
from shadowtime.console.session.impact.rows import END, START, likely_change
from shadowtime.console.session.likely.quantiles import NEVER as NOT_AT_ALL
from shadowtime.console.session.likely.quantiles import quantile
from shadowtime.console.session.slurm.impact.following import SAMPLES, Shown
from shadowtime.console.session.slurm.impact.outlook import ClusterOutlook
from shadowtime.console.session.slurm.likely.odds import ENDED, SEED, ClusterOdds, Known, likely
from shadowtime.console.session.slurm.likely.rows import LikelyRows
from shadowtime.console.session.slurm.over_time import OverTime
from shadowtime.scenarios.slurm import Capture
from shadowtime.scenarios.slurm.accounted.records import Past, ordered
from tests.oracles.slurm.sampling import Sample
from tests.oracles.slurm.small import NOW, cluster, running, waiting
from tests.session.slurm.impact.test_impact import capture_with_begins, random_lines
from tests.session.slurm.likely.test_odds import run


def remembered(capture: Capture, ended: int = 30) -> Capture:
    """A cluster with an accounting of jobs that ran for 2 to 12 minutes."""
    runs = [run(9000 + number, -40_000 - number, -39_880 - number + 21 * number) for number in range(ended)]
    return attrs.evolve(capture, past=Past(ordered(runs)), taken=NOW)


def line_of() -> Capture:
    """Three nodes that are taken, and jobs that wait for one or two of them."""
    taken = [running(place, [place], 3000, begin=NOW - 60 * place) for place in (1, 2, 3)]
    queued = [waiting(10 + number, 1 + number % 2, 60, cpus_wanted=2) for number in range(6)]
    return remembered(cluster(3, [*taken, *queued]))


def impact_of(capture: Capture, *lines: str, event: int = 0, at: int = NOW) -> Impact:
    found = ImpactWork(ClusterOutlook(capture, NOW, event, at, likely=True), lines).run()
    assert found is not None
    return found


def few_samples(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    """So many samples are drawn."""
    monkeypatch.setattr("shadowtime.console.session.slurm.impact.following.SAMPLES", count)


def test_a_change_that_changes_nothing_moves_no_job_in_any_sample() -> None:
    """The same runtimes and the same jobs that come, with and without it."""
    capture = line_of()
    (job,) = (each for each in capture.jobs if each.id == 12)
    for line in (f"priority 12 {job.priority}", f"limit 12 {job.limit}m"):
        found = impact_of(capture, line)
        assert found.odds.samples == SAMPLES and len(found.odds.changes) == len(capture.jobs)
        for each in found.odds.changes.values():
            assert (each.change, each.tenth, each.agreeing) == (0, 0, SAMPLES)
            assert len(set(each.times[0])) > 1


def test_draws_that_are_limits_without_arrivals_give_the_expected_impact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of starts and of ends, at the capture and two minutes later, on random clusters."""
    monkeypatch.setattr(ClusterOdds, "begun", lambda self, cluster, number: cluster.sampled({}, ()))
    few_samples(monkeypatch, 2)
    compared = dict.fromkeys((START, END), 0)
    for seed in range(6):
        capture = remembered(capture_with_begins(seed))
        lines = random_lines(capture, Random(seed))
        later = seed % 2
        try:
            found = impact_of(capture, *lines, event=later, at=NOW + 120 * later)
        except SessionError:
            assert later
            continue
        for row in found.rows:
            assert row.likely is not None
            if row.what == END and row.likely.waits:
                assert row.likely.change == 0
                continue
            compared[row.what] += 1
            never = NOT_AT_ALL if row.after is None else -NOT_AT_ALL
            assert row.likely.change == (never if row.change is None else row.change), (seed, lines, row)
        moved = {row.index for row in found.rows}
        assert all(place in moved or not each.moves for place, each in found.odds.changes.items())
    assert min(compared.values()) > 5


def test_the_likely_change_of_a_drain_is_that_of_the_naive_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """The naive program runs each sample on the cluster and on one whose node is drained from the first."""
    few_samples(monkeypatch, 2)
    capture = line_of()
    first, *others = capture.nodes
    drained = attrs.evolve(capture, nodes=(attrs.evolve(first, states=("DRAIN",)), *others))
    draws = ClusterOdds(capture, NOW)
    found: dict[int, list[tuple[int, int]]] = {}
    for number in range(2):
        keys = dict(zip((unit.key for unit in draws.units), _drawn(capture, draws, number), strict=True))
        arrivals = [(each.at, each.job, each.runtime) for each in draws._arrivals()]
        pair = []
        for each in (capture, drained):
            naive = Sample(each, NOW, keys, arrivals)
            naive.run(NOW + 5000)
            pair.append(naive.starts)
        for job in range(10, 16):
            found.setdefault(job, []).append((pair[0][job, None], pair[1][job, None]))
    outlook = ClusterOutlook(capture, NOW, likely=True)
    ours = ImpactWork(outlook, [f"drain {first.name}"]).run()
    assert ours is not None
    changes = ours.odds.changes
    for job, pairs in found.items():
        before, after = ([float(at) for at in each] for each in zip(*pairs, strict=True))
        assert changes[outlook.jobs.places[str(job)]] == likely_change(before, after, waits=True)
    assert max(each.change for each in changes.values()) > 60


def _drawn(capture: Capture, draws: ClusterOdds, number: int) -> list[int]:
    draws._rows = LikelyRows(capture, NOW, draws.units)
    return draws._rows.runtimes(SEED, number)


def test_what_is_later_or_given_back_is_done_in_each_sample_as_far_as_it_can_be() -> None:
    """Job 10 may have started by then; advice gives back what it takes after the start of that sample."""
    capture = line_of()
    found = impact_of(capture, "hold 15 at +3m", "drain n1 at +10m")
    (held,) = (row for row in found.rows if row.job == 15)
    assert held.likely is not None and held.likely.change == NOT_AT_ALL
    work = AdviceWork(ClusterOutlook(capture, NOW, likely=True), 15, "+1h").run()
    assert work is not None and work.likely is not None
    holds = [each for each in work.advice if each.then]
    assert holds and all(each.likely is not None for each in holds)
    for each in holds:
        assert not any(row.likely is not None and row.likely.change == NOT_AT_ALL for row in each.payers)


def test_without_a_history_there_are_no_odds_and_a_code_for_it() -> None:
    """Nor does anybody draw without being asked."""
    capture = remembered(cluster(2, [running(1, [1], 600), waiting(2, 2, 10)]), ENDED - 1)
    found = impact_of(capture, "hold 2")
    assert (found.odds.absent, found.odds.samples) == ("accounting", 0)
    assert all(row.likely is None for row in found.rows) and len(found.rows) == 1
    plain = ImpactWork(ClusterOutlook(line_of(), NOW), ["hold 12"]).run()
    assert plain is not None and (plain.odds.absent, plain.odds.samples) == ("", 0)


def test_a_sample_leaves_the_cluster_as_it_was() -> None:
    """A fork of it finds the same starts after samples have been followed."""
    capture = line_of()
    here = OverTime(capture, NOW)
    expected = [each for each in here.fork().moments() if each.started]
    run_ = here.sampled({(1, None): 90}, ())
    run_.follow({(10, None)})
    assert run_.ended[1] < NOW + 60
    assert [each for each in here.fork().moments() if each.started] == expected


def test_the_impact_at_the_limits_comes_before_the_samples() -> None:
    """Its rows are those of an outlook that draws none; the progress then goes on to the end."""
    early: list[Impact] = []
    shares: list[float] = []
    work = ImpactWork(ClusterOutlook(line_of(), NOW, likely=True), ["drain n1"])
    work.at_limits = early.append
    found = work.run(lambda done, whole: shares.append(done / whole))
    plain = ImpactWork(ClusterOutlook(line_of(), NOW), ["drain n1"]).run()
    assert [each.rows for each in early] == [plain.rows if plain is not None else ()]
    assert found is not None and found.odds.samples == SAMPLES and found.rows != early[0].rows
    assert shares == sorted(shares) and shares[-1] == 1


def test_likely_starts_are_those_that_are_shown() -> None:
    """Those of the plan before the change; at the same level of the samples after it."""
    capture = line_of()
    odds = likely(capture, NOW, known=Known(levels=(0.05, 0.3, 0.95))).starts
    shown = Shown((0.05, 0.3, 0.95), odds)
    found = ImpactWork(ClusterOutlook(capture, NOW, likely=True, shown=shown), ["hold 12"]).run()
    assert found is not None
    waiting = [row for row in found.rows if str(row.job) in odds and row.likely is not None]
    assert len(waiting) > 1
    for row in waiting:
        assert row.likely is not None and row.likely.before == odds[str(row.job)].likely
        assert row.likely.after == quantile(row.likely.times[1], 0.3)
