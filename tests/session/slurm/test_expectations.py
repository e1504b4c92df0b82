"""The expected plan of a captured folder: what holds, what fails, and what is no plan."""

import csv
import shutil
from pathlib import Path

import pytest

from shadowtime.console.session.slurm import check_plan, forecast, write_rows
from shadowtime.console.words.cluster.caveats import caveat
from shadowtime.scenarios import ScenarioError, cluster_folders
from shadowtime.scenarios.slurm import read_capture
from tests.oracles.slurm.cycle import plan
from tests.oracles.slurm.recorded import written


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the first shipped cluster."""
    return Path(shutil.copytree(cluster_folders()[0], tmp_path / "copy"))


@pytest.mark.parametrize("folder", cluster_folders(), ids=lambda folder: folder.name)
def test_the_plan_of_a_shipped_cluster_is_that_of_the_naive_program(folder: Path) -> None:
    """Row by row; and the checked rows are as many, and hold."""
    with (folder / "plan.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    capture = read_capture(folder)
    naive = plan(capture, capture.taken)
    assert [written(row)[:6] for row in naive] == [
        tuple(row[name] for name in ("job_id", "partition", "reservation", "outcome", "start", "end"))
        for row in rows
    ]
    found = check_plan(folder)[0]
    assert len(found) == len(rows) == len(naive) and all(outcome.passed for outcome in found)


def test_a_row_that_differs_fails(copy: Path) -> None:
    """With its line, what was expected and what was found; rows too many or too few fail, too."""
    path = copy / "plan.csv"
    lines = path.read_text().splitlines(keepends=True)
    changed = lines[3].replace(",planned,", ",started,")
    path.write_text("".join([*lines[:3], changed, *lines[4:]]))
    failed = [outcome for outcome in check_plan(copy)[0] if not outcome.passed]
    assert [(outcome.line, outcome.expected, outcome.found) for outcome in failed] == [
        (4, "outcome started", "outcome planned")
    ]
    path.write_text("".join(lines[:-1]))
    failed = [outcome for outcome in check_plan(copy)[0] if not outcome.passed]
    assert [outcome.expected for outcome in failed] == ["no row"]
    path.write_text("".join([*lines, lines[-1]]))
    failed = [outcome for outcome in check_plan(copy)[0] if not outcome.passed]
    assert [outcome.found for outcome in failed] == ["no row"]


def test_a_plan_as_it_is_written_now_or_was_before_is_read(copy: Path) -> None:
    """The columns behind the note came one after the other; another order is none of a plan."""
    path, found = copy / "plan.csv", forecast(copy)
    path.unlink()
    write_rows(found, str(path), caveat)
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    for count in (len(rows[0]), rows[0].index("marks") + 1, rows[0].index("marks")):
        with path.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream).writerows(row[:count] for row in rows)
        outcomes = check_plan(copy)[0]
        assert len(outcomes) == len(found.rows) and all(outcome.passed for outcome in outcomes)
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([*row[:10], *reversed(row[10:])] for row in rows)
    with pytest.raises(ScenarioError):
        check_plan(copy)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "order\n",
        "\x00",
        '"',
        "order,job_id,partition,reservation,priority,outcome,start,end,nodes,note\n1\n",
    ],
)
def test_what_is_no_plan_is_one_line(copy: Path, text: str) -> None:
    """It names the file."""
    (copy / "plan.csv").write_text(text)
    with pytest.raises(ScenarioError) as caught:
        check_plan(copy)
    line = str(caught.value)
    assert line.startswith(f"{copy / 'plan.csv'}") and "\n" not in line


def test_without_a_plan_nothing_is_expected(copy: Path) -> None:
    """Any captured folder may have one."""
    (copy / "plan.csv").unlink()
    assert check_plan(copy)[0] == ()
