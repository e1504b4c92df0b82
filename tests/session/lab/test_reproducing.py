"""The lab: cells, whoever simulates them, and what is made of their results."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import attrs
import pytest

from shadowtime.console.session.lab.cells import Cell, cell_of, cells_of
from shadowtime.console.session.lab.frames import Lookup, frame_of, number
from shadowtime.console.session.lab.intervals import Value, mean_of
from shadowtime.console.session.lab.judging.claims import judge_claim
from shadowtime.console.session.lab.judging.rows import headline, rows_of
from shadowtime.console.session.lab.judging.tables import judge_table
from shadowtime.console.session.lab.judging.verdicts import Found, Verdict
from shadowtime.console.session.lab.measures import Results
from shadowtime.console.session.lab.page import filled
from shadowtime.console.session.lab.reproduce import Lab
from shadowtime.console.session.lab.simulate import run_cell
from shadowtime.console.session.lab.store import Store
from shadowtime.console.session.lab.work import work
from shadowtime.console.widgets.study.page import write_report
from shadowtime.scenarios.experiment import INPUT, Absent, Citation, Experiment, Tried
from tests.session.lab.support import experiment_of, given, judged


@pytest.fixture
def experiment(tmp_path: Path) -> Experiment:
    """An experiment of twelve small cells."""
    return experiment_of(tmp_path)


def cells(experiment: Experiment) -> list[Cell]:
    """Its cells."""
    return [cell for _, cell in cells_of([experiment])]


def kept(store: Path) -> dict[str, bytes]:
    """Every file of a store by name."""
    return {path.name: path.read_bytes() for path in sorted((store / "results").iterdir())}


@pytest.mark.proof
def test_any_number_of_workers_gives_the_same(experiment: Experiment, tmp_path: Path) -> None:
    """One process or two: the same files, to the byte, and the same CSV."""
    folders = []
    for jobs in (1, 2):
        folder = tmp_path / str(jobs)
        lab = Lab((experiment,), Store(folder), jobs=jobs)
        lab.run()
        write_report(lab, [lab.found(experiment)], folder / "report")
        folders.append(folder)
    one, two = folders
    assert kept(one) == kept(two)
    assert len(kept(one)) == 24
    csv = "report/small.csv"
    assert (one / csv).read_bytes() == (two / csv).read_bytes()
    assert (one / csv).read_text().count("\n") > 12 * 20


def test_workers_of_a_cluster_give_the_same(experiment: Experiment, tmp_path: Path) -> None:
    """Two workers, which go on where a killed process stopped: the same files, to the byte."""
    distributed = pytest.importorskip("distributed", reason="the package distributed is an extra")
    work(cells(experiment), Store(tmp_path / "one"))
    with distributed.LocalCluster(
        2, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None
    ) as found:
        for part in (cells(experiment)[:5], cells(experiment)):
            assert work(part, Store(tmp_path / "two"), dask=found.scheduler_address) == []
    assert kept(tmp_path / "one") == kept(tmp_path / "two")


def test_what_is_finished_is_not_simulated_again(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what is missing, or cannot be read, is done."""
    store, done = Store(tmp_path / "s"), list[str]()
    work(cells(experiment), store)
    before = kept(tmp_path / "s")
    first, second, *_ = cells(experiment)
    (tmp_path / "s/results" / f"{first.key}.json").unlink()
    (tmp_path / "s/results" / f"{second.key}.json").write_text('{"half": ')
    assert store.read(second) is None

    def counted(text: str, traces: str | None = None) -> str:
        done.append(text)
        return run_cell(text, traces)

    monkeypatch.setattr("shadowtime.console.session.lab.work.run_cell", counted)
    work(cells(experiment), store)
    assert sorted(done) == sorted([first.text, second.text])
    assert kept(tmp_path / "s") == before


def test_a_cell_that_fails_stops_no_other(tmp_path: Path) -> None:
    """The reason is given in a line."""
    good = cell_of({"machine": {"nodes": 4}, "workload": {"model": "feitelson96", "jobs": 5}})
    bad = cell_of({"machine": {"nodes": 4}, "workload": {"model": "feitelson69", "jobs": 5}})
    store = Store(tmp_path)
    (failure,) = work([bad, good], store)
    assert "feitelson69" in failure.reason
    assert "\n" not in failure.reason
    assert store.has(good)
    assert not store.has(bad)


