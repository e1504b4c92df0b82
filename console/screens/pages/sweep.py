"""The page of a sweep: its progress, then its table, and the command line that does the same."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType

from shadowtime.console.keys import keyboard_of
from shadowtime.console.screens.pages.page import Page
from shadowtime.console.session import Comparison, format_action
from shadowtime.console.session.comparison.sweep import Sweep, save_csv
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.widgets.frame.ink import Line, cell, wrap
from shadowtime.console.words import count, per_cent
from shadowtime.console.words.measures import listed, never_started, written

BAR = 40
"""Cells of the bar of progress."""
LEAST = 12
"""Cells of a column of values."""
MOST_ACTIONS = 3
"""Actions that are named."""
LAST = 999
"""The last number of a file that is tried."""


def command_line(sweep: Sweep, file: str) -> str:
    """The command line that makes the same table."""
    policies = " ".join(f"--policy {shlex.quote(policy)}" for policy in sweep.policies)
    return f"shadowtime compare {shlex.quote(file)} {policies}"


def table_lines(comparison: Comparison, width: int) -> list[Line]:
    """The metrics, one a row; columns that have no room follow below, under the same rows."""
    tables = [report["metrics"] for report in comparison.reports]
    shown = listed(*(table for table in tables if isinstance(table, dict)))
    rows = [(metric, [written(metric, value) for value in values]) for metric, values in comparison.rows()]
    rows = [row for row in rows if row[0] in shown]
    first = max((len(metric) for metric, _ in rows), default=0)
    widest = max((len(name) for name in comparison.names), default=0)
    wide = max(LEAST, min(widest, width - first - 3))
    room = max(1, (width - first - 1) // (wide + 2))
    lines: list[Line] = []
    for begin in range(0, len(comparison.names), room):
        part = slice(begin, begin + room)
        names = "".join(f"  {cell(name, wide, right=True)}" for name in comparison.names[part])
        lines.append([(f"{'metric':<{first}}", "head"), (names, "head")])
        for metric, values in rows:
            text = "".join(f"  {cell(value, wide, right=True)}" for value in values[part])
            lines.append([(f"{metric:<{first}}", "dim"), (text, "text")])
        lines.append([])
    return lines


class SweepPage(Page):
    """Runs a sweep in a worker; Esc breaks it off, `s` saves the table as CSV."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("s", "save", "save", id="sort")]
    KEYS = (*Page.KEYS, ("s", "save as CSV"))

    def __init__(self, sweep: Sweep, file: str) -> None:
        super().__init__("SWEEP", self._lines)
        self._sweep = sweep
        self._file = file
        self._comparison: Comparison | None = None
        self._fault = ""

    def on_mount(self) -> None:
        super().on_mount()
        self.do(self._sweep, self._ended)

    def _ended(self, comparison: Comparison | None, fault: str) -> None:
        self._comparison, self._fault = comparison, fault

    def _lines(self, width: int) -> Sequence[Line]:
        same = wrap(command_line(self._sweep, self._file), width, "dim", [("$ ", "key")], 2)
        if self._fault:
            return [*wrap(self._fault, width, "bad"), [], *same]
        if self._comparison is not None:
            return [*table_lines(self._comparison, width), *self._beside(self._comparison, width), *same]
        full = round(BAR * self._share)
        bar: Line = [
            ("█" * full, "good"),
            ("░" * (BAR - full), "faint"),
            (f" {per_cent(self._share, 0)}", "text"),
        ]
        policies = ", ".join(self._sweep.policies)
        stops = f"{keyboard_of(self.app).first('escape')} breaks off"
        return [*wrap(f"running {policies}", width), bar, [(stops, "dim")], [], *same]

    def _beside(self, comparison: Comparison, width: int) -> Sequence[Line]:
        """What the metrics are without, and what the command needs for the same table."""
        lines = [
            line
            for text in never_started(comparison.names, comparison.reports)
            for line in wrap(text, width, "warn")
        ]
        actions = self._sweep.cases[0].scenario.actions
        if actions:
            done = "; ".join(format_action(action) for action in actions[:MOST_ACTIONS])
            more = " and others" if len(actions) > MOST_ACTIONS else ""
            text = f"under every policy: {count(len(actions), 'action')}, {done}{more}"
            text += "; the command needs them saved first (:save)"
            lines += wrap(text, width, "text")
        return [*lines, []] if lines else []

    def action_save(self) -> None:
        """Write the table into a new file of the present folder."""
        refusal = permissions_of(self.app).no_writing
        if refusal:
            self.show_keys((f"{refusal}   ", "warn"))
            return
        if self._comparison is None:
            self.show_keys(("nothing to save yet   ", "warn"))
            return
        names = ("sweep.csv", *(f"sweep-{number}.csv" for number in range(2, LAST)))
        path = next((Path(name) for name in names if not Path(name).exists()), None)
        if path is None:
            self.show_keys(("sweep.csv and its followers are there already   ", "warn"))
            return
        try:
            save_csv(self._comparison, path)
        except OSError as error:
            self.show_keys((f"{path}: {(error.strerror or str(error)).lower()}   ", "warn"))
        else:
            self.show_keys((f"wrote {path}   ", "good"))
