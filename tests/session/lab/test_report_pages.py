"""The pages and pictures of a report: a page for each paper, each table drawn beside ours."""

import re
import sys
from pathlib import Path

import attrs
import pytest

from shadowtime.console.session.lab.folder import write_report
from shadowtime.console.session.lab.judging.rows import rows_of
from shadowtime.console.session.lab.measures import MEASURES
from shadowtime.console.session.lab.paper_page import paper_markdown
from shadowtime.console.session.lab.papers import ORDER, place_of
from shadowtime.console.session.lab.reproduce import Lab
from shadowtime.console.session.lab.store import Store
from shadowtime.scenarios.experiment import Experiment, experiment_files
from shadowtime.scenarios.experiment_reader import read_experiment
from tests.session.lab.support import MeanWaits, experiment_of, judged

TEXT = """title = "T"
paper = "Niu et al. 2012, Figure 4"
[[grid]]
name = "g"
machine = {nodes = 16}
workload = {model = "feitelson96", jobs = 40, seed = 1, load = 0.8}
[[grid.axis]]
name = "policy"
values = ["easy", "fcfs", "sjf"]
[[grid.axis]]
name = "seed"
sets = "workload.seed"
values = [1, 2, 3]

[[table]]
title = "Waits"
grid = "g"
measure = "mean_wait"
columns = "policy"
rows = "seed"
item = "Figure 2"
[table.published]
1 = {easy = 100, fcfs = 900}
2 = {easy = 200}

[[table]]
title = "Readings"
grid = "g"
measure = "mean_wait"
columns = "seed"
readings = "policy"
item = "section 4.1"
published = {1 = 300, 2 = 400}

[[claim]]
title = "EASY waits less"
grid = "g"
measure = "mean_wait"
average = "seed"
along = "policy"
order = ["easy", "fcfs"]

[[plot]]
title = "Bars of waits"
grid = "g"
measure = "mean_wait"
relative_to = "fcfs"
per_cent = true
form = "bars"
x = "seed"
lines = "policy"

[[plot]]
title = "Days"
grid = "g"
measure = "days.mean_queue_length"
fixed = {policy = "easy", seed = "1"}
form = "points"
x = "day"
against = "days.utilization"

[[absent]]
item = "abstract"
title = "What is private"
published = "17"
because = "The log is lost."

[[tried]]
item = "section 4.1"
reading = "another way"
ours = "5 and 6"
"""


WAITS = MeanWaits({"easy": 100.0, "fcfs": 200.0, "sjf": 900.0}, times=True)


@pytest.fixture
def experiment(tmp_path: Path) -> Experiment:
    """An experiment with items of a paper, in another order than the paper's."""
    return experiment_of(tmp_path, TEXT, "n12-test")


def test_a_paper_is_in_its_own_order(experiment: Experiment) -> None:
    """Each item once, with what there is of it; the head counts rows by verdict and cause."""
    page = paper_markdown("Niu et al. 2012", [judged(experiment, WAITS)], {"n12-test-table-1"})
    assert re.findall(r"^## (.*)$", page, flags=re.MULTILINE) == [
        "Abstract",
        "Figure 2",
        "Section 4.1",
        "Figure 4",
    ]
    # Seven rows: five values, a claim, and what is absent.
    assert "| Niu et al. 2012 | 7 | 3 | 3 | 0 | 0 | 0 | 0 | 0 | 1 | " in page
    assert page.count("![Waits](n12-test-table-1.svg)") == 1
    sections = dict(re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", page, flags=re.MULTILINE | re.DOTALL))
    assert "| 1 | fcfs | 900 | 200 | 0.22 | pattern |" in sections["Figure 2"]
    assert "another way: 5 and 6" in sections["Section 4.1"]
    assert "EASY waits less" in sections["Figure 4"]
    assert "Published: 17. The log is lost." in sections["Abstract"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Table 1", "Figure 3"),
        ("Table 4", "Figure 5"),
        ("Figures 3 and 4", "Table 3"),
        ("abstract", "section 1"),
        ("section 6.2.1", "Table 2"),
        ("Table 1 (KTH)", "section 6"),
        ("section 7", "somewhere"),
    ],
)
def test_items_have_a_place(one: str, other: str) -> None:
    """In the order in which Streit 2002 has them; what it does not have comes last."""
    assert place_of("Streit 2002", one) < place_of("Streit 2002", other)