PROGRAM = """
import sys
from pathlib import Path
from shadowtime.console.session.lab.cells import cells_of
from shadowtime.console.session.lab.measures import MEASURES
from shadowtime.console.session.lab.store import Store
from shadowtime.console.session.lab.work import work
from shadowtime.scenarios.experiment_reader import read_experiment

if __name__ == "__main__":
    experiment = read_experiment(Path(sys.argv[1]), MEASURES)
    work([cell for _, cell in cells_of([experiment])], Store(Path(sys.argv[2])), jobs=2)
"""


@pytest.mark.proof
def test_killed_at_any_moment_nothing_finished_is_lost(experiment: Experiment, tmp_path: Path) -> None:
    """Ten kills; then the rest is done, and all is as if nothing had happened."""
    store, program = tmp_path / "killed", tmp_path / "program.py"
    program.write_text(PROGRAM)
    there = set[str]()
    for kill in range(10):
        process = subprocess.Popen(
            [sys.executable, program, experiment.path, store],
            start_new_session=True,
            cwd=Path(__file__).parents[3],
        )
        time.sleep(0.25 + 0.12 * kill)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        now = {path.name for path in (store / "results").glob("*.json")} if store.exists() else set()
        assert there <= now
        there = now
    work(cells(experiment), Store(store))
    work(cells(experiment), Store(tmp_path / "straight"))
    assert kept(store) == kept(tmp_path / "straight")


def test_dask_gives_the_same(experiment: Experiment, tmp_path: Path) -> None:
    """A cluster of two workers on this machine."""
    distributed = pytest.importorskip("distributed", reason="the package distributed is an extra")
    work(cells(experiment), Store(tmp_path / "here"))
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        work(cells(experiment), Store(tmp_path / "there"), dask=cluster.scheduler_address)
    assert kept(tmp_path / "here") == kept(tmp_path / "there")


def test_means_over_an_axis_have_intervals(experiment: Experiment) -> None:
    """Student's t: for 1, 2, 3, 4 the mean is 2.5 and half the 90 % interval 1.519."""
    table = experiment.tables[0]
    frame = frame_of(experiment.grids["g"], table.view, given({"easy": 0}))
    value = frame.at({"policy": "easy"})
    assert value is not None
    assert (value.mean, value.count) == (2.5, 4)
    assert value.half == pytest.approx(1.519, rel=0.01)
    assert mean_of([3.0]) == Value(3.0)


@pytest.mark.parametrize(
    ("easy", "fcfs", "verdicts"),
    [
        (997.5, 1997.5, [Verdict.REPRODUCED, Verdict.REPRODUCED]),
        (1195, 1620, [Verdict.REPRODUCED, Verdict.REPRODUCED]),
        (1500, 2000, [Verdict.PATTERN, Verdict.REPRODUCED]),
        (5000, 2000, [Verdict.CONTRADICTS, Verdict.REPRODUCED]),
    ],
)
def test_a_table_is_judged_by_its_band(
    easy: float, fcfs: float, verdicts: list[Verdict], experiment: Experiment
) -> None:
    """Each value has a verdict: in the band, or in the order of its row, or neither."""
    found = judge_table(experiment, experiment.tables[0], given({"easy": easy, "fcfs": fcfs}))
    assert [line.verdict for line in found.lines] == verdicts


def test_nothing_run_is_no_verdict(experiment: Experiment) -> None:
    """Neither a table nor a claim is judged without values."""
    nothing = given({})
    lines = judge_table(experiment, experiment.tables[0], nothing).lines
    assert {line.verdict for line in lines} == {Verdict.NO_DATA}
    assert judge_claim(experiment, experiment.claims[0], nothing).verdict is Verdict.NO_DATA


def test_a_claim_counts_its_cases(experiment: Experiment) -> None:
    """It holds where the values ascend in its order."""
    claim = experiment.claims[0]
    good = judge_claim(experiment, claim, given({"easy": 1, "fcfs": 2}))
    bad = judge_claim(experiment, claim, given({"easy": 2, "fcfs": 1}))
    assert (good.verdict, good.held, good.cases) == (Verdict.REPRODUCED, 1, 1)
    assert (bad.verdict, bad.failing) == (Verdict.CONTRADICTS, ("easy 4.500 ± 1.519, fcfs 3.500 ± 1.519",))


