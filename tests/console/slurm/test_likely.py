"""Likely starts in the console over a cluster: they come by themselves, and the ledger keeps them."""

import re
from collections.abc import Awaitable, Callable
from datetime import UTC
from pathlib import Path

import pytest

from shadowtime.console.clock import duration
from shadowtime.console.screens.slurm.screen import ClusterScreen
from shadowtime.console.session.facts import TrackRecord
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.slurm.ledger.odds import SAMPLES
from shadowtime.console.session.slurm.ledger.store import Ledger, ledger_path
from shadowtime.console.session.slurm.likely.odds import likely
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.words.likely import trusted
from tests.commands.slurm.test_accounting import table
from tests.commands.slurm.test_likely import ROWS
from tests.console.operator import Operator, with_first
from tests.console.slurm.test_cluster_commands import screen_of
from tests.scenarios.slurm.support import NOW, write
from tests.session.slurm.captures import contents, running, waiting

JOBS = [running(1, ("n1", "n2", "n3", "n4"), NOW - 60), waiting(3)]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Job 1 runs, job 3 waits for it; the accounting has jobs of before."""
    return Folder(write(tmp_path / "cluster", contents(JOBS) | {"sacct.txt": table(*ROWS)}))


def watch(
    source: Folder, story: Callable[[Operator], Awaitable[None]], first: Board, width: int = 120
) -> None:
    """Be the operator of a console over a cluster, whose boards are kept as those of a live one are."""

    def keep(found: Board) -> None:
        raise AssertionError(found)

    with_first(story, ClusterScreen(source, first, Dates(UTC), keep=keep), (width, 36))


def column(operator: Operator) -> bool:
    """Whether the plan has likely starts."""
    return any(re.search(r"STARTS +LIKELY +9 IN 10 BY +IN", line) for line in operator.lines)


@pytest.mark.parametrize("width", [80, 120, 200])
def test_likely_starts_come_by_themselves(
    folder: Folder, width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ledger keeps them beside the forecasts of the capture; a step samples anew, and keeps nothing."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    first = board(folder.take())
    found = likely(first.capture, NOW, SAMPLES).starts["3"]
    ledger = Ledger(ledger_path())
    ledger.add(first, NOW)

    async def story(operator: Operator) -> None:
        sampling = screen_of(operator).reasons.sampling
        await operator.until(lambda: bool(sampling.odds))
        await operator.rest()
        assert sampling.odds == {"3": found} and found.likely is not None
        assert column(operator)
        likely, left = Dates(UTC).brief(found.likely, NOW), duration(found.likely - NOW)
        assert any(re.search(rf"│>.* {likely} .* {left} ", line) for line in operator.lines)
        assert trusted(TrackRecord(0, 0)) in operator.text
        before = sampling.answer
        await operator.press("n")
        await operator.until(lambda: sampling.answer is not None and sampling.answer is not before)

    watch(folder, story, first, width)
    (entry,) = ledger.entries(NOW)
    ledger.close()
    assert (entry.likely, entry.late) == (found.likely, found.late)


def test_a_screen_that_is_left_waits_for_no_samples(folder: Folder, tmp_path: Path) -> None:
    """Another board ends the wait of the one before, and begins none once the samples are stopped."""
    first = board(folder.take())
    other = board(Folder(write(tmp_path / "other", contents(JOBS, after=30))).take())

    async def story(operator: Operator) -> None:
        screen = screen_of(operator)
        sampling = screen.reasons.sampling
        before = sampling._still
        screen.captures.take(other)
        sampling.stop()
        await operator.rest()
        assert sampling._still is before

    watch(folder, story, first)


def test_a_ledger_that_cannot_be_opened_is_a_line(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the console goes on: a folder stands where the ledger should."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    ledger_path().mkdir(parents=True)

    async def story(operator: Operator) -> None:
        sampling = screen_of(operator).reasons.sampling
        await operator.until(lambda: str(ledger_path()) in operator.text.replace("\n", ""))
        assert not sampling.odds and not sampling.under_way
        await operator.press("n")

    watch(folder, story, board(folder.take()), 200)


def test_without_a_history_the_frame_says_so(tmp_path: Path) -> None:
    """And the plan has no column for it."""
    source = Folder(write(tmp_path / "cluster", contents(JOBS)))

    async def story(operator: Operator) -> None:
        sampling = screen_of(operator).reasons.sampling
        await operator.until(lambda: sampling.answer is not None)
        await operator.rest()
        assert not sampling.odds and not column(operator)
        assert operator.text.count("no history") == 2

    watch(source, story, board(source.take()))
