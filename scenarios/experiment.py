"""Experiments: what is run to reproduce a table or a figure of a paper, and what the paper says came out.

An experiment is a TOML file. A grid is a scenario with axes: a cell is one value of each. Tables hold
published values, claims say what a figure shows, plots draw it. Every fault of a file is reported.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import product
from pathlib import Path

import attrs

from scenarios.document import Document
from scenarios.errors import one_of, single
from scenarios.reader import open_document
from scenarios.table import Table, is_number

FOLDER = Path(__file__).parent / "experiments"
BREAKDOWNS = {
    "months": "month",
    "sizes": "size",
    "bins": "utilization of the day",
    "ratios": "ratio",
    "shares": "in force",
    "days": "day",
}
"""First word of a measure that has a value for each month, size, ... -> what that further axis is called."""
_PARTS = ("machine", "workload", "policy")


@attrs.frozen
class Axis:
    """Values that a grid goes through: what each is called, and what it changes, by dotted path."""

    name: str
    labels: tuple[str, ...]
    changes: tuple[Mapping[str, object], ...]


@attrs.frozen
class Grid:
    """A scenario as nested tables, with the axes along which it changes."""

    name: str
    base: Mapping[str, object]
    axes: tuple[Axis, ...]

    def cells(self) -> Iterator[tuple[tuple[str, ...], dict[str, object]]]:
        """Yield every cell: its label on each axis, and its scenario."""
        for places in product(*(range(len(axis.labels)) for axis in self.axes)):
            scenario = _copy(self.base)
            for axis, place in zip(self.axes, places, strict=True):
                for path, value in axis.changes[place].items():
                    _set(scenario, path.split("."), value)
            yield tuple(axis.labels[place] for axis, place in zip(self.axes, places, strict=True)), scenario

    def axis(self, name: str) -> Axis | None:
        """The axis of that name."""
        return next((axis for axis in self.axes if axis.name == name), None)


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


@attrs.frozen
class Claim:
    """What a figure shows: the values along an axis ascend in this order, at each value of another."""

    view: View
    along: str
    order: tuple[str, ...]
    each: str | None
    share: float
    """Of the comparisons that have to hold."""
    because: str


@attrs.frozen
class Plot:
    """A picture: a line for each label of `lines`, over `x`."""

    view: View
    x: str
    lines: str | None
    logarithmic: bool
    unit: str


@attrs.frozen
class Experiment:
    """One table or figure of a paper."""

    name: str
    title: str
    paper: str
    about: str
    differs: tuple[str, ...]
    """What is known to be different from the paper: the log, the machine, a choice."""
    grids: Mapping[str, Grid]
    tables: tuple[Published, ...]
    claims: tuple[Claim, ...]
    plots: tuple[Plot, ...]
    path: Path

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


def read_experiment(path: Path, measures: Collection[str]) -> Experiment:
    """Read an experiment; `measures` are the names of all measures. ScenarioError carries every fault."""
    document = open_document(path)
    root = Table(document, (), "the file", document.values)
    title = root.text("title", required=True, empty=False)
    paper, about = root.text("paper", required=True, empty=False), root.text("about") or ""
    differs = _texts(root, "differs")
    grids = {grid.name: grid for table in root.tables("grid") if (grid := _read_grid(table)) is not None}
    reader = _Views(grids, measures)
    tables = tuple(filter(None, [reader.published(table) for table in root.tables("table")]))
    claims = tuple(filter(None, [reader.claim(table) for table in root.tables("claim")]))
    plots = tuple(filter(None, [reader.plot(table) for table in root.tables("plot")]))
    root.close()
    if not grids and not document.faults:
        root.missing("[[grid]]: there is nothing to run")
    if document.faults:
        raise document.error()
    assert title is not None and paper is not None
    return Experiment(
        path.stem, title, paper, about.strip(), differs, grids, tables, claims, plots, path
    )  # fmt: skip


def find_experiments(names: Sequence[str], folder: Path = FOLDER) -> list[Path]:
    """The files of these experiments: a name, or the beginning of several (`fw98`); all without a name."""
    files = experiment_files(folder)
    if not names:
        return files
    found = dict[Path, None]()
    for name in names:
        matching = [path for path in files if path.stem == name] or [
            path for path in files if path.stem.startswith(name)
        ]
        if not matching:
            raise single(
                "", f"there is no experiment {name!r}; {one_of([path.stem for path in files], name)}"
            )
        found.update(dict.fromkeys(matching))
    return list(found)


def _read_grid(table: Table) -> Grid | None:
    name = table.text("name", required=True, empty=False)
    base = {part: value for part in _PARTS if (value := table.take(part, "")) is not None}
    axes = [axis for inner in table.tables("axis") if (axis := _read_axis(inner)) is not None]
    table.close()
    if table.flawed or name is None:
        return None
    return Grid(name, base, tuple(axes))


def _read_axis(table: Table) -> Axis | None:
    name = table.text("name", required=True, empty=False)
    target = table.text("sets")
    first, last = table.integer("from"), table.integer("to")
    values = table.take("values", "an array")
    table.close()
    if first is not None and last is not None and values is None:
        values = list(range(first, last + 1))
    if not isinstance(values, list) or not values:
        table.missing("values; expected an array, or from and to")
        return None
    labels, changes = [], []
    for value in values:
        if isinstance(value, Mapping):
            labels.append(str(value.get("label", "")))
            changes.append(dict(_paths({key: inner for key, inner in value.items() if key != "label"})))
        else:
            labels.append(str(value))
            changes.append({target or name or "": value})
    if "" in labels or len(set(labels)) < len(labels):
        table.fault("values", "expected values that differ, each table with a label")
    wrong = [path for change in changes for path in change if path.split(".")[0] not in _PARTS]
    if wrong:
        table.document.fault(table.path, f"{wrong[0]} is no part of a scenario; {one_of(_PARTS)}")
    return None if table.flawed or name is None else Axis(name, tuple(labels), tuple(changes))


def _paths(table: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _paths(value, f"{before}{key}.")
        else:
            yield before + key, value


def _copy(value: Mapping[str, object]) -> dict[str, object]:
    return {key: _copy(inner) if isinstance(inner, Mapping) else inner for key, inner in value.items()}


def _set(table: dict[str, object], path: Sequence[str], value: object) -> None:
    for key in path[:-1]:
        inner = table.setdefault(key, {})
        if not isinstance(inner, dict):
            inner = table[key] = {}
        table = inner
    table[path[-1]] = value


def _texts(table: Table, key: str) -> tuple[str, ...]:
    values = table.take(key, "an array of texts")
    if values is None:
        return ()
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        table.fault(key, "expected an array of texts")
        return ()
    return tuple(values)


class _Views:
    """Reads tables, claims and plots, which name grids, axes and measures."""

    def __init__(self, grids: Mapping[str, Grid], measures: Collection[str]) -> None:
        self._grids = grids
        self._measures = measures

    def published(self, table: Table) -> Published | None:
        """A [[table]]."""
        view = self._view(table)
        rows, columns = table.text("rows"), table.text("columns", required=True)
        within = table.ratio("within", 0, 10)
        because = table.text("because") or ""
        inner = table.table("published", "the published values", required=True)
        table.close()
        if view is None or columns is None or inner is None:
            return None
        self._axes(table, view, {"rows": rows, "columns": columns})
        values = dict(self._values(inner, view, rows, columns))
        if table.flawed:
            return None
        band = 0.05 if within is None else float(within)
        return Published(view, rows, columns, values, band, because)

    def claim(self, table: Table) -> Claim | None:
        """A [[claim]]."""
        view = self._view(table)
        along, each = table.text("along", required=True), table.text("each")
        order, share = _texts(table, "order"), table.ratio("share", 0, 1)
        because = table.text("because") or ""
        table.close()
        if len(order) < 2:
            table.missing("order of two labels or more")
        if view is None or along is None:
            return None
        self._axes(table, view, {"along": along, "each": each})
        self._labels(table, view, along, order, "order")
        if table.flawed:
            return None
        part = 1.0 if share is None else float(share)
        return Claim(view, along, order, each, part, because)

    def plot(self, table: Table) -> Plot | None:
        """A [[plot]]."""
        view = self._view(table)
        x, lines = table.text("x", required=True), table.text("lines")
        logarithmic, unit = table.boolean("logarithmic"), table.text("unit") or ""
        table.close()
        if view is None or x is None:
            return None
        self._axes(table, view, {"x": x, "lines": lines})
        return None if table.flawed else Plot(view, x, lines, bool(logarithmic), unit)

    def _view(self, table: Table) -> View | None:
        title = table.text("title", required=True, empty=False)
        grid = table.choice("grid", self._grids, required=True)
        measure = table.choice("measure", self._measures, required=True)
        fixed = table.take("fixed", "a table of axes with labels") or {}
        average, relative = table.text("average"), table.text("relative_to")
        if not isinstance(fixed, Mapping) or not all(isinstance(value, str) for value in fixed.values()):
            table.fault("fixed", "expected a table: axis = label")
            return None
        if table.flawed or grid is None or measure is None:
            return None
        return View(title or "", grid, measure, dict(fixed), average, relative)

    def _axes(self, table: Table, view: View, named: Mapping[str, str | None]) -> None:
        """Every axis of the grid must have its part: named, averaged over, held fixed, or of one value."""
        grid, breakdown = self._grids[view.grid], breakdown_of(view.measure)
        axes = {axis.name: axis.labels for axis in grid.axes}
        known = [*axes, *([breakdown] if breakdown else [])]
        for key, name in {**named, "average": view.average}.items():
            if name is not None and name not in known:
                table.fault(key, one_of(known, str(name)))
        fixed = view.fixed
        for name, label in fixed.items():
            if name not in axes and name != breakdown:
                table.fault("fixed", one_of(known, name))
            elif name in axes and label not in axes[name]:
                table.fault("fixed", f"{name} has no {label}; {one_of(axes[name], label)}")
        free = set(known) - set(fixed) - {name for name in (*named.values(), view.average) if name}
        for name in sorted(free):
            if name == breakdown or len(axes[name]) > 1:
                table.document.fault(
                    table.path, f"nothing is said of the axis {name}; fix it, or average over it"
                )

    def _labels(self, table: Table, view: View, axis: str, labels: Sequence[str], key: str) -> None:
        found = self._grids[view.grid].axis(axis)
        for label in labels:
            if found is not None and label not in found.labels:
                table.fault(key, f"{axis} has no {label}; {one_of(found.labels, label)}")

    def _values(
        self, inner: Table, view: View, rows: str | None, columns: str
    ) -> Iterator[tuple[tuple[str, str], Decimal]]:
        for row, value in inner.values.items():
            cells = value if rows is not None else {row: value}
            if not isinstance(cells, Mapping):
                inner.fault(row, "expected a table: column = value")
                continue
            if rows is not None:
                self._labels(inner, view, rows, [row], row)
            for column, number in cells.items():
                self._labels(inner, view, columns, [column], row)
                if is_number(number):
                    yield ("" if rows is None else row, column), Decimal(str(number))
                else:
                    inner.fault(row, "expected numbers")


def breakdown_of(measure: str) -> str | None:
    """The axis that a measure has of its own: `months.mean_wait` has `month`."""
    first, point, _ = measure.partition(".")
    return BREAKDOWNS.get(first) if point else None


def cell_text(scenario: Mapping[str, object], title: str) -> str:
    """A cell as the text of a scenario file, the same for the same scenario."""
    lines = [f"title = {_toml(title)}"]
    for part in _PARTS:
        if part in scenario:
            lines.append(f"{part} = {_toml(scenario[part])}")
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float | Decimal):
        return str(value)
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text) + '"'


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else _toml(key)


def parse_cell(text: str, name: str) -> Mapping[str, object]:
    """The tables of a cell's text."""
    return Document(name, text).values