def test_a_claim_that_mostly_holds_is_a_pattern(experiment: Experiment) -> None:
    """Three of four comparisons are enough, two of four are not; one of one says nothing."""
    claim = experiment.claims[0]
    each = attrs.evolve(claim, each="seed", view=attrs.evolve(claim.view, average=None), because="one fails")

    def waits(*above: int) -> Lookup:
        fake = given({"easy": 10, "fcfs": 10})

        def results(scenario: Mapping[str, object]) -> Results | None:
            found, workload = fake(scenario), scenario["workload"]
            assert isinstance(workload, Mapping)
            more = scenario["policy"] == "fcfs" and workload["seed"] in above
            return (
                {"metrics": {"mean_wait": (20 if more else 5) if scenario["policy"] == "fcfs" else 10}}
                if found is not None
                else None
            )

        return results

    verdicts = [judge_claim(experiment, each, waits(*range(1, count + 1))) for count in (4, 3, 2)]
    assert [found.verdict for found in verdicts] == [Verdict.REPRODUCED, Verdict.PATTERN, Verdict.CONTRADICTS]
    assert [found.because for found in verdicts] == ["", "one fails", "one fails"]


def test_ties_have_no_order(experiment: Experiment) -> None:
    """Two values within 1 % of each other neither hold nor fail."""
    claim = experiment.claims[0]
    found = judge_claim(experiment, claim, given({"easy": 1008, "fcfs": 1000}))
    assert (found.verdict, found.held, found.cases) == (Verdict.UNDECIDED, 0, 0)
    found = judge_claim(experiment, claim, given({"easy": 1020, "fcfs": 1000}))
    assert (found.verdict, found.cases) == (Verdict.CONTRADICTS, 1)


def test_what_stands_in_for_the_data_agrees_or_differs(experiment: Experiment) -> None:
    """A value, and a claim: neither a hit nor a miss counts with those on the paper's own data."""
    lookup = given({"easy": 5000, "fcfs": 2000})
    table, claim = experiment.tables[0], experiment.claims[0]
    source = attrs.evolve(table.source, cause="data")
    lines = judge_table(experiment, attrs.evolve(table, source=source), lookup).lines
    assert [line.verdict for line in lines] == [Verdict.DIFFERS, Verdict.AGREES]
    assert judge_claim(experiment, attrs.evolve(claim, source=source), lookup).verdict is Verdict.DIFFERS


def test_a_published_value_between_two_readings_is_bracketed(experiment: Experiment) -> None:
    """Each reading is an axis of the grid; one of them is judged, the others stand beside it."""
    table, view = experiment.tables[0], experiment.tables[0].view
    lookup = given({"easy": 700, "fcfs": 1400, "order": 1500})
    both = attrs.evolve(
        table,
        view=attrs.evolve(view, average=None),
        columns="seed",
        readings="policy",
        values={("", "1"): Decimal(1000), ("", "2"): Decimal(3000)},
    )
    found = judge_table(experiment, both, lookup)
    assert [line.verdict for line in found.lines] == [Verdict.BRACKETED, Verdict.CONTRADICTS]
    assert (found.shown, list(found.lines[0].readings)) == ("easy", ["easy", "fcfs", "order"])
    chosen = judge_table(experiment, attrs.evolve(both, reading="fcfs", within=0.5), lookup)
    assert chosen.lines[0].verdict is Verdict.REPRODUCED


@pytest.mark.parametrize(("bound", "near"), [(None, [False, False]), ("at least", [True, False])])
def test_a_bound_limits_one_side(bound: str | None, near: list[bool], experiment: Experiment) -> None:
    """Of "more than 1000" more is near, and less is not."""
    table = attrs.evolve(experiment.tables[0], bound=bound)
    for wait, expected in zip((3000, 300), near, strict=True):
        line = judge_table(experiment, table, given({"easy": wait, "fcfs": 2000})).lines[0]
        assert line.near is expected
    below = attrs.evolve(table, bound="at most")
    assert judge_table(experiment, below, given({"easy": 300, "fcfs": 2000})).lines[0].near


