"""Reading an experiment: every fault of its file is reported, or nothing is read."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from shadowtime.scenarios.errors import one_of
from shadowtime.scenarios.experiment import (
    BARS,
    BOUNDS,
    CAUSES,
    DERIVED,
    FOLDER,
    FORMS,
    HISTOGRAMS,
    ILLUSTRATION,
    INPUT,
    LEVEL,
    LINES,
    OF_ONE_AXIS,
    OF_PAIRS,
    PARTS,
    POINTS,
    Absent,
    Axis,
    Citation,
    Claim,
    Derived,
    Experiment,
    Grid,
    Means,
    Plot,
    Published,
    Tried,
    View,
    breakdown_of,
)
from shadowtime.scenarios.reader import open_document
from shadowtime.scenarios.text.table import Table, is_number

AS_WRITTEN = "the text as it stands"
"""The reading of what names no other."""
MOST_VALUES = 10_000
"""Of an axis that is written as from and to."""


def read_experiment(path: Path, measures: Collection[str]) -> Experiment:
    """Read an experiment; `measures` are the names of all measures. ScenarioError carries every fault."""
    document = open_document(path)
    root = Table(document, (), "the file", document.values)
    title = root.text("title", required=True, empty=False)
    paper, about = root.text("paper", empty=False) or "", root.text("about") or ""
    differs = _texts(root, "differs")
    grids = dict[str, Grid]()
    for table in root.tables("grid"):
        grid = _read_grid(table, None if path.parent == FOLDER else path.parent)
        if grid is not None and grid.name in grids:
            table.fault("name", "expected another one than the grid before")
        elif grid is not None:
            grids[grid.name] = grid
    usual = Citation(paper.partition(", ")[2], AS_WRITTEN)
    source = _source(root, usual)
    reader = _Views(grids, measures, source)
    tables = tuple(filter(None, [reader.published(table) for table in root.tables("table")]))
    claims = tuple(filter(None, [reader.claim(table) for table in root.tables("claim")]))
    plots = tuple(filter(None, [reader.plot(table) for table in root.tables("plot")]))
    means = tuple(filter(None, [reader.means(table) for table in root.tables("means")]))
    absent = tuple(filter(None, [_absent(table, source) for table in root.tables("absent")]))
    tried = tuple(filter(None, [_tried(table, source) for table in root.tables("tried")]))
    scenarios = tuple(_scenario(root, name, path) for name in _texts(root, "scenarios"))
    root.close()
    if not grids and not scenarios and not absent and not document.faults:
        root.missing("[[grid]] and no scenarios: there is nothing to run")
    if document.faults:
        raise document.error()
    assert title is not None
    return Experiment(
        path.stem, title, paper, about.strip(), differs, grids, tables, claims, plots, means, scenarios, path,
        source, absent, tried,
    )  # fmt: skip


def _source(table: Table, usual: Citation) -> Citation:
    """Where something stands in the paper; what is left out is as it usually is."""
    item, reading = table.text("item", empty=False), table.text("reading", empty=False)
    cause = table.choice("cause", CAUSES)
    given, shown = bool(table.boolean("input")), bool(table.boolean("illustration"))
    if given and shown:
        table.fault("illustration", "expected no input beside it")
    role = INPUT if given else ILLUSTRATION if shown else usual.role
    threshold = table.boolean("threshold")
    threshold = usual.threshold if threshold is None else threshold
    return Citation(item or usual.item, reading or usual.reading, cause or usual.cause, role, threshold)


def _absent(table: Table, usual: Citation) -> Absent | None:
    """An [[absent]]."""
    source = _source(table, usual)
    title = table.text("title", required=True, empty=False)
    published, because = table.text("published") or "", table.text("because", required=True, empty=False)
    table.close()
    if table.flawed or title is None or because is None:
        return None
    return Absent(source, title, published, because)


def _tried(table: Table, usual: Citation) -> Tried | None:
    """A [[tried]]."""
    item, reading = table.text("item") or usual.item, table.text("reading", required=True, empty=False)
    ours = table.text("ours", required=True, empty=False)
    table.close()
    return None if table.flawed or reading is None or ours is None else Tried(item, reading, ours)


def _scenario(root: Table, name: str, path: Path) -> Path:
    """A scenario that is named by its folder and file, beside the folder of the experiments."""
    found = path.parent.parent / name
    if not found.is_file():
        root.fault("scenarios", f"there is no {found}")
    return found


def _read_grid(table: Table, beside: Path | None) -> Grid | None:
    name = table.text("name", required=True, empty=False)
    base = {part: value for part in PARTS if (value := table.take(part, "")) is not None}
    axes = [axis for inner in table.tables("axis") if (axis := _read_axis(inner)) is not None]
    table.close()
    if table.flawed or name is None:
        return None
    return Grid(name, base, tuple(axes), beside)


def _read_axis(table: Table) -> Axis | None:
    name = table.text("name", required=True, empty=False)
    target, fills = table.text("sets"), bool(table.boolean("fills"))
    if fills and target is not None:
        table.fault("fills", "expected no sets beside it")
    first, last = table.integer("from"), table.integer("to")
    values = table.take("values", "an array")
    table.close()
    if first is not None and last is not None and values is None:
        if last - first >= MOST_VALUES:
            table.fault("to", f"expected {MOST_VALUES:,} values at most")
            return None
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
            changes.append({} if fills else {target or name or "": value})
    if "" in labels or len(set(labels)) < len(labels):
        table.fault("values", "expected values that differ, each table with a label")
    paths = [] if fills else [path for change in changes for path in change]
    wrong = [path for path in paths if path.split(".")[0] not in PARTS]
    if wrong:
        table.document.fault(table.path, f"{wrong[0]} is no part of a scenario; {one_of(PARTS)}")
    return None if table.flawed or name is None else Axis(name, tuple(labels), tuple(changes), fills)


def _paths(table: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _paths(value, f"{before}{key}.")
        else:
            yield before + key, value


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

    def __init__(self, grids: Mapping[str, Grid], measures: Collection[str], usual: Citation) -> None:
        self._usual = usual
        self._grids = grids
        self._measures = measures

    def published(self, table: Table) -> Published | None:
        """A [[table]]."""
        view = self._view(table)
        rows, columns = table.text("rows"), table.text("columns", required=True)
        within = table.ratio("within", 0, 10)
        because = table.text("because") or ""
        bound, readings = table.choice("bound", BOUNDS), table.text("readings")
        shown, sentence = table.text("reading_shown"), bool(table.boolean("sentence"))
        source = _source(table, self._usual)
        inner = table.table("published", "the published values", required=True)
        table.close()
        if view is None or columns is None or inner is None:
            return None
        self._axes(table, view, {"rows": rows, "columns": columns, "readings": readings})
        if shown is not None and readings is None:
            table.fault("reading_shown", "expected readings beside it")
        elif shown is not None and readings is not None:
            self._labels(table, view, readings, [shown], "reading_shown")
        values = dict(self._values(inner, view, rows, columns))
        if table.flawed:
            return None
        band = 0.05 if within is None else float(within)
        return Published(view, rows, columns, values, band, because, source, bound, readings, shown, sentence)

    def claim(self, table: Table) -> Claim | None:
        """A [[claim]]."""
        view = self._view(table)
        along, each = table.text("along", required=True), table.text("each")
        order, among, between = (_texts(table, key) for key in ("order", "among", "between"))
        least, greatest = table.text("least"), table.text("greatest")
        share = table.ratio("share", 0, 1)
        above, below = table.number("above"), table.number("below")
        because = table.text("because") or ""
        source = _source(table, self._usual)
        table.close()
        bounded = above is not None or below is not None
        said = (bool(order), least is not None, greatest is not None, bool(between), bounded)
        if said.count(True) != 1 or len(order) == 1 or len(between) not in (0, 2):
            table.missing(
                "order of two labels or more, least, greatest, between of two, or above or below: "
                "expected one of these"
            )
        if order and among:
            table.fault("among", "expected no order beside it")
        if view is None or along is None:
            return None
        self._axes(table, view, {"along": along, "each": each})
        for key, label in (("least", least), ("greatest", greatest)):
            self._labels(table, view, along, () if label is None else (label,), key)
        self._labels(table, view, along, order, "order")
        self._labels(table, view, along, among, "among")
        self._labels(table, view, along, between, "between")
        if table.flawed:
            return None
        part = 1.0 if share is None else float(share)
        bounds = (None if bound is None else float(bound) for bound in (above, below))
        return Claim(
            view, along, order, each, part, because, source, least, greatest, among, between, *bounds
        )

    def means(self, table: Table) -> Means | None:
        """A [[means]]."""
        view = self._view(table)
        rows, columns = table.text("rows"), table.text("columns", required=True)
        against, level = table.text("against"), table.ratio("level", Decimal("0.5"), Decimal("0.999"))
        table.close()
        if view is None or columns is None:
            return None
        self._axes(table, view, {"rows": rows, "columns": columns})
        self._labels(table, view, columns, () if against is None else (against,), "against")
        return (
            None
            if table.flawed
            else Means(view, rows, columns, against, LEVEL if level is None else float(level))
        )

    def plot(self, table: Table) -> Plot | None:
        """A [[plot]]."""
        view = self._view(table)
        x, lines = table.text("x", required=True), table.text("lines")
        logarithmic, unit = table.boolean("logarithmic"), table.text("unit") or ""
        spread, x_title = table.boolean("logarithmic_x"), table.text("x_title") or ""
        form = table.choice("form", FORMS) or (BARS if x in HISTOGRAMS else LINES)
        against, per_cent = table.choice("against", self._measures), bool(table.boolean("per_cent"))
        table.close()
        if against is not None and form != POINTS:
            table.fault("against", 'expected form = "points" beside it')
        if view is not None and per_cent and view.relative_to is None:
            table.fault("per_cent", "expected relative_to beside it")
        if view is None or x is None:
            return None
        if against is not None and breakdown_of(against) != breakdown_of(view.measure):
            table.fault("against", "expected a measure with the same axis of its own")
        self._axes(table, view, {"x": x, "lines": lines})
        if table.flawed:
            return None
        return Plot(view, x, lines, bool(logarithmic), unit, bool(spread), x_title, form, against, per_cent)

    def _view(self, table: Table) -> View | None:
        title = table.text("title", required=True, empty=False)
        grid = table.choice("grid", self._grids, required=True)
        measure = table.choice("measure", self._measures, required=True)
        fixed = table.take("fixed", "a table of axes with labels") or {}
        average, relative = table.text("average"), table.text("relative_to")
        derived, weight = self._derived(table, grid, measure), table.choice("weight", self._measures)
        if weight is not None:
            if average is None:
                table.fault("weight", "expected average beside it")
            elif derived is not None:
                table.fault("weight", "expected no derive beside it")
            elif measure is not None and breakdown_of(weight) not in (None, breakdown_of(measure)):
                table.fault("weight", f"expected a measure without an axis that {measure} lacks")
        if not isinstance(fixed, Mapping) or not all(isinstance(value, str) for value in fixed.values()):
            table.fault("fixed", "expected a table: axis = label")
            return None
        if table.flawed or grid is None or measure is None:
            return None
        return View(title or "", grid, measure, dict(fixed), average, relative, derived, weight)

    def _derived(self, table: Table, grid: str | None, measure: str | None) -> Derived | None:
        inner = table.table("derive", "what is derived")
        if inner is None or grid is None or measure is None:
            return None
        kind = inner.choice("kind", DERIVED, required=True)
        known = [*(axis.name for axis in self._grids[grid].axes), *filter(None, [breakdown_of(measure)])]
        over = inner.choice("over", known, required=True)
        among = None if kind in OF_ONE_AXIS else inner.choice("among", known, required=True)
        pair = () if kind in OF_ONE_AXIS else _texts(inner, "pair")
        skip = _texts(inner, "skip")
        beside = inner.choice("beside", self._measures, required=str(kind).startswith("correlation"))
        inner.close()
        if kind in OF_PAIRS and len(pair) != 2:
            inner.missing("pair of two labels")
        if inner.flawed or kind is None or over is None or (among is None and kind not in OF_ONE_AXIS):
            return None
        return Derived(kind, over, among, (pair[0], pair[1]) if len(pair) == 2 else None, beside, skip)

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
        gone = () if view.derived is None else _consumed(view.derived)
        parts = [*filter(None, named.values()), *filter(None, [view.average]), *fixed, *gone]
        for name in dict.fromkeys(name for name in parts if parts.count(name) > 1):
            table.document.fault(table.path, f"the axis {name} has two parts; expected one")
        base = view.relative_to
        if base is not None and not any(base in labels for labels in axes.values()):
            table.fault("relative_to", "expected a label of an axis")
        free = set(known) - set(fixed) - {*named.values(), view.average, *gone}
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

    def _split_label(self, view: View, axis: str, key: str) -> str | None:
        """The label with a full stop that TOML takes for a table named `key` for want of quotes, or None."""
        found = self._grids[view.grid].axis(axis)
        labels = () if found is None or key in found.labels else found.labels
        return next((label for label in labels if label.startswith(f"{key}.")), None)

    def _values(
        self, inner: Table, view: View, rows: str | None, columns: str
    ) -> Iterator[tuple[tuple[str, str], Decimal]]:
        for row, value in inner.values.items():
            split = self._split_label(view, columns if rows is None else rows, row)
            if split is not None:
                inner.fault(row, f'expected the label in quotes: "{split}"')
                continue
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


def _consumed(derived: Derived) -> tuple[str, ...]:
    """The axes that are gone once a value is derived."""
    if derived.kind in ("won", "won_share") or derived.among is None:
        return (derived.over,)
    return (derived.over, derived.among)
