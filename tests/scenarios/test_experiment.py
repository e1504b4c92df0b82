"""Reading experiments: what is run, what a paper says came out, and every fault of a file."""

import tomllib
from decimal import Decimal
from pathlib import Path

import pytest

from shadowtime.console.session.lab.measures import MEASURES
from shadowtime.scenarios import ScenarioError
from shadowtime.scenarios.experiment import FOLDER, cell_text, experiment_files, find_experiments
from shadowtime.scenarios.experiment_reader import read_experiment

HEAD = """title = "T"
paper = "P"
[[grid]]
name = "g"
machine = {nodes = 16}
workload = {model = "feitelson96", jobs = 10, seed = 1}
[[grid.axis]]
name = "policy"
values = ["easy", "fcfs"]
[[grid.axis]]
name = "seed"
sets = "workload.seed"
from = 1
to = 3
"""


def written(tmp_path: Path, text: str) -> Path:
    """An experiment file."""
    path = tmp_path / "one.toml"
    path.write_text(text)
    return path


def faults(tmp_path: Path, text: str) -> list[str]:
    """What is wrong with an experiment, without its file."""
    with pytest.raises(ScenarioError) as found:
        read_experiment(written(tmp_path, text), MEASURES)
    return [str(fault).partition("one.toml:")[2] for fault in found.value.faults]


def test_a_grid_is_every_combination_of_its_axes(tmp_path: Path) -> None:
    """In the order of the file, the last axis fastest; an axis changes one place of the scenario."""
    grid = read_experiment(written(tmp_path, HEAD), MEASURES).grids["g"]
    cells = list(grid.cells())
    assert [labels for labels, _ in cells] == [
        (policy, seed) for policy in ("easy", "fcfs") for seed in ("1", "2", "3")
    ]
    assert cells[4][1] == {
        "machine": {"nodes": 16},
        "workload": {"model": "feitelson96", "jobs": 10, "seed": 2},
        "policy": "fcfs",
    }


def test_a_value_may_change_several_places(tmp_path: Path) -> None:
    """A table with a label is laid over the scenario."""
    text = HEAD.replace(
        'values = ["easy", "fcfs"]',
        'values = [{label = "a", policy = "easy", workload = {jobs = 5}}, '
        '{label = "b", machine = {nodes = 8}}]',
    )
    cells = dict(read_experiment(written(tmp_path, text), MEASURES).grids["g"].cells())
    assert cells["a", "1"]["workload"] == {"model": "feitelson96", "jobs": 5, "seed": 1}
    assert cells["b", "1"]["machine"] == {"nodes": 8}
    assert "policy" not in cells["b", "1"]


def test_an_axis_may_fill_what_texts_leave_open(tmp_path: Path) -> None:
    """Its labels stand in place of its name in braces, in lists too; where no text has it nothing changes."""
    pbas = '{label = "pbas", policy = {name = "pbas", candidates = ["flex:slack={slack}", "easy"]}}'
    slack = '[[grid.axis]]\nname = "slack"\nfills = true\nvalues = ["1h", 30]'
    text = HEAD.replace('values = ["easy", "fcfs"]', f'values = ["easy", {pbas}]\n{slack}')
    cells = dict(read_experiment(written(tmp_path, text), MEASURES).grids["g"].cells())
    assert cells["pbas", "30", "1"]["policy"] == {"name": "pbas", "candidates": ["flex:slack=30", "easy"]}
    assert cells["easy", "1h", "2"] == cells["easy", "30", "2"]
    faulty = text.replace("fills = true", 'fills = true\nsets = "workload.seed"')
    assert any("expected no sets beside it" in fault for fault in faults(tmp_path, faulty))


def test_the_text_of_a_cell_is_a_scenario() -> None:
    """Keys and texts are written as TOML has them, and the same scenario gives the same text."""
    scenario = {
        "machine": {"nodes": 4},
        "workload": {"log": 'a "b".swf', "shrink": Decimal("0.70"), "x y": [1, True]},
    }
    assert cell_text(scenario, "T") == (
        'title = "T"\nmachine = {nodes = 4}\n'
        'workload = {log = "a \\"b\\".swf", shrink = 0.70, "x y" = [1, true]}\n'
    )
    hostile = '"\\\x1b\n\U000e0001'
    assert tomllib.loads(cell_text({}, hostile)) == {"title": hostile}


TABLE = """
[[table]]
title = "T"
grid = "g"
measure = "mean_wait"
columns = "policy"
average = "seed"
published = {easy = 1, fcfs = 2.5}
"""