def test_rows_are_counted_by_verdict_and_cause(experiment: Experiment) -> None:
    """Inputs and illustrations have no row."""
    lookup = given({"easy": 5000, "fcfs": 2000})
    tables = (judge_table(experiment, experiment.tables[0], lookup),)
    claims = (judge_claim(experiment, experiment.claims[0], lookup),)
    absent = Absent(Citation("Table 9", "none"), "private", "17", "the log is lost")
    found = Found(attrs.evolve(experiment, absent=(absent,)), tables, claims, (), 12, {}, ())
    rows = rows_of(found)
    assert [(row.item, row.verdict, row.cause) for row in rows] == [
        ("Table 1", Verdict.CONTRADICTS, "unknown"),
        ("Table 1", Verdict.REPRODUCED, None),
        ("Table 1", Verdict.CONTRADICTS, "unknown"),
        ("Table 9", Verdict.NO_DATA, "data"),
    ]
    assert {row.paper for row in rows} == {"A & B 2000"}
    assert (
        headline(rows)
        == "4 rows; 3 on the paper's data: 1 reproduced, 2 contradicts (cause: 2 unknown); 1 without data"
    )
    assert headline([]) == "0 rows"
    shown = attrs.evolve(experiment.tables[0], source=attrs.evolve(experiment.source, role=INPUT))
    silent = attrs.evolve(found, tables=(judge_table(experiment, shown, lookup),), claims=())
    assert [row.item for row in rows_of(silent)] == ["Table 9"]
    page = "<!-- headline -->\nold\n<!-- end -->\n"
    assert "| A & B 2000 | 4 | 1 | 0 | 0 | 0 | 2 | 0 | 0 | 1 | 0.5 of 3 |" in filled(
        page, [found], whole=True
    )


def test_a_page_lists_what_is_contradicted_and_what_the_data_forbid(experiment: Experiment) -> None:
    """With the readings tried for the item; only if the experiments are the whole."""
    lookup = given({"easy": 5000, "fcfs": 2000})
    table = judge_table(experiment, experiment.tables[0], lookup)
    tried = (Tried("Table 1", "as in B 1999", "4,100"), Tried("Table 8", "as in C", "3"))
    absent = Absent(Citation("Table 9", "none"), "private", "17", "the log is lost")
    found = Found(attrs.evolve(experiment, absent=(absent,), tried=tried), (table,), (), (), 12, {}, ())
    marks = "<!-- contradicted -->\nold\n<!-- end -->\n<!-- without data -->\nold\n<!-- end -->\n"
    shown = filled(marks, [found], whole=True)
    assert "### A & B 2000, Table 1\n" in shown
    assert "- Mean wait: 1 of 2, cause: unknown; " in shown
    assert "| Mean wait, easy | 1,000 | 5,002.5 ± " in shown
    assert "- tried: as in B 1999: 4,100\n" in shown and "as in C" not in shown
    assert "### A & B 2000\n\n- Table 9: private (1). the log is lost\n" in shown
    assert filled(marks, [found], whole=False) == marks


@pytest.mark.parametrize(
    ("distance", "half", "near"),
    [(200, None, True), (201, None, False), (190, 9.9, True), (190, 11, False), (0, 5000, False)],
)
def test_the_whole_interval_lies_in_the_band(
    distance: float, half: float | None, near: bool, experiment: Experiment
) -> None:
    """The band is 200 of 1000: what is noisy proves nothing, and is undecided."""
    table = attrs.evolve(experiment.tables[0], values={("", "easy"): Decimal(1000)})
    spread = {1: -1.0, 2: -1.0, 3: 1.0, 4: 1.0}
    unit = mean_of(list(spread.values())).half
    assert unit is not None
    scale = 0.0 if half is None else half / unit

    def results(scenario: Mapping[str, object]) -> Results | None:
        workload = scenario["workload"]
        assert isinstance(workload, Mapping)
        return {"metrics": {"mean_wait": 1000 + distance + scale * spread[workload["seed"]]}}

    (line,) = judge_table(experiment, table, results).lines
    assert (line.near, line.undecided) == (near, half is not None and not near)
    assert line.off == pytest.approx(distance)


def test_nothing_is_within_nothing(experiment: Experiment) -> None:
    """Distances are rounded up."""
    table = attrs.evolve(experiment.tables[0], values={("", "easy"): Decimal("1000.0")})
    found = judge_table(experiment, table, given({"easy": 997.49}))
    assert found.finding == "within 0.1 %"
    assert [number(value) for value in (3.0, 0.1028, 92.7, 6834.61, 369300.4)] == [
        "3",
        "0.103",
        "92.70",
        "6,834.6",
        "369,300",
    ]