def test_every_experiment_belongs_to_a_known_paper() -> None:
    """And its item is one that the paper has."""
    for path in experiment_files():
        experiment = read_experiment(path, MEASURES)
        assert experiment.publication in ORDER, path
        place, _ = place_of(experiment.publication, experiment.source.item)
        assert place < len(ORDER[experiment.publication].split(", ")), path


def test_a_report_has_a_page_for_each_paper(experiment: Experiment, tmp_path: Path) -> None:
    """The index lists it before the experiments; every picture that a page shows is there, twice alike."""
    pytest.importorskip("matplotlib", reason="the package matplotlib is an extra")
    lab = Lab((experiment,), Store(tmp_path / "store"))
    lab.run()
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        assert write_report(lab, [lab.found(experiment)], folder) == ""
    one, two = folders
    index = (one / "README.md").read_text()
    assert index.index("[Niu et al. 2012](paper-n12") < index.index("[T](n12-test")
    page = (one / "paper-n12").with_suffix(".md").read_text()
    pictures = re.findall(r"!\[.*?\]\((.*?)\.svg\)", page)
    assert sorted(pictures) == ["n12-test-1", "n12-test-2", "n12-test-table-1", "n12-test-table-2"]
    for name in pictures:
        svg = (one / f"{name}.svg").read_bytes()
        assert svg == (two / f"{name}.svg").read_bytes()
        assert (one / f"{name}.png").stat().st_size > 5_000
    assert rows_of(lab.found(experiment))


def test_a_report_without_matplotlib_has_no_pictures(
    experiment: Experiment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The pages are there all the same, and the reason is returned."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    lab = Lab((experiment,), Store(tmp_path / "store"))
    lab.run()
    assert "shadowtime[plots]" in write_report(lab, [lab.found(experiment)], tmp_path / "report")
    assert not list((tmp_path / "report").glob("*.svg"))
    assert "![" not in (tmp_path / "report/paper-n12").with_suffix(".md").read_text()


def test_bars_and_marks_have_the_height_of_their_values(
    experiment: Experiment, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Published, ours and other readings; what is in per cent of a base is 100 less its gain."""
    pytest.importorskip("matplotlib", reason="the package matplotlib is an extra")
    from shadowtime.console.session.lab import pairs, plots

    figures: list[tuple[list[float], list[float]]] = []

    def keep(figure: object, folder: Path, name: str) -> None:
        axes = figure.axes[0]  # type: ignore[attr-defined]
        bars = [bar.get_height() for bar in axes.patches]
        marks = [float(y) for points in axes.collections for _, y in points.get_offsets()]
        figures.append((bars, marks))

    monkeypatch.setattr(pairs, "save", keep)
    monkeypatch.setattr(plots, "save", keep)
    found = judged(experiment, WAITS)
    assert pairs.draw_pairs(found.tables[0], tmp_path, "a")
    assert pairs.draw_pairs(found.tables[1], tmp_path, "b")
    assert plots.draw(experiment, experiment.plots[0], WAITS, tmp_path, "c")
    assert sorted(figures[0][0]) == [100, 100, 200, 200, 200, 900]
    assert (sorted(figures[1][0]), sorted(figures[1][1])) == ([100, 200, 300, 400], [200, 400, 900, 1800])
    assert figures[2][0] == pytest.approx([50.0] * 3 + [450.0] * 3)
    stacked = attrs.evolve(experiment.plots[0], form="stacked", per_cent=False)
    stacked = attrs.evolve(stacked, view=attrs.evolve(stacked.view, relative_to=None))
    assert plots.draw(experiment, stacked, WAITS, tmp_path, "e")
    assert figures[3][0] == [100, 200, 300, 200, 400, 600, 900, 1800, 2700]
    empty = attrs.evolve(found.tables[0], lines=())
    assert not pairs.draw_pairs(empty, tmp_path, "d")


def test_published_values_are_marked_on_the_lines(experiment: Experiment) -> None:
    """Of the table with the axes and the measure of the plot; of no other."""
    from shadowtime.console.session.lab.plots import published

    plot = attrs.evolve(experiment.plots[0], form="lines", per_cent=False)
    assert published(experiment, plot) == {}
    plot = attrs.evolve(plot, view=attrs.evolve(plot.view, relative_to=None))
    assert published(experiment, plot) == {"easy": {"1": 100, "2": 200}, "fcfs": {"1": 900}}
    assert published(experiment, attrs.evolve(plot, lines=None)) == {}