def test_a_table_names_axes_and_labels(tmp_path: Path) -> None:
    """Values stand under (row, column); without rows the row is ''."""
    (table,) = read_experiment(written(tmp_path, HEAD + TABLE), MEASURES).tables
    assert table.values == {("", "easy"): 1, ("", "fcfs"): Decimal("2.5")}
    assert (table.within, table.view.average) == (0.05, "seed")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"mean_wait"', '"mean_wat"', 'measure is "mean_wat"; did you mean mean_wait?'),
        ('grid = "g"', 'grid = "h"', 'grid is "h"; expected g'),
        ('columns = "policy"', 'columns = "polices"', "did you mean policy?"),
        ('average = "seed"\n', "", "nothing is said of the axis seed; fix it, or average over it"),
        ("easy = 1", "eazy = 1", "policy has no eazy; did you mean easy?"),
        ("fcfs = 2.5", 'fcfs = "2.5"', "expected numbers"),
        ("published", "publish", "unknown key publish; did you mean published?"),
        (
            'columns = "policy"',
            'columns = "policy"\nfixed = {policy = "easy"}',
            "the axis policy has two parts",
        ),
        ('columns = "policy"', 'columns = "policy"\nrows = "policy"', "the axis policy has two parts"),
        ('columns = "policy"', 'columns = "policy"\nrelative_to = "eazy"', "expected a label of an axis"),
        ('title = "T"\ngrid', "grid", "this [[table]] has no title"),
        ('average = "seed"', 'weight = "workload.jobs"', "expected average beside it"),
        (
            'average = "seed"',
            'average = "seed"\nweight = "workload.jobs"\nderive = {kind = "least", over = "seed"}',
            "expected no derive beside it",
        ),
        (
            'average = "seed"',
            'average = "seed"\nweight = "months.jobs"',
            "expected a measure without an axis that mean_wait lacks",
        ),
    ],
)
def test_what_is_wrong_with_a_table(old: str, new: str, message: str, tmp_path: Path) -> None:
    """Line, column, what is wrong, what was expected."""
    found = faults(tmp_path, HEAD + TABLE.replace(old, new))
    assert any(message in fault for fault in found), found
    assert all(fault[0].isdigit() for fault in found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('paper = "P"\n', "no title"),
        ('title = "T"\npaper = "P"\n', "there is nothing to run"),
        (HEAD.replace('sets = "workload.seed"', 'sets = "seed"'), "seed is no part of a scenario"),
        (HEAD.replace('values = ["easy", "fcfs"]', "values = []"), "no values"),
        (HEAD.replace("to = 3", "to = 99999999999"), "expected 10,000 values at most"),
        (HEAD + '[[grid]]\nname = "g"\npolicy = "easy"\n', "expected another one than the grid before"),
        (
            HEAD.replace('values = ["easy", "fcfs"]', 'values = ["easy", "easy"]'),
            "expected values that differ",
        ),
        (
            HEAD + "[[claim]]\ntitle = 'x'\ngrid = 'g'\nmeasure = 'span'\nalong = 'policy'\n",
            "no order of two",
        ),
        ('title = "T"\npaper = "P"\nscenarios = ["no/such.toml"]\n', "there is no"),
    ],
)
def test_what_is_wrong_with_a_file(text: str, message: str, tmp_path: Path) -> None:
    """All faults are reported."""
    assert any(message in fault for fault in faults(tmp_path, text))


PLOT = """
[[plot]]
title = "T"
grid = "g"
measure = "days.mean_queue_length"
fixed = {policy = "easy", seed = "1"}
form = "points"
x = "day"
against = "days.utilization"
"""


def test_a_plot_has_the_form_of_the_papers_figure(tmp_path: Path) -> None:
    """Lines if nothing is said, bars over months; points can lie at the values of another measure."""
    lines = PLOT.replace('form = "points"\n', "").replace('against = "days.utilization"\n', "")
    months = lines.replace("days", "months").replace('"day"', '"month"').replace("queue_length", "wait")
    experiment = read_experiment(written(tmp_path, HEAD + PLOT + lines + months), MEASURES)
    assert [(plot.form, plot.against) for plot in experiment.plots] == [
        ("points", "days.utilization"),
        ("lines", None),
        ("bars", None),
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('form = "points"', 'form = "pies"', 'form is "pies"; did you mean lines?'),
        ('form = "points"', 'form = "bars"', 'expected form = "points" beside it'),
        ("days.utilization", "mean_wait", "expected a measure with the same axis of its own"),
        ('x = "day"', 'x = "day"\nper_cent = true', "expected relative_to beside it"),
    ],
)
def test_what_is_wrong_with_a_plot(old: str, new: str, message: str, tmp_path: Path) -> None:
    """Line, column, what is wrong, what was expected."""
    found = faults(tmp_path, HEAD + PLOT.replace(old, new))
    assert any(message in fault for fault in found), found


