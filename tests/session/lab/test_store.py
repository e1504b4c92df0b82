"""Results on disk while others use them too, damaged ones, the workers' ends, and claims of every kind."""

import json
from collections.abc import Mapping
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import attrs
import pytest

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.lab.cells import Cell, cell_of
from shadowtime.console.session.lab.frames import frame_of
from shadowtime.console.session.lab.judging.claims import judge_claim
from shadowtime.console.session.lab.judging.tables import judge_table
from shadowtime.console.session.lab.judging.verdicts import ClaimFound, Verdict
from shadowtime.console.session.lab.measures import Results
from shadowtime.console.session.lab.report import not_run
from shadowtime.console.session.lab.simulate import run_cell
from shadowtime.console.session.lab.store import Store
from shadowtime.console.session.lab.work import ANOTHER, work
from shadowtime.scenarios.experiment import Derived, Experiment
from tests.session.lab.support import experiment_of, given
from tests.session.lab.test_measures import numbers


@pytest.fixture
def experiment(tmp_path: Path) -> Experiment:
    """An experiment of twelve small cells."""
    return experiment_of(tmp_path)


def small(seed: int = 1) -> Cell:
    """A cell of five jobs."""
    workload = {"model": "feitelson96", "jobs": 5, "seed": seed}
    return cell_of({"machine": {"nodes": 4}, "workload": workload})


def test_a_log_of_ones_own_that_changes_is_another_cell(tmp_path: Path) -> None:
    """Its contents count, wherever it lies; a log of the archive stays as it is."""
    log = tmp_path / "mine.swf"
    log.write_text("1")
    keys = [cell_of({"workload": {"log": str(log)}}).key for _ in range(2)]
    log.write_text("22")
    assert keys[0] == keys[1] != cell_of({"workload": {"log": str(log)}}).key
    assert cell_of({"workload": {"log": "KTH"}}).key == cell_of({"workload": {"log": "KTH"}}).key


def test_who_has_something_else_simulates_nothing(tmp_path: Path) -> None:
    """A worker whose policies, log or version are others would keep its numbers under the caller's key."""
    cell = attrs.evolve(small(), key="0" * 24)
    (failure,) = work([cell], Store(tmp_path))
    assert failure.reason == ANOTHER
    assert not Store(tmp_path).has(cell)


def test_what_another_process_is_writing_stays(tmp_path: Path) -> None:
    """A file that was begun belongs to who began it, as long as that one writes; then it is swept away."""
    folder = tmp_path / "results"
    folder.mkdir()
    with suppress(KeyboardInterrupt), written_whole(folder / "a.json"):
        (begun,) = folder.iterdir()
        left = folder / f".b.json.{'0' * 16}.part"
        left.write_text("half")
        Store(tmp_path)
        assert list(folder.iterdir()) == [begun]
        raise KeyboardInterrupt
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("damage", [b"", b"\xff\xfe\x00", b"{}\n", b"[1]\n", b'{"metrics": 5}\n', b"cut"])
def test_a_damaged_result_is_simulated_again(damage: bytes, tmp_path: Path) -> None:
    """Whatever happened to the file: JSON of another shape, too."""
    store, cell = Store(tmp_path), small()
    work([cell], store)
    (path,) = (tmp_path / "results").glob("*.json")
    whole = path.read_bytes()
    path.write_bytes(whole[:100] if damage == b"cut" else damage)
    assert not store.has(cell)
    assert store.read(cell) is None
    assert work([cell], store) == []
    assert path.read_bytes() == whole
    assert store.read(cell) == json.loads(run_cell(cell.text))


@pytest.mark.parametrize("line", ["[1]", "null", "cut", "[" * 10_000])
def test_a_result_that_was_made_up_is_none(line: str, tmp_path: Path) -> None:
    """Although its sum is right."""
    store, cell = Store(tmp_path), small()
    store.take(cell, line)
    assert store.read(cell) is None


