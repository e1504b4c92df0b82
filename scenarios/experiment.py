"""Experiments: what is run to reproduce a table or a figure of a paper, and what the paper says came out.

An experiment is a TOML file. A grid is a scenario with axes: a cell is one value of each. Tables hold
published values, claims say what a figure shows, plots draw it. Every fault of a file is reported.
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import product
from pathlib import Path

import attrs

from shadowtime.scenarios.errors import one_of, single
from shadowtime.scenarios.text.writing import assigned
from shadowtime.scenarios.traces.finding import log_in

FOLDER = Path(__file__).parent / "experiments"
ENDING = ".toml"
BREAKDOWNS = {
    "months": "month",
    "sizes": "size",
    "widths": "width",
    "ratios": "ratio",
    "shares": "in force",
    "days": "day",
    "weeks": "week",
    "calendar": "calendar month",
    "levels": "utilization of the day",
    "classes": "class",
    "preemptions": "times preempted",
    "requests": "hours requested",
    "runs": "runs",
    "slowdowns": "slowdown",
    "quantiles": "quantile",
    "users": "user",
    "statuses": "status",
    "percents": "per cent of the request",
}
"""First word of a measure that has a value for each month, size, ... -> what that further axis is called."""
PARTS = ("machine", "nqs", "workload", "policy")


@attrs.frozen
class Axis:
    """Values that a grid goes through: what each is called, and what it changes, by dotted path."""

    name: str
    labels: tuple[str, ...]
    changes: tuple[Mapping[str, object], ...]
    fills: bool = False
    """Its labels are written where a text of the scenario has the name of the axis in braces; if a value is a
    table, its texts are written where their names are."""


@attrs.frozen
class Grid:
    """A scenario as nested tables, with the axes along which it changes."""

    name: str
    base: Mapping[str, object]
    axes: tuple[Axis, ...]
    beside: Path | None = None
    """The folder of the file: a log that is there is named by its whole path."""

    def cells(self) -> Iterator[tuple[tuple[str, ...], dict[str, object]]]:
        """Yield every cell: its label on each axis, and its scenario."""
        for places in product(*(range(len(axis.labels)) for axis in self.axes)):
            scenario = _copy(self.base)
            filled = dict[str, str]()
            for axis, place in zip(self.axes, places, strict=True):
                if axis.fills:
                    texts = axis.changes[place] or {axis.name: axis.labels[place]}
                    filled |= {"{" + name + "}": str(text) for name, text in texts.items()}
                    continue
                for path, value in axis.changes[place].items():
                    _set(scenario, path.split("."), value)
            if filled:
                scenario = {key: _filled(value, filled) for key, value in scenario.items()}
            self._place_log(scenario)
            yield tuple(axis.labels[place] for axis, place in zip(self.axes, places, strict=True)), scenario

    def _place_log(self, scenario: Mapping[str, object]) -> None:
        """Name a log that lies beside the file by its whole path."""
        workload = scenario.get("workload")
        if self.beside is None or not isinstance(workload, dict) or not isinstance(workload.get("log"), str):
            return
        found = log_in(self.beside, workload["log"])
        if found is not None:
            workload["log"] = os.path.realpath(found)

    @property
    def shaken(self) -> frozenset[str]:
        """The axes along which nothing but the shaken submissions change."""
        return frozenset(
            axis.name
            for axis in self.axes
            if any(axis.changes)
            and all(path.startswith("workload.shake") for change in axis.changes for path in change)
        )

    def axis(self, name: str) -> Axis | None:
        return next((axis for axis in self.axes if axis.name == name), None)


@attrs.frozen
class Derived:
    """What is made of the values along one axis before they are shown.

    `won`: at how many labels of `over` each label of `among` has the least value. `gap_mean`, `gap_max`: by
    how many per cent the second of `pair` exceeds the first, over the labels where the first has less.
    `correlation`: of the measure `beside` with by how many per cent the first of `pair` exceeds the second,
    and `correlation_absolute` with the difference itself. `excess_max`: the greatest difference of the
    second and the first. `least`, `greatest`: of the values along `over`; `spread`: by how many per cent the
    greatest of them exceeds the least; `deviation`: their standard deviation, of the population; `count`:
    their number.
    """

    kind: str
    over: str
    among: str | None = None
    """None where nothing but `over` is gone, as of the least."""
    pair: tuple[str, str] | None = None
    beside: str | None = None
    skip: tuple[str, ...] = ()
    """Labels of `over` that are left out."""


OF_ONE_AXIS = ("least", "greatest", "spread", "deviation", "count")
OF_PAIRS = ("gap_mean", "gap_max", "excess_max", "correlation", "correlation_absolute")
DERIVED = ("won", "won_share", *OF_PAIRS, *OF_ONE_AXIS)
"""`won_share` is `won` as a share of the labels."""


@attrs.frozen
class View:
    """Which values of a grid are meant: a measure along some axes, others held fixed or averaged over."""

    title: str
    grid: str
    measure: str
    fixed: Mapping[str, str]
    average: str | None
    relative_to: str | None
    """The label of the column that the others are gains over, in per cent."""
    derived: Derived | None = None
    weight: str | None = None
    """The measure by which the values that are averaged count, such as jobs; None: each counts once."""


JUDGED, INPUT, ILLUSTRATION = "judged", "input", "illustration"
CAUSES = ("data", "reading", "unknown")
"""Why a value is not reproduced: the data cannot be had, the text has several readings, or nobody knows."""
BOUNDS = ("at least", "at most")


@attrs.frozen
class Citation:
    """Where values stand in a paper, the reading by which they are judged, and why ours may differ."""

    item: str
    """The table, figure or section."""
    reading: str
    cause: str | None = None
    """One of `CAUSES`; None if the file names no cause."""
    role: str = JUDGED
    """INPUT: given to a model. ILLUSTRATION: the same statement of another log. Neither has a verdict."""
    threshold: bool = False
    """Whether the number is ours: the paper says it in words."""

    @property
    def is_judged(self) -> bool:
        """Whether its values have verdicts."""
        return self.role == JUDGED

    @property
    def is_stand_in(self) -> bool:
        """Whether what is simulated stands in for the paper's data: neither a hit nor a miss proves much."""
        return self.cause == CAUSES[0]