@pytest.mark.proof
def test_every_shipped_experiment_can_be_read() -> None:
    """Each names its paper, and has something to compare, to claim, to draw or to check."""
    for path in experiment_files():
        experiment = read_experiment(path, MEASURES)
        assert experiment.paper.split(",")[0][-4:].isdigit(), path
        assert experiment.tables or experiment.claims or experiment.plots or experiment.scenarios, path


def test_experiments_are_found_by_the_beginnings_of_their_names() -> None:
    """A paper's all together, or one."""
    assert {path.stem.split("-")[0] for path in find_experiments(["fw98"])} == {"fw98"}
    assert [path.stem for path in find_experiments(["fw98-table1"])] == ["fw98-table1"]
    assert find_experiments([]) == experiment_files(FOLDER)
    with pytest.raises(ScenarioError, match="did you mean fw98-table1"):
        find_experiments(["fw98-tabel1"])


def test_a_file_of_ones_own_is_named_by_its_path(tmp_path: Path) -> None:
    """Beside those that are shipped; two of one name would share their pages."""
    path, other = written(tmp_path, HEAD), tmp_path / "other" / "one.toml"
    assert find_experiments([str(path), "fw98-table2", str(path)]) == [path, FOLDER / "fw98-table2.toml"]
    with pytest.raises(ScenarioError, match="no such file; expected an experiment file"):
        find_experiments([str(other)])
    other.parent.mkdir()
    other.write_text(HEAD)
    with pytest.raises(ScenarioError, match="the experiment one is given already"):
        find_experiments([str(path), str(other)])


def test_a_log_beside_the_file_is_named_by_its_path(tmp_path: Path) -> None:
    """Packed or plain; a log that is not there keeps its name, which is looked for elsewhere."""
    text = HEAD.replace('{model = "feitelson96", jobs = 10, seed = 1}', '{log = "mine", seed = 1}')
    path = written(tmp_path, text)
    assert read_experiment(path, MEASURES).logs == ("mine",)
    log = tmp_path / "mine.swf.xz"
    log.write_bytes(b"")
    named = read_experiment(written(tmp_path, text.replace('"mine"', '"mine.swf"')), MEASURES)
    assert named.logs == (str(log),)


def test_a_label_with_a_full_stop_needs_quotes(tmp_path: Path) -> None:
    """TOML takes it for a table in a table otherwise; the line says how to write it."""
    text = HEAD + TABLE.replace("published = {easy = 1, fcfs = 2.5}", "published = {0.5 = 3}")
    text = text.replace('values = ["easy", "fcfs"]', 'sets = "workload.load"\nvalues = [0.5, 0.8]')
    (fault,) = faults(tmp_path, text)
    assert fault.endswith('expected the label in quotes: "0.5"')


CLAIM = """
[[claim]]
title = "C"
grid = "g"
measure = "mean_wait"
along = "policy"
average = "seed"
"""


def test_claims_of_every_kind(tmp_path: Path) -> None:
    """An order, the least, the greatest, or bounds; of some labels or all."""
    kinds = (
        'order = ["easy", "fcfs"]',
        'least = "easy"',
        'greatest = "fcfs"\namong = ["easy"]',
        "above = 1\nbelow = 2.5",
        'between = ["fcfs", "easy"]',
    )
    text = HEAD + "".join(f"{CLAIM}{kind}\n" for kind in kinds)
    one, two, three, four, five = read_experiment(written(tmp_path, text), MEASURES).claims
    assert (one.order, two.least, three.greatest, three.among) == (
        ("easy", "fcfs"),
        "easy",
        "fcfs",
        ("easy",),
    )
    assert (four.above, four.below, four.among) == (1, 2.5, ())
    assert (five.between, five.above, five.below) == (("fcfs", "easy"), None, None)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("", "no order of two"),
        ('order = ["easy"]', "no order of two"),
        ('order = ["easy", "fcfs"]\nleast = "easy"', "expected one"),
        ('least = "easy"\nabove = 1', "expected one"),
        ('between = ["easy"]', "between of two"),
        ('between = ["easy", "fcfs"]\nleast = "easy"', "expected one"),
        ('between = ["easy", "fcvs"]', "policy has no fcvs"),
        ('least = "eazy"', 'least is "eazy"; policy has no eazy; did you mean easy?'),
        ('least = ""', "policy has no "),
        ('least = "easy"\namong = ["fcvs"]', "policy has no fcvs"),
        ('order = ["easy", "fcfs"]\namong = ["easy"]', "expected no order beside it"),
        ('above = "1"', "expected a number"),
        ("below = nan", "expected a number"),
    ],
)
def test_what_is_wrong_with_a_claim(kind: str, message: str, tmp_path: Path) -> None:
    """It says one thing, of labels that are there."""
    assert any(message in fault for fault in faults(tmp_path, f"{HEAD}{CLAIM}{kind}\n"))
