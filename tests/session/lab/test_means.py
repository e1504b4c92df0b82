"""A study of one's own: means, and what differs from one of them."""

import csv
import io
import json
import re
from pathlib import Path

from shadowtime.console.session.lab.cells import cells_of
from shadowtime.console.session.lab.intervals import Value, mean_over
from shadowtime.console.session.lab.judging.means import Sense, sense_of, tabled
from shadowtime.console.session.lab.report import as_data
from shadowtime.console.session.lab.simulate import run_cell
from shadowtime.console.session.lab.store import Store
from shadowtime.console.session.lab.tables import write_cells
from shadowtime.console.widgets.study.page import study_page
from tests.commandline import ROOT
from tests.session.lab.support import MeanWaits, experiment_of, given, judged

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
    expected = mean_over({str(seed): float(300 * seed - 100 * seed) for seed in range(1, 9)})
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
    study = experiment_of(tmp_path, STUDY.replace("from = 1\nto = 8", "from = 1\nto = 1"))
    (means,) = study.means
    found = tabled(study, means, given({"easy": 100, "conservative": 200}))
    assert {value.sense for value in found.values} == {None}
    assert {value.apart.half for value in found.values if value.apart is not None} == {None}
    assert found.without == ("fcfs",)


def test_a_study_has_a_page_and_no_rows(tmp_path: Path) -> None:
    """The page has the table, with the intervals; JSON has the numbers; cells are tidy."""
    study = experiment_of(tmp_path, STUDY)
    lookup = given({"easy": 100, "conservative": 200, "fcfs": 300})
    found = judged(study, lookup)
    page = study_page([found], lookup)
    assert '<td class="name">0.9</td><td class="name">fcfs</td><td>304.5 ± ' in page
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