def test_a_thousand_processes_are_as_many_as_there_are_processors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On one processor none is started at all."""
    monkeypatch.setattr("shadowtime.console.session.lab.work.os.cpu_count", lambda: 1)
    monkeypatch.setattr("shadowtime.console.session.lab.work.ProcessPoolExecutor", None)
    assert work([small(1), small(2)], Store(tmp_path), jobs=999) == []
    assert len(list((tmp_path / "results").glob("*.json"))) == 2


def test_why_a_cell_fails_is_the_same_every_time(tmp_path: Path) -> None:
    """Without the file in which it was simulated."""
    bad = cell_of({"machine": {"nodes": 4}, "workload": {"model": "feitelson96", "jobs": -5}})
    (one,), (two,) = work([bad], Store(tmp_path)), work([bad], Store(tmp_path))
    assert one == two
    assert one.reason.startswith("jobs is -5")


class _Dying:
    """A pool whose processes are killed."""

    def __init__(self, *_: object, **__: object) -> None:
        self.closed = False

    def submit(self, *_: object) -> None:
        """Nobody is there to do it."""
        raise BrokenProcessPool("A process in the process pool was terminated abruptly")

    def shutdown(self, **_: object) -> None:
        """Nothing is left to end."""


def test_a_process_that_is_killed_is_reported_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what to do about it; it is no fault of ours."""
    monkeypatch.setattr("shadowtime.console.session.lab.work.os.cpu_count", lambda: 2)
    monkeypatch.setattr("shadowtime.console.session.lab.work.ProcessPoolExecutor", _Dying)
    with pytest.raises(SessionError, match=r"was killed .* with fewer --jobs"):
        work([small(1), small(2)], Store(tmp_path), jobs=2)


def judged(experiment: Experiment, waits: Mapping[str, float], **kind: object) -> ClaimFound:
    """A claim of that kind about these mean waits of three policies."""
    claim = attrs.evolve(experiment.claims[0], order=(), **kind)  # type: ignore[arg-type]
    return judge_claim(experiment, claim, given(waits))


def test_the_least_and_the_greatest(experiment: Experiment) -> None:
    """Each other value is a comparison; those that are named, where some are."""
    waits = {"easy": 10, "fcfs": 20, "order": 5}
    least = judged(experiment, waits, least="order")
    assert (least.verdict, least.held, least.cases) == (Verdict.REPRODUCED, 2, 2)
    wrong = judged(experiment, waits, least="easy")
    assert (wrong.held, wrong.cases, wrong.failing) == (1, 2, ("easy 12.50 ± 1.519, order 7.500 ± 1.519",))
    assert judged(experiment, waits, least="easy", among=("fcfs",)).verdict is Verdict.REPRODUCED
    assert judged(experiment, waits, greatest="fcfs").held == 2
    assert judged(experiment, waits, greatest="easy").held == 1
    equal = {"easy": 10, "fcfs": 10, "order": 10}
    assert judged(experiment, equal, least="order").held == 0


def test_values_above_and_below_a_number(experiment: Experiment) -> None:
    """With the whole interval; one that the number lies in is undecided."""
    waits = {"easy": 10, "fcfs": 20, "order": 3}
    between = judged(experiment, waits, above=8, below=22.5)
    assert (between.held, between.cases, between.failing) == (1, 2, ("order 5.500 ± 1.519",))
    assert judged(experiment, waits, above=8, among=("easy", "fcfs")).verdict is Verdict.REPRODUCED
    assert judged(experiment, {}, above=8).verdict is Verdict.NO_DATA


def test_a_value_of_which_the_interval_leaves_the_band_is_undecided(experiment: Experiment) -> None:
    """The distance that is shown is that of the means."""
    near = judge_table(experiment, experiment.tables[0], given({"easy": 997.5, "fcfs": 1997.5}))
    assert near.finding == "within 0.1 %"
    one = attrs.evolve(experiment.tables[0], values={("", "easy"): Decimal(1000)})
    wide = judge_table(experiment, one, given({"easy": 1198.5}))
    assert (wide.lines[0].verdict, wide.finding) == (
        Verdict.UNDECIDED,
        "0 of 1 within 20 %, the worst 20.1 % off",
    )


def test_what_jobs_ask_for_and_their_slowdowns() -> None:
    """Four jobs of one node that come together on one of two nodes, worked out by hand."""
    jobs = ((100, 3600), (200, 10_800), (300, 10_800), (400, 100_000))
    rows = "".join(
        f"[[job]]\nid = {place}\nsize = 1\nsubmit = 0\nruntime = {runtime}\nestimate = {estimate}\n"
        for place, (runtime, estimate) in enumerate(jobs, start=1)
    )
    results: Results = json.loads(
        run_cell(f'title = "T"\nmachine = {{nodes = 2}}\npolicy = {{name = "fcfs"}}\n{rows}')
    )
    assert numbers(results, "requests.jobs") == {"1": 0.25, "3": 0.5, "over 24": 0.25}
    assert numbers(results, "requests.below_twenty_fifth") == {"1": 1, "3": 1, "over 24": 1}
    # Responses 100, 200, 400 and 600: slowdowns of 1, 1, 4/3 and 3/2.
    slowdowns = numbers(results, "slowdowns.plain")
    assert [slowdowns[most] for most in ("1.1", "1.2", "1.5", "2")] == [0.5, 0.5, 1, 1]
    assert numbers(results, "slowdowns.bounded") == slowdowns
    assert numbers(results, "workload.above_nine_tenths") == {"": 0}