@attrs.frozen
class Absent:
    """What a paper reports and nobody can compute."""

    source: Citation
    title: str
    published: str
    because: str


@attrs.frozen
class Tried:
    """A reading that was tried for what is still contradicted, and its figures."""

    item: str
    reading: str
    ours: str


@attrs.frozen
class Published:
    """A table of a paper: published values by (row, column), and how near ours must come."""

    view: View
    rows: str | None
    columns: str
    values: Mapping[tuple[str, str], Decimal]
    within: float
    because: str
    """Why what does not come near does not."""
    source: Citation
    bound: str | None = None
    """One of `BOUNDS`: the published value limits one side only."""
    readings: str | None = None
    """The axis of the stated readings; the first label is judged unless `reading` names another."""
    reading: str | None = None
    sentence: bool = False
    """Whether its values are one statement of the paper, with one verdict."""

    @property
    def correlated(self) -> bool:
        """Whether the values are correlations, which count in their own unit."""
        derived = self.view.derived
        return (
            self.view.relative_to is None and derived is not None and derived.kind.startswith("correlation")
        )

    @property
    def in_points(self) -> bool:
        """Whether values are near by their difference: gains, shares and correlations can be nothing."""
        return self.view.relative_to is not None or self.correlated


LEVEL = 0.95
"""Of the comparisons of policies, if nothing else is said."""


@attrs.frozen
class Means:
    """A table of what came out, of a study of one's own: nothing is published to stand beside it."""

    view: View
    rows: str | None
    columns: str
    against: str | None
    """The label of the columns that the others are compared with: in pairs, if runs have common seeds."""
    level: float
    """Of the intervals and of the comparisons."""


@attrs.frozen
class Claim:
    """What a figure shows of the values along an axis, at each value of another.

    They ascend in an order; or one of them is the least; or they lie between two of them, or above or below a
    number.
    """

    view: View
    along: str
    order: tuple[str, ...]
    each: str | None
    share: float
    """Of the comparisons that have to hold."""
    because: str
    source: Citation
    least: str | None = None
    """The label whose value is less than each of the others'."""
    greatest: str | None = None
    among: tuple[str, ...] = ()
    """The labels that are compared without an order; by default all."""
    between: tuple[str, ...] = ()
    """Two labels, whichever has the less: the values of the others lie between theirs."""
    above: float | None = None
    below: float | None = None


LINES, BARS, STACKED, POINTS = "lines", "bars", "stacked", "points"
FORMS = (LINES, BARS, STACKED, POINTS)
"""How a plot is drawn: as the figure of the paper is."""
HISTOGRAMS = ("month", "ratio", "times preempted", "hours requested")
"""Axes whose labels are classes: plots over them are drawn as bars if nothing else is said."""


