"""What docs/t3d.md shows is what happens: its scenario, its display and its figures."""

import io
import re
from pathlib import Path

import pytest

from shadowtime.console.lines import tell
from shadowtime.console.session import load

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/t3d.md").read_text(encoding="utf-8")


def test_the_scenario_of_the_page_runs(tmp_path: Path) -> None:
    """As it stands there, with the older limits, and without NQS: a job of 128 is loaded for 64 s."""
    found = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    as_written = found[1]
    without = re.sub(r"\[nqs\].*?\n\n", "", as_written, flags=re.DOTALL)
    texts = {
        as_written: 10 * 3600 + 64,
        as_written.replace('"after"', '"before"'): 10 * 3600 + 64,
        without: 64,
    }
    assert len(texts) == 3
    for text, start in texts.items():
        path = tmp_path / "page.toml"
        path.write_text(text, encoding="utf-8")
        simulation = load(path).simulation()
        simulation.run()
        assert list(simulation.results()["start"]) == [start]


@pytest.mark.proof
def test_the_scenarios_of_the_page_are_all_that_the_scheduler_has() -> None:
    """Every shipped file under t3d, and none that is not there."""
    listed = set(re.findall(r"^\| `([a-z0-9-]+)\.toml` \|", PAGE, re.MULTILINE))
    assert listed == {
        path.stem for path in (ROOT / "scenarios/fj97").glob("*.toml") if load(path).policy == "t3d"
    }


def test_the_display_of_the_page_is_gangsters() -> None:
    """Line for line, as it stands there."""
    out = io.StringIO()
    tell(load(ROOT / "scenarios/fj97/gangster.toml"), None, io.StringIO("g 6600\ngangster\nq\n"), out, True)
    shown = re.search(r"```text\n(.*?)```", PAGE, re.DOTALL)
    assert shown is not None
    assert shown[1].rstrip("\n") in out.getvalue()


@pytest.mark.proof
def test_the_figures_of_the_four_months_are_those_of_the_run() -> None:
    """The column `here` of the table."""
    case = load(ROOT / "scenarios/fj97/four-months.toml")
    simulation = case.simulation()
    simulation.run()
    columns, finish = case.columns, simulation.results()["finish"]
    jobs = [row for row, klass in enumerate(columns.klass) if klass == "interactive"]
    took = {row: finish[row] - columns.submit[row] for row in jobs}
    counts = [simulation.preemptions(row) for row in range(len(columns))]
    here = [
        f"{100 * sum(count > 0 for count in counts) / len(counts):.1f} %",
        f"{max(counts)}",
        f"{sum(took.values()) / sum(columns.runtime[row] for row in jobs):.2f}",
        f"{sum(took[row] / columns.runtime[row] for row in jobs) / len(jobs):.1f}",
        f"{sum(max(1, took[row] / max(10, columns.runtime[row])) for row in jobs) / len(jobs):.1f}",
    ]
    table = PAGE.partition("| in four months |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| .* \| (.*?) \| .* \|$", table, re.MULTILINE) == here
