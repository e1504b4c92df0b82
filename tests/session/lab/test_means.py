"""A study of one's own: means, and what differs from one of them."""

import csv
import io
import json
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from shadowtime.console.session.lab.cells import cells_of
from shadowtime.console.session.lab.intervals import Value, holm, mean_over, p_value, paired_p
from shadowtime.console.session.lab.judging.means import Sense, sense_of, tabled
from shadowtime.console.session.lab.report import as_data
from shadowtime.console.session.lab.simulate import run_cell
from shadowtime.console.session.lab.store import Store
from shadowtime.console.session.lab.tables import write_cells
from shadowtime.console.widgets.study.page import study_page
from shadowtime.console.widgets.study.plots import chart_of
from tests.commandline import ROOT
from tests.session.lab.support import SMALL, MeanWaits, experiment_of, given, judged

STUDY = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "experiments.md").read_text(), flags=re.DOTALL)[0]


def seeds(*numbers: float) -> Value:
    """The mean of runs of the seeds 0, 1, ..."""
    return mean_over({str(seed): number for seed, number in enumerate(numbers)})


def test_differences_are_of_common_seeds(tmp_path: Path) -> None:
    """Each seed of one policy beside the same seed of another."""
    study = experiment_of(tmp_path, STUDY)
    assert (study.paper, study.publication) == ("", "")
    found = tabled(
        study, study.means[0], MeanWaits({"easy": 100, "conservative": 101, "fcfs": 300}, times=True)
    )
    values = {(value.row, value.column): value for value in found.values}
    expected = mean_over({str(seed): float(300 * seed - 100 * seed) for seed in range(1, 21)}, 0.95)
    assert values["0.6", "fcfs"].apart == expected
    assert [values["0.9", policy].sense for policy in ("easy", "conservative", "fcfs")] == [
        None,
        Sense.UNDECIDED,
        Sense.MORE,
    ]
    assert tabled(study, study.means[0], given({})).values == ()


def test_what_is_within_its_interval_is_undecided() -> None:
    """So is what is within 1 %."""
    assert sense_of(seeds(1.0, 2.0, 3.0), seeds(2.0, 3.0, 4.0)) is Sense.LESS
    assert sense_of(seeds(1.0, 9.0, 3.0), seeds(2.0, 3.0, 4.0)) is Sense.UNDECIDED
    assert sense_of(Value(100.0), Value(100.9)) is Sense.UNDECIDED
    assert sense_of(Value(100.0), Value(98.0)) is Sense.MORE
    assert sense_of(Value(100.0), Value(50.0, 1.0)) is Sense.UNDECIDED


def test_single_runs_have_no_verdict_and_what_has_no_value_is_named(tmp_path: Path) -> None:
    """The difference of two single runs has no interval; a column without any value is no silence."""
    study = experiment_of(tmp_path, STUDY.replace("from = 1\nto = 20", "from = 1\nto = 1"))
    (means,) = study.means
    found = tabled(study, means, given({"easy": 100, "conservative": 200}))
    assert {value.sense for value in found.values} == {None, Sense.NO_INTERVAL}
    assert {value.apart.half for value in found.values if value.apart is not None} == {None}
    assert found.without == ("fcfs",)


def test_what_is_shaken_has_no_p(tmp_path: Path) -> None:
    """Its differences are beyond the noise or within it; they are no sample of other jobs."""
    study = experiment_of(tmp_path, STUDY.replace('"workload.seed"', '"workload.shake.seed"'))
    waits = {"easy": 100.0, "conservative": 100.5, "fcfs": 300.0}
    found = tabled(study, study.means[0], lambda scenario: given(waits)(shaken_as_seed(scenario)))
    assert [value.sense for value in found.values][:3] == [None, Sense.WITHIN, Sense.BEYOND]
    assert {value.p for value in found.values} == {None}


def shaken_as_seed(scenario: Mapping[str, object]) -> Mapping[str, object]:
    """The same scenario with the seed of its shaking as that of its model."""
    workload = scenario["workload"]
    assert isinstance(workload, Mapping)
    return {**scenario, "workload": {**workload, **workload["shake"]}}


def test_several_questions_are_decided_together() -> None:
    """Of Student's t, 2.093 and 2.131 are the bounds of 5 % with 19 and 15 degrees of freedom; Holm 1979."""
    assert p_value(2.093, 19) == pytest.approx(0.05, rel=1e-3)
    assert p_value(-2.131, 15) == pytest.approx(0.05, rel=1e-3)
    assert (p_value(1.0, 1), p_value(4.3027, 2)) == pytest.approx((0.5, 0.05), rel=1e-4)
    assert p_value(2.228, 10) == pytest.approx(0.05, rel=1e-3)
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert paired_p(seeds(1.0, 2.0, 3.0)) == pytest.approx(p_value(2 * 3**0.5, 2))
    assert (paired_p(seeds(2.0, 2.0)), paired_p(seeds(0.0, 0.0)), paired_p(Value(1.0))) == (0.0, 1.0, None)


def test_a_level_widens_the_interval(tmp_path: Path) -> None:
    """The quantiles of Student's t with 19 degrees of freedom are 2.093 (95 %) and 2.861 (99 %)."""
    waits = MeanWaits({"easy": 100, "conservative": 101, "fcfs": 300}, times=True)
    halves = []
    for line in ("", "level = 0.99\n"):
        study = experiment_of(tmp_path, STUDY + line)
        halves.append(tabled(study, study.means[0], waits).values[2].apart)
    usual, wide = (value.half for value in halves if value is not None and value.half)
    assert wide / usual == pytest.approx(2.861 / 2.093, rel=1e-3)


def test_a_plot_of_a_study_has_the_level_of_its_tables(tmp_path: Path) -> None:
    """With four seeds the interval is 3.182 / 2.353 of that at 90 %; of a paper's figure it is the latter."""
    text = SMALL.replace("sizes.mean_wait", "mean_wait").replace('x = "size"\nlines', "x")
    own = experiment_of(tmp_path, text.replace('paper = "A & B 2000, Table 1"\n', ""))
    papers = experiment_of(tmp_path, text)
    halves = []
    for study in (own, papers):
        chart = chart_of(study, study.plots[0], given({"easy": 100, "fcfs": 300, "order": 200}))
        assert chart is not None
        halves.append(chart.series[0].dots[0].half)
    assert halves[0] / halves[1] == pytest.approx(3.182 / 2.353, rel=2e-3)


def test_a_study_has_a_page_and_no_rows(tmp_path: Path) -> None:
    """The page has the table, with the intervals; JSON has the numbers; cells are tidy."""
    study = experiment_of(tmp_path, STUDY)
    lookup = given({"easy": 100, "conservative": 200, "fcfs": 300})
    found = judged(study, lookup)
    page = study_page([found], lookup)
    assert '<td class="name">0.9</td><td class="name">fcfs</td><td>310.5 ± ' in page
    (data,) = as_data([found])
    assert data["rows"] == []
    _, cell = next(iter(cells_of([study])))
    store = Store(tmp_path)
    store.take(cell, run_cell(cell.text))
    results = json.loads(run_cell(cell.text))
    write_cells(tidy := io.StringIO(), store, study)
    rows = list(csv.DictReader(io.StringIO(tidy.getvalue())))
    assert {(row["policy"], row["load"], row["seed"]) for row in rows} == {("easy", "0.6", "1")}
    (wait,) = [row["value"] for row in rows if row["measure"] == "mean_wait"]
    assert float(wait) == results["metrics"]["mean_wait"]