@attrs.frozen
class Plot:
    """A picture: a line, or a bar in each group, for each label of `lines`, over `x`.

    Points have no line. With `against` they lie at the values of another measure, and `x` is what they are
    points of. With `per_cent` values are shown in per cent of the label that the view is relative to.
    """

    view: View
    x: str
    lines: str | None
    logarithmic: bool
    unit: str
    logarithmic_x: bool = False
    x_title: str = ""
    """What stands at the axis, with its unit; '' for the name of the axis."""
    form: str = LINES
    """One of `FORMS`."""
    against: str | None = None
    per_cent: bool = False


@attrs.frozen
class Experiment:
    """One table or figure of a paper."""

    name: str
    title: str
    paper: str
    """'' for a study of one's own."""
    about: str
    differs: tuple[str, ...]
    """What is known to be different from the paper: the log, the machine, a choice."""
    grids: Mapping[str, Grid]
    tables: tuple[Published, ...]
    claims: tuple[Claim, ...]
    plots: tuple[Plot, ...]
    means: tuple[Means, ...]
    scenarios: tuple[Path, ...]
    """Scenario files whose expectations are the paper's."""
    path: Path
    source: Citation
    absent: tuple[Absent, ...] = ()
    tried: tuple[Tried, ...] = ()

    @property
    def publication(self) -> str:
        """The paper without the table or figure: `Feitelson & Weil 1998`."""
        return self.paper.partition(", ")[0]

    @property
    def logs(self) -> tuple[str, ...]:
        """The logs that its cells need."""
        found = dict[str, None]()
        for grid in self.grids.values():
            for _, scenario in grid.cells():
                workload = scenario.get("workload")
                if isinstance(workload, Mapping) and "log" in workload:
                    found[str(workload["log"])] = None
        return tuple(found)


def experiment_files(folder: Path = FOLDER) -> list[Path]:
    """Every experiment of a folder, by name."""
    return sorted(folder.glob("*.toml"))


def find_experiments(names: Sequence[str], folder: Path = FOLDER) -> list[Path]:
    """The files of these experiments; all without a name.

    A name is that of an experiment, the beginning of several (`fw98`), or a file of one's own (`mine.toml`).
    """
    files = experiment_files(folder)
    if not names:
        return files
    found = dict[Path, None]()
    for name in names:
        if name.endswith(ENDING):
            found[_own(name, found)] = None
            continue
        matching = [path for path in files if path.stem == name] or [
            path for path in files if name and path.stem.startswith(name)
        ]
        if not matching:
            raise single(
                "", f"there is no experiment {name!r}; {one_of([path.stem for path in files], name)}"
            )
        found.update(dict.fromkeys(matching))
    return list(found)


def _own(name: str, found: Collection[Path]) -> Path:
    """An experiment file by its path, whose name no other one has."""
    path = Path(name)
    same = next((other for other in found if other.stem == path.stem and other != path), None)
    if same is not None:
        raise single(name, f"the experiment {path.stem} is given already, as {same}; expected another name")
    if not path.is_file():
        raise single(name, "no such file; expected an experiment file, or the name of an experiment")
    return path


def _copy(value: Mapping[str, object]) -> dict[str, object]:
    return {key: _copy(inner) if isinstance(inner, Mapping) else inner for key, inner in value.items()}


def _filled(value: object, texts: Mapping[str, str]) -> object:
    """The value with each name in braces replaced, in every text of it."""
    if isinstance(value, Mapping):
        return {key: _filled(inner, texts) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, texts) for inner in value]
    if isinstance(value, str):
        for name, text in texts.items():
            value = value.replace(name, text)
    return value


def _set(table: dict[str, object], path: Sequence[str], value: object) -> None:
    for key in path[:-1]:
        inner = table.setdefault(key, {})
        if not isinstance(inner, dict):
            inner = table[key] = {}
        table = inner
    table[path[-1]] = value


def breakdown_of(measure: str) -> str | None:
    """The axis that a measure has of its own: `months.mean_wait` has `month`."""
    first, point, _ = measure.partition(".")
    return BREAKDOWNS.get(first) if point else None


def cell_text(scenario: Mapping[str, object], title: str) -> str:
    """A cell as the text of a scenario file, the same for the same scenario."""
    parts = {"title": title} | {part: scenario[part] for part in PARTS if part in scenario}
    return "".join(f"{assigned(key, value)}\n" for key, value in parts.items())
