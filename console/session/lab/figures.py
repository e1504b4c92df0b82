"""One look for every picture of a report, legible in grey. Pictures are drawn with matplotlib, an extra."""

from pathlib import Path
from textwrap import fill
from typing import Any

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.writers import written_bytes

# Okabe and Ito's colours, with marks, dashes and hatches beside them: nothing is known by its colour alone.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MARKS = "osD^vP*"
DASHES = ("-", "--", "-.", ":")
HATCHES = ("", "//", "..", "\\\\", "xx", "--", "++")
SEED = "shadowtime"
HEIGHT = 4.5
NARROWEST, WIDEST = 7.2, 16.0
A_BAR = 0.16
"""Inches: bars need room, so the figure is as wide as they are many."""
MOST_LABELS = 16
LETTERS = 7.5
"""Of a title, an inch of the figure."""


def new_figure(bars: int = 0) -> tuple[Any, Any]:
    """Return a figure with room for so many bars, and its axes. SessionError without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        raise SessionError("plots need the package matplotlib; install shadowtime[plots]") from None
    matplotlib.use("Agg")
    # Without it the ids in an SVG are drawn by chance, and no two reports would be alike.
    matplotlib.rcParams["svg.hashsalt"] = SEED
    # A dollar in a name would begin a formula.
    matplotlib.rcParams["text.parse_math"] = False
    from matplotlib.figure import Figure

    width = min(max(NARROWEST, 2 + A_BAR * bars), WIDEST)
    figure = Figure(figsize=(width, HEIGHT), layout="constrained")
    return figure, figure.add_subplot()


def save(figure: Any, folder: Path, name: str) -> None:
    """Write a figure as SVG and PNG, the same bytes each time."""
    with written_bytes(folder / f"{name}.svg") as stream:
        figure.savefig(stream, format="svg", metadata={"Date": None})
    with written_bytes(folder / f"{name}.png") as stream:
        figure.savefig(stream, format="png", dpi=150, metadata={"Software": None})


def colours(count: int) -> list[Any]:
    """Return so many colours: those that anyone can distinguish, or a scale from dark to light."""
    if count <= len(COLOURS):
        return list(COLOURS[:count])
    from matplotlib import colormaps

    scale = colormaps["viridis"]
    return [scale(place / (count - 1)) for place in range(count)]


def bar_looks(count: int) -> list[dict[str, Any]]:
    """Return the looks of the bars of a group."""
    looks = []
    for place, colour in enumerate(colours(count)):
        hatch = HATCHES[place % len(HATCHES)] if count <= len(COLOURS) else ""
        looks.append({"color": colour, "hatch": hatch, "edgecolor": "white", "linewidth": 0.4})
    return looks


def write_labels(axes: Any, labels: tuple[str, ...] | list[str]) -> None:
    """Write labels at 0, 1, 2, ...; every so many if they are many."""
    step = max(1, -(-len(labels) // MOST_LABELS)) if len(labels) > 2 * MOST_LABELS else 1
    slant = {"rotation": 45, "ha": "right"} if sum(map(len, labels[::step])) > 60 or len(labels) > 8 else {}
    axes.set_xticks(range(0, len(labels), step), labels[::step], **slant)


def legend(axes: Any, title: str) -> None:
    """Beside the axes: inside, it would cover what is drawn."""
    axes.figure.legend(title=title, title_fontsize=8, fontsize=8, loc="outside right upper")


def label_plainly(axis: Any) -> None:
    """Write 0.01, 100, 20,000 at a logarithmic axis, and between the powers of ten if there are few."""
    from matplotlib.ticker import FuncFormatter

    low, high = sorted(axis.get_view_interval())
    few = high < 100 * low

    def between(value: float, _: object) -> str:
        return f"{value:,g}" if few and f"{value:e}"[0] in "25" else ""

    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axis.set_minor_formatter(FuncFormatter(between))


def finish(axes: Any, title: str, x: str, y: str) -> None:
    """Write the title and what stands at the axes."""
    # As wide as the axes: what is longer would cover the legend.
    letters = int(LETTERS * axes.figure.get_figwidth())
    axes.set_title(fill(title, letters, break_on_hyphens=False), fontsize=11)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.3, axis="y" if axes.patches else "both")
    axes.set_axisbelow(True)
