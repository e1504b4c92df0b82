"""The page of a report: a part a paper, strips of dots, every published value beside ours, charts."""

import re
import xml.etree.ElementTree as Tree
from html.parser import HTMLParser
from pathlib import Path

import attrs
import pytest

from shadowtime.console.session.lab.measures import MEASURES
from shadowtime.console.session.lab.papers import ORDER, place_of
from shadowtime.console.session.lab.reproduce import Lab
from shadowtime.console.session.lab.store import Store
from shadowtime.console.widgets.study.axis import Axis
from shadowtime.console.widgets.study.chart import Chart, Dot, Series
from shadowtime.console.widgets.study.page import PAGE, study_page, write_report
from shadowtime.console.widgets.study.plots import chart_of, published
from shadowtime.console.widgets.study.strip import strip
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
    """Each item once, with what there is of it; the head counts rows by verdict."""
    bars = attrs.evolve(experiment, plots=experiment.plots[:1])
    page = study_page([judged(bars, WAITS)], WAITS)
    assert re.findall(r"<h3>(.*?)</h3>", page) == ["Abstract", "Figure 2", "Section 4.1", "Figure 4"]
    # Seven rows: five values, a claim, and what is absent.
    counts = re.findall(r"<td>(\d+)</td>", page.partition("</table>")[0])
    assert counts == ["7", "3", "3", "0", "0", "0", "0", "0", "1"]
    sections = dict(re.findall(r"<h3>(.*?)</h3>(.*?)(?=<h3>|\Z)", page, flags=re.DOTALL))
    assert "<td>900 / 200≈</td>" in sections["Figure 2"]
    assert "another way: 5 and 6" in sections["Section 4.1"]
    assert "reading: sjf" in sections["Section 4.1"]
    assert "EASY waits less" in sections["Figure 4"] and "<svg" in sections["Figure 4"]
    assert "The log is lost." in sections["Abstract"]


def test_a_dot_lies_at_ours_over_the_published_value(experiment: Experiment) -> None:
    """A row for each band of an item; beyond the axis a dot is hollow, at its end."""
    table = attrs.evolve(experiment.tables[0], within=0.5)
    found = judged(attrs.evolve(experiment, tables=(table, *experiment.tables[1:])), WAITS)
    drawn = Tree.fromstring(strip("Niu et al. 2012", [found]))
    dots = [dot for dot in drawn.iter() if dot.tag.endswith("circle") and dot.get("stroke")]
    ratios = sorted(line.ratio for each in found.tables for line in each.lines if line.ratio is not None)
    axis = Axis(0.25, 4.0, 180.0, 704.0, logarithmic=True)
    assert sorted(float(dot.get("cx", "")) for dot in dots) == pytest.approx(
        [axis.at(ratio) for ratio in ratios], abs=0.01
    )
    assert (
        sum(dot.get("fill") == "none" for dot in dots) == sum(not 0.25 <= ratio <= 4 for ratio in ratios) > 0
    )
    bands = [band for band in drawn.iter() if band.tag.endswith("rect")]
    wide, narrow = (axis.at(1 + within) - axis.at(1 - within) for within in (0.5, 0.05))
    assert sorted(float(band.get("width", "")) for band in bands) == pytest.approx([narrow, wide], abs=0.02)


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


class _Foreign(HTMLParser):
    """Gathers what a page would get from elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at one tag."""
        if tag in ("script", "img", "link", "iframe") or {name for name, _ in attrs} & {"src", "href"}:
            self.found.append(tag)


def test_a_report_is_one_page(experiment: Experiment, tmp_path: Path) -> None:
    """Twice the same bytes, its pictures inside, nothing from elsewhere; rows and cells beside it."""
    lab = Lab((experiment,), Store(tmp_path / "store"))
    lab.run()
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        write_report(lab, [lab.found(experiment)], folder)
    assert sorted(path.name for path in one.iterdir()) == ["n12-test.csv", PAGE, "rows.csv"]
    assert all((two / path.name).read_bytes() == path.read_bytes() for path in one.iterdir())
    foreign = _Foreign()
    foreign.feed((one / PAGE).read_text())
    assert foreign.found == [] and (one / PAGE).read_text().count("<svg") == 3


def heights(picture: str) -> list[float]:
    """The heights of the bars of a picture, without those of its legend."""
    boxes = [box for box in Tree.fromstring(picture).iter() if box.tag.endswith("rect")]
    return [float(box.get("height", "")) for box in boxes if box.get("width") != "9"]


def test_bars_have_the_height_of_their_values(experiment: Experiment) -> None:
    """What is in per cent of a base is 100 less its gain; stacked bars stand one on the other."""
    chart = chart_of(experiment, experiment.plots[0], WAITS)
    assert chart is not None and chart.rule == 100
    assert [dot.y for series in chart.series for dot in series.dots] == pytest.approx(
        [50.0] * 3 + [450.0] * 3
    )
    bars = heights(chart.svg())
    assert bars[3] / bars[0] == pytest.approx(9, rel=0.01)
    stacked = Chart([Series("a", [Dot(0, 2)]), Series("b", [Dot(0, 1)])], labels=("x",), form="stacked")
    tall, short = heights(stacked.svg())
    assert tall / short == pytest.approx(2, rel=0.01)
    assert chart_of(experiment, experiment.plots[0], MeanWaits({})) is None


@pytest.mark.parametrize("logarithmic", [False, True])
def test_values_lie_in_their_order_on_an_axis(logarithmic: bool) -> None:
    """Inside the axis, and what is named is round."""
    values = [0.002, 0.5, 30.0, 7000.0]
    axis = Axis.over(values, 10, 90, logarithmic)
    places = [axis.at(value) for value in values]
    assert places == sorted(places) and places[0] >= 10 and places[-1] <= 90
    ticks = list(axis.ticks())
    assert ticks == sorted(ticks) and len(ticks) >= 4
    assert all(f"{tick:.0e}"[0] in "0125" or not logarithmic for tick in ticks)
    assert (axis.at(-5), axis.at(1e9)) == (10, 90)
    assert list(Axis.over([], 0, 9).ticks()) and list(Axis.over([3.0], 0, 9, logarithmic).ticks())


def test_published_values_are_marked_on_the_lines(experiment: Experiment) -> None:
    """Of the table with the axes and the measure of the plot; of no other."""
    plot = attrs.evolve(experiment.plots[0], form="lines", per_cent=False)
    assert published(experiment, plot) == {}
    plot = attrs.evolve(plot, view=attrs.evolve(plot.view, relative_to=None))
    assert published(experiment, plot) == {"easy": {"1": 100, "2": 200}, "fcfs": {"1": 900}}
    assert published(experiment, attrs.evolve(plot, lines=None)) == {}