def test_gains_are_in_per_cent_of_the_base(experiment: Experiment) -> None:
    """A wait of 75 gains 25 % over one of 100, and is near in points."""
    table = experiment.tables[0]
    view = attrs.evolve(table.view, relative_to="fcfs", average=None, fixed={"seed": "1"})
    frame = frame_of(experiment.grids["g"], view, given({"easy": 74, "fcfs": 99}))
    assert frame.at({"policy": "easy"}) == Value(25.0)
    assert frame.at({"policy": "fcfs"}) is None
    gains = attrs.evolve(table, view=view, values={("", "easy"): Decimal(24)}, within=0.02)
    found = judge_table(experiment, gains, given({"easy": 74, "fcfs": 99}))
    assert (found.lines[0].verdict, found.finding) == (Verdict.REPRODUCED, "within 1 points")


def test_the_order_beside_three_quarters_of_a_row_is_a_pattern(experiment: Experiment) -> None:
    """The order beside half of a row contradicts it."""
    values = {("", "easy"): Decimal(1000), ("", "fcfs"): Decimal(2000), ("", "order"): Decimal(3000)}
    table = attrs.evolve(experiment.tables[0], values=values)
    lines = judge_table(experiment, table, given({"easy": 5000, "fcfs": 9000, "order": 100})).lines
    assert [line.verdict for line in lines] == [Verdict.CONTRADICTS] * 3


def test_a_gain_of_the_other_sign_is_no_pattern(experiment: Experiment) -> None:
    """Whatever its order: a loss of 50 % is below a gain of 24 %, and so is what is published."""
    table = experiment.tables[0]
    view = attrs.evolve(table.view, relative_to="fcfs", average=None, fixed={"seed": "1"})
    values = {("", "easy"): Decimal(5), ("", "order"): Decimal(24)}
    gains = attrs.evolve(table, view=view, values=values, within=0.02)
    lines = judge_table(experiment, gains, given({"easy": 149, "fcfs": 99, "order": 49})).lines
    assert [line.verdict for line in lines] == [Verdict.CONTRADICTS, Verdict.PATTERN]


def test_pooled_values_count_by_their_jobs(experiment: Experiment) -> None:
    """The mean of all jobs, and not of the logs; it has no interval."""
    view = attrs.evolve(experiment.tables[0].view, weight="workload.jobs")

    def results(scenario: Mapping[str, object]) -> Results:
        workload = scenario["workload"]
        assert isinstance(workload, Mapping)
        seed = workload["seed"]
        return {"metrics": {"mean_wait": 10.0 * seed}, "workload": {"jobs": 1 if seed < 4 else 97}}

    frame = frame_of(experiment.grids["g"], view, results)
    assert frame.at({"policy": "easy"}) == Value((10 + 20 + 30 + 97 * 40) / 100)


def test_a_claim_that_is_not_judged_is_no_row(experiment: Experiment) -> None:
    """In a page its role stands in the place of a verdict."""
    claim = experiment.claims[0]
    source = attrs.evolve(claim.source, role=INPUT, cause="data")
    unjudged = attrs.evolve(experiment, tables=(), claims=(attrs.evolve(claim, source=source),))
    found = judged(unjudged, given({"easy": 2, "fcfs": 1}))
    assert rows_of(found) == ()
    page = filled("<!-- verdicts: small -->\n<!-- end -->\n", [found], whole=True)
    (row,) = re.findall(r"\| `small` \|.*", page)
    assert row.split(" | ")[2:4] == ["stand-in", "input"]


def test_a_table_of_the_page_has_the_experiments_of_its_paper(experiment: Experiment) -> None:
    """And the overviews are written if all that the page has are given."""
    found = judged(experiment, given({"easy": 5000, "fcfs": 2000}))
    marks = "<!-- headline -->\nold\n<!-- end -->\n<!-- verdicts: other -->\n<!-- end -->\n"
    assert "| `small` |" not in filled(marks, [found], whole=True)
    page = filled(marks.replace("other", "small"), [found], whole=True)
    assert "| `small` |" in page and "old" not in page


@pytest.mark.parametrize(("reading", "near"), [(None, True), ("fcfs", False)])
def test_the_reading_that_a_file_names_is_judged(
    reading: str | None, near: bool, experiment: Experiment
) -> None:
    """Without a name it is the first; the others stand beside it."""
    table = experiment.tables[0]
    several = attrs.evolve(
        table,
        view=attrs.evolve(table.view, average=None),
        columns="seed",
        readings="policy",
        reading=reading,
        values={("", "1"): Decimal(1000), ("", "4"): Decimal(1000)},
    )
    lines = judge_table(experiment, several, given({"easy": 1000, "fcfs": 300})).lines
    assert [line.near for line in lines] == [near] * 2
