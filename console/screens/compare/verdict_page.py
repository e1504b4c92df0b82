"""The page of a verdict: what changes, for whom, and the jobs whose wait changes most."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from shadowtime.console.clock import Clock, duration
from shadowtime.console.screens.impact.found_page import GAP, FoundPage, Table, table
from shadowtime.console.session.comparison.lane import Lane
from shadowtime.console.session.comparison.lockstep import FEWEST, MOST
from shadowtime.console.session.comparison.verdict import LaneVerdict, VerdictWork
from shadowtime.console.widgets.compare import verdict as words
from shadowtime.console.widgets.frame.ink import Line, wrap
from shadowtime.console.words.phrases import slip

USERS = 6
"""Users that are listed, those whose waits change most."""
CURSOR = 2
"""Cells before a row that can be chosen."""


class VerdictPage(FoundPage[LaneVerdict]):
    """What other lanes change; from a job on the list Enter and `1` to `4` go to its start in a lane."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(str(number), f"start({number})", show=False) for number in range(1, MOST + 1)
    ]
    KEYS = (("detail", "its start"), ("escape", "back"), ("copy", "copy"))

    def __init__(
        self,
        work: VerdictWork,
        lanes: Sequence[Lane],
        clock: Clock,
        lane: int,
        go: Callable[[int, int], None],
    ) -> None:
        """`go` gets a job, by index, and the place of a lane; `lane` is the one in use."""
        self._lanes, self._clock, self._go = lanes, clock, go
        super().__init__(
            "WHAT CHANGES", work, "comparing all jobs", self._above, self._jobs, self._leading_to(lane)
        )

    @property
    def shown_keys(self) -> Sequence[tuple[str, str]]:
        """With the numbers of the lanes where there is a row."""
        first, *others = super().shown_keys
        lanes = [(f"1-{len(self._lanes)}", "in that lane")] if first[0] == "detail" else []
        return [first, *lanes, *others]

    def _leading_to(self, lane: int) -> Callable[[LaneVerdict, int], None]:
        return lambda found, place: self._go(listed(found)[place][0], lane)

    def action_start(self, number: int) -> None:
        """Go to the start of the job under the cursor in a lane."""
        if number <= len(self._lanes):
            self.take_row = self._leading_to(number - 1)
            self.action_choose()

    def _above(self, found: LaneVerdict, width: int) -> Sequence[Line]:
        lines = [
            line for text in words.verdict_lines(found, self._clock) for line in wrap(text, width, "text")
        ]
        users = [words.cells(row) for row in found.users[:USERS]]
        if users:
            rows = _fitting(lambda names: [_capitals(words.headings(names)), *users], found.names, width)
            if "MEAN [1]" in rows[0]:
                called = "  ".join(f"[{place}] {name}" for place, name in enumerate(found.names, 1))
                lines += [[], *wrap(called, width, "dim")]
            for group in (("MEDIAN",), ("LESS", "LONGER")):
                if _wide(rows) > width:
                    kept = [at for at, name in enumerate(rows[0]) if not name.startswith(group)]
                    rows = [[row[at] for at in kept] for row in rows]
            lines += [[], *table(rows, width)]
        if not found.worst:
            return lines
        heading = self._listed(found, width - CURSOR)[0]
        return [*lines, [], [("WHOSE WAIT CHANGES MOST", "head")], [("  ", "text"), *heading]]

    def _jobs(self, found: LaneVerdict, width: int) -> Sequence[Line]:
        return self._listed(found, width)[1:]

    def _listed(self, found: LaneVerdict, width: int) -> Sequence[Line]:
        columns, jobs = self._lanes[0].case.columns, listed(found)
        rows: list[Sequence[str]] = []
        for job, waits in jobs:
            who = columns.user[job] or "-", self._lanes[0].row(job).called, f"{columns.size[job]:,}"
            by = (slip(wait - waits[0]) for wait in waits[1:])
            rows.append((*who, self._clock.brief(columns.submit[job]), *map(duration, waits), *by))
        what = "user", "job", "size", "submitted"

        def made(names: Sequence[str]) -> Table:
            changes = [f"change {name}" for name in names[1:]] if len(names) > FEWEST else ["change"]
            return [_capitals((*what, *names, *changes)), *rows]

        return list(table(_fitting(made, found.names, width), width, ("SUBMITTED", "SIZE", "USER")))


def _capitals(headings: Sequence[str]) -> Sequence[str]:
    return tuple(heading.upper() for heading in headings)


def _fitting(made: Callable[[Sequence[str]], Table], names: Sequence[str], width: int) -> Table:
    """Return a table with the names of lanes, or with their numbers where it would be too wide."""
    rows = made(names)
    return rows if _wide(rows) <= width else made([f"[{place}]" for place in range(1, len(names) + 1)])


def _wide(rows: Table) -> int:
    return sum(GAP + max(map(len, column)) for column in zip(*rows, strict=True)) - GAP


def listed(found: LaneVerdict) -> Sequence[tuple[int, Sequence[int]]]:
    """Return the jobs, by index, with their waits: those that wait longer before the others, by how much."""

    def place(row: tuple[int, Sequence[int]]) -> tuple[bool, int]:
        by = max((wait - row[1][0] for wait in row[1]), key=abs)
        return by < 0, -abs(by)

    return sorted(zip(found.worst, found.waits, strict=True), key=place)
