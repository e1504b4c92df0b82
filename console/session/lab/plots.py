"""The figures of a report, drawn with matplotlib, which is an extra: one look for all, legible in grey."""

from pathlib import Path
from typing import Any

from console.session.errors import SessionError
from console.session.lab.frames import Frame, Lookup, frame_of
from scenarios.experiment import Experiment, Plot

# Okabe and Ito's colours, with marks and dashes beside them: no line is known by its colour alone.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MARKS = "osD^vP*"
DASHES = ("-", "--", "-.", ":")
SEED = "shadowtime"


def draw(experiment: Experiment, plot: Plot, results: Lookup, folder: Path, name: str) -> bool:
    """Draw a figure as PNG and SVG; return whether there was anything. SessionError without matplotlib."""
    frame = frame_of(experiment.grids[plot.view.grid], plot.view, results)
    if not frame.values:
        return False
    try:
        import matplotlib
    except ImportError:
        raise SessionError("plots need the package matplotlib; install shadowtime[plots]") from None
    matplotlib.use("Agg")
    # Without it the ids in an SVG are drawn by chance, and no two reports would be alike.
    matplotlib.rcParams["svg.hashsalt"] = SEED
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 4.5), layout="constrained")
    axes = figure.add_subplot()
    _lines(axes, plot, frame)
    axes.set_title(plot.view.title, fontsize=11)
    axes.set_xlabel(plot.x_title or plot.x)
    axes.set_ylabel(plot.unit or _words(plot.view.measure))
    if plot.logarithmic:
        axes.set_yscale("log")
        _label_plainly(axes.yaxis)
    if plot.logarithmic_x:
        axes.set_xscale("log")
        _label_plainly(axes.xaxis)
    axes.grid(alpha=0.3)
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    figure.savefig(folder / f"{name}.png", dpi=150, metadata={"Software": None})
    return True


def _lines(axes: Any, plot: Plot, frame: Frame) -> None:
    labels = frame.labels(plot.x)
    numeric = all(_is_number(label) for label in labels)
    names = frame.labels(plot.lines) if plot.lines is not None else ("",)
    for place, name in enumerate(names):
        points = []
        for at, label in enumerate(labels):
            wanted = {plot.x: label, **({plot.lines: name} if plot.lines is not None else {})}
            single = {axis: frame.labels(axis)[0] for axis in frame.axes if axis not in wanted}
            value = frame.at({**single, **wanted})
            if value is not None and (value.mean > 0 or not plot.logarithmic):
                points.append((float(label) if numeric else at, value.mean, value.half or 0.0))
        if not points:
            continue
        x, y, halves = zip(*sorted(points), strict=True)
        look = {
            "color": COLOURS[place % len(COLOURS)],
            "marker": MARKS[place % len(MARKS)],
            "linestyle": DASHES[place % len(DASHES)],
            "label": name,
        }
        axes.errorbar(x, y, yerr=halves if any(halves) else None, capsize=3, markersize=4, **look)
    if not numeric:
        step = max(1, len(labels) // 16)
        axes.set_xticks(range(0, len(labels), step), labels[::step], rotation=45, ha="right")
    if plot.lines is not None:
        # Beside the axes: inside, it would cover lines.
        axes.figure.legend(title=plot.lines, title_fontsize=8, fontsize=8, loc="outside right upper")


def _label_plainly(axis: Any) -> None:
    """Write 0.01, 100, 20,000 at a logarithmic axis, and between the powers of ten if there are few."""
    from matplotlib.ticker import FuncFormatter

    low, high = sorted(axis.get_view_interval())
    few = high < 100 * low

    def between(value: float, _: object) -> str:
        return f"{value:,g}" if few and f"{value:e}"[0] in "25" else ""

    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axis.set_minor_formatter(FuncFormatter(between))


def _words(measure: str) -> str:
    """`months.mean_bounded_slowdown_fw98` as `mean bounded slowdown`."""
    return measure.rpartition(".")[2].removesuffix("_fw98").removesuffix("_n12").replace("_", " ")


def _is_number(label: str) -> bool:
    try:
        float(label)
    except ValueError:
        return False
    return True