def test_the_areas_of_jobs_are_by_what_they_took_and_asked_for() -> None:
    """In node-seconds, by class of sizes and by each size, in the order of numbers."""
    keys = ("id", "submit", "size", "runtime", "estimate")
    rows = ((1, 0, 4, 100, 300), (2, 0, 4, 10, 20), (3, 0, 2, 7, 7), (4, 0, 16, 1, 9), (5, 0, 3, 5, 5))
    jobs = "\n".join(
        "[[job]]\n" + "\n".join(f"{key} = {value}" for key, value in zip(keys, row, strict=True))
        for row in rows
    )
    head = 'title = "T"\nmachine = {nodes = 16}\npolicy = {name = "easy"}\n'
    results = json.loads(run_cell(head + jobs))
    assert numbers(results, "sizes.area") == {"2": 14, "3-4": 455, "9-16": 16}
    assert numbers(results, "sizes.estimated_area") == {"2": 14, "3-4": 1295, "9-16": 144}
    assert list(numbers(results, "widths.jobs").items()) == [("2", 1), ("3", 1), ("4", 2), ("16", 1)]
    assert numbers(results, "widths.area") == {"2": 14, "3": 15, "4": 440, "16": 16}
    assert numbers(results, "widths.estimated_area") == {"2": 14, "3": 15, "4": 1280, "16": 144}


def test_how_a_missing_log_can_be_had() -> None:
    """Fetched where the archive has it; what is no log of the archive is not offered to be fetched."""
    assert not_run("KTH-SP2-1996-2.1-cln.swf", 2) == (
        "2 cells for want of the log KTH-SP2-1996-2.1-cln.swf "
        "(shadowtime fetch KTH-SP2-1996-2.1-cln, or --traces)"
    )
    assert not_run("HPC2N-2002-2.partial.swf", 1) == (
        "1 cell for want of the log HPC2N-2002-2.partial.swf (no log of the archive: only by --traces)"
    )


def test_values_between_two_others(experiment: Experiment) -> None:
    """Whichever of the two has the less; what is equal to one of them is not between."""
    waits = {"easy": 10, "fcfs": 20, "order": 5}
    for ends in (("order", "fcfs"), ("fcfs", "order")):
        found = judged(experiment, waits, between=ends)
        assert (found.verdict, found.held, found.cases) == (Verdict.REPRODUCED, 1, 1)
    outside = judged(experiment, waits, between=("easy", "fcfs"))
    assert (outside.held, outside.cases, outside.failing[0].split(" ")[0]) == (0, 1, "order")
    assert judged(experiment, {**waits, "easy": 5}, between=("order", "fcfs")).held == 0


def test_the_extremes_along_an_axis_and_their_spread(experiment: Experiment) -> None:
    """Over the seeds of each policy; the spread is by how many per cent the greatest exceeds the least."""
    waits = {"easy": 10, "fcfs": 20, "order": 5}
    view = attrs.evolve(experiment.claims[0].view, average=None)
    grid = experiment.grids[view.grid]

    def found(kind: str) -> list[float]:
        derived = Derived(kind, "seed")
        frame = frame_of(grid, attrs.evolve(view, derived=derived), given(waits))
        assert frame.axes == ("policy",)
        return [frame.values[(name,)].mean for name in waits]

    least, greatest = found("least"), found("greatest")
    spread = [100 * (high / low - 1) for low, high in zip(least, greatest, strict=True)]
    assert all(high > low for low, high in zip(least, greatest, strict=True))
    assert found("spread") == spread
    assert found("count") == [4.0, 4.0, 4.0]
    # The seeds add 1 to 4 to each.
    assert found("deviation") == pytest.approx([1.25**0.5] * 3)


def test_what_is_left_out_and_who_wins_what_share(experiment: Experiment) -> None:
    """Of four seeds, which add their numbers, one is left out."""
    view = attrs.evolve(experiment.claims[0].view, average=None)
    grid, results = experiment.grids[view.grid], given({"easy": 10, "fcfs": 20, "order": 5})

    def found(derived: Derived) -> dict[tuple[str, ...], float]:
        frame = frame_of(grid, attrs.evolve(view, derived=derived), results)
        return {key: value.mean for key, value in frame.values.items()}

    assert found(Derived("greatest", "seed", skip=("4",)))["easy",] == 13
    assert found(Derived("count", "seed", skip=("4", "5")))["fcfs",] == 3
    won = found(Derived("won_share", "seed", "policy", skip=("1",)))
    assert won == {("easy",): 0.0, ("fcfs",): 0.0, ("order",): 1.0}
    assert found(Derived("excess_max", "seed", "policy", ("easy", "fcfs"))) == {(): 10.0}
