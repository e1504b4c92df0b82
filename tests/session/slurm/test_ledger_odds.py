"""The ledger's odds: what is kept and shown, what the accounting settles, and ledgers from before."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest

from shadowtime.console.session.likely.quantiles import NEVER
from shadowtime.console.session.likely.score import QUANTILES
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.ledger.errors import groups
from shadowtime.console.session.slurm.ledger.store import Ledger
from shadowtime.console.session.slurm.likely.odds import JobOdds, level_among, likely, quantile_among
from shadowtime.scenarios.slurm.accounted.records import Past
from tests.scenarios.slurm.support import NOW, number
from tests.session.slurm.captures import captured, ended, running, waiting
from tests.session.slurm.likely.test_odds import run

FULL = [running(1, ("n1", "n2"), NOW - 60), running(2, ("n3", "n4"), NOW - 300)]
LATER = NOW + 10_000_000
SLURM = {"start_time": number(NOW + 700)}
ENDS = (10, 20, 50, 100, 150, 200, 400)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """An empty ledger."""
    found = Ledger(tmp_path / "ledger.sqlite")
    yield found
    found.close()


def odds(now: int, ends: tuple[int, ...] = ENDS) -> JobOdds:
    """Odds that end so many seconds after an instant."""
    return JobOdds(tuple(now + end for end in ends), 100)


def accounted(board: Board, *runs: tuple[int, int, int]) -> Board:
    """A capture whose accounting has runs: the job, its submission and its start."""
    past = Past(
        tuple(
            attrs.evolve(run(job, 0, None), submit=submit, eligible=submit, start=start)
            for job, submit, start in runs
        )
    )
    return attrs.evolve(board, capture=attrs.evolve(board.capture, past=past))


def test_levels_and_quantiles_are_each_others_inverse() -> None:
    """Between the outermost quantiles; equal ones share the middle of their levels."""
    random = Random(1)
    for _ in range(200):
        ends = sorted(random.sample(range(1000), len(QUANTILES)))
        value = random.uniform(ends[0], ends[-1])
        assert quantile_among(ends, level_among(ends, value)) == pytest.approx(value)
    assert [level_among(ENDS, at) for at in (0, 10, 35, 400, 401)] == pytest.approx(
        [0.025, 0.05, 0.175, 0.95, 0.975]
    )
    assert level_among((1, 1, 1, 2, 2, NEVER, NEVER), 1) == pytest.approx(0.15)
    assert level_among((1, 1, 1, 2, 2, NEVER, NEVER), 3) == pytest.approx(0.825)
    assert quantile_among((1, 1, 1, 2, 2, NEVER, NEVER), 0.8) == NEVER
    assert [quantile_among(ENDS, level) for level in (0.01, 0.5, 0.99)] == [10, 100, 400]


def test_odds_are_kept_as_sampled_and_as_shown(ledger: Ledger, tmp_path: Path) -> None:
    """Without outcomes they are the same; the accounting settles a job that no capture shows with nodes."""
    before = captured(tmp_path / "a", [*FULL, waiting(3, overlay=SLURM), waiting(4)])
    ledger.add(before, LATER)
    ledger.keep_odds(before, {"3": odds(NOW), "9": odds(NOW)})
    three, four = ledger.entries(LATER)
    assert three.quantiles == tuple(NOW + end for end in ENDS) and not four.quantiles
    assert (three.early, three.likely, three.late) == (NOW + 20, NOW + 100, NOW + 200)
    submit = three.submit
    after = captured(tmp_path / "b", [], after=900)
    ledger.add(accounted(after, (3, submit, NOW + 130)), LATER)
    three, four = ledger.entries(LATER)
    assert (three.settled, three.began, three.likely_error) == ("started", NOW + 130, 30)
    assert four.settled == "gone"
    group = groups([three, four], "size")[-1]
    assert (group.odds, group.likely.median, group.ours_beside.median, group.slurm_beside.median) == (
        1, 30, 170, 570,
    )  # fmt: skip
    assert group.held == group.held_raw == 1


def test_starts_that_come_late_move_what_is_shown_and_later_ones_do_not(
    ledger: Ledger, tmp_path: Path
) -> None:
    """30 jobs start at 90 % of the samples: the median that is shown moves as far as it may."""
    shown = []
    for place in range(40):
        at = 1000 * place
        board = captured(tmp_path / f"{place}", [*FULL, waiting(100 + place)], after=at)
        begun = [
            (100 + each, entry.submit, entry.made + 200) for each, entry in enumerate(ledger.entries(LATER))
        ]
        board = accounted(board, *begun)
        ledger.add(board, LATER)
        known = ledger.known(board.cluster, board.now)
        assert known.record.settled == (place if place >= 20 else 0)
        found = attrs.evolve(odds(NOW + at), levels=known.levels)
        ledger.keep_odds(board, {f"{100 + place}": found})
        entry = list(ledger.entries(LATER))[-1]
        assert entry.likely is not None
        shown.append(entry.likely - entry.made)
    assert set(shown[:20]) == {100}
    assert shown[-1] > 125 and shown == sorted(shown)
    assert known.record.held == known.record.settled
    assert list(ledger.entries(LATER))[5].likely == NOW + 5100


def test_a_job_that_leaves_later_is_open_until_then(ledger: Ledger, tmp_path: Path) -> None:
    """20 jobs start at once, 20 others wait for an hour and are gone: in between they have not started."""
    board = captured(tmp_path / "a", [*FULL, *(waiting(10 + each) for each in range(40))])
    ledger.add(board, LATER)
    ledger.keep_odds(board, {f"{10 + each}": odds(NOW) for each in range(40)})
    begun = [
        (10 + each, entry.submit, NOW + 20) for each, entry in enumerate(list(ledger.entries(LATER))[:20])
    ]
    waits = [*FULL, *(waiting(30 + each) for each in range(20))]
    middle = accounted(captured(tmp_path / "b", waits, after=900), *begun)
    ledger.add(middle, LATER)
    before = ledger.known(middle.cluster, NOW + 1000)
    ledger.add(captured(tmp_path / "c", [*FULL], after=3600), LATER)
    entries = [entry for entry in ledger.entries(LATER) if entry.quantiles]
    assert [entry.settled for entry in entries] == ["started"] * 20 + ["gone"] * 20
    assert [entry.settled_at for entry in entries] == [NOW + 900] * 20 + [NOW + 3600] * 20
    assert ledger.known(middle.cluster, NOW + 1000) == before
    after = ledger.known(middle.cluster, NOW + 3600)
    assert after.record == before.record and after.levels[1] < before.levels[1]


def over(job: int, start: int) -> dict[str, Any]:
    """A job that has run for a minute and is still shown."""
    return ended(job, "n1", start) | {"end_time": number(start + 60)}


def test_without_an_accounting_what_the_ledger_has_seen_is_the_history(
    ledger: Ledger, tmp_path: Path
) -> None:
    """What is seen again counts once, what ends later does not; beside an accounting nothing is kept."""
    for place, first in enumerate((10, 18)):
        jobs = [*FULL, waiting(3), *(over(job, NOW - 900 + 20 * job) for job in range(first, first + 10))]
        ledger.add(captured(tmp_path / f"{place}", jobs, after=place * 600), LATER)
    later = captured(tmp_path / "later", [*FULL, waiting(3)], after=1200)
    known = ledger.known(later.cluster, later.now)
    assert known.seen is not None and [run.id for run in known.seen.jobs] == list(range(10, 28))
    assert {(run.elapsed, run.state, run.nodes, run.user) for run in known.seen.jobs} == {
        (60, "COMPLETED", 2, "ada")
    }
    found = likely(later.capture, later.now, 2, known=known)
    assert (found.seen, found.history, set(found.starts)) == (True, 18, {"3"})
    assert likely(later.capture, later.now, 2).history == 0
    before = ledger.known(later.cluster, NOW - 600)
    assert before.seen is not None and len(before.seen.jobs) == 3
    ledger.add(accounted(captured(tmp_path / "c", [*FULL, over(40, NOW)], after=1300)), LATER)
    assert ledger.seen(later.cluster, LATER) == known.seen


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_ledger_of_before_is_read_and_goes_on(tmp_path: Path, version: int) -> None:
    """Format 1 had no odds, 2 no runs, and 3 no instants of settling."""
    path = tmp_path / "ledger.sqlite"
    ledger = Ledger(path)
    board = captured(tmp_path / "a", [*FULL, waiting(3)])
    ledger.add(board, LATER)
    ledger.close()
    base = sqlite3.connect(path)
    base.execute("alter table forecasts drop column settled_at")
    if version < 3:
        base.execute("drop table runs")
    if version < 2:
        for column in (*(f"p{round(100 * level):02}" for level in QUANTILES), "early", "likely", "late"):
            base.execute(f"alter table forecasts drop column {column}")
    base.execute(f"pragma user_version = {version}")
    base.commit()
    base.close()
    again = Ledger(path)
    (entry,) = again.entries(LATER)
    assert entry.job == "3" and entry.likely is None
    again.keep_odds(board, {"3": odds(NOW)})
    (entry,) = again.entries(LATER)
    assert entry.likely == NOW + 100
    again.add(captured(tmp_path / "b", [], after=60), LATER)
    (entry,) = again.entries(LATER)
    assert (entry.settled, entry.settled_at) == ("gone", NOW + 60)
    again.close()
