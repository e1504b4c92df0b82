"""The page of a verdict: what changes, for whom, and the jobs whose wait changes most."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from shadowtime.console.clock import Clock, duration
from shadowtime.console.screens.impact.found_page import FoundPage, Table, table
from shadowtime.console.session.comparison.lane import Lane
from shadowtime.console.session.comparison.lockstep import MOST
from shadowtime.console.session.comparison.verdict import LaneVerdict, VerdictWork
from shadowtime.console.widgets.compare import verdict as words
from shadowtime.console.widgets.frame.ink import Line, wrap
from shadowtime.console.words.phrases import slip

USERS = 6
"""Users that are listed, those whose waits change most."""
LANE = 16
"""Cells for the name of a lane."""


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
        lanes = [(str(place), f"in lane {place}") for place in range(1, len(self._lanes) + 1)]
        return [first, *lanes, *others] if first[0] == "detail" else [first, *others]

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
            names = [name[:LANE] for name in found.names]
            lines += [[], *table([words.headings(names), *users], width)]
        if not found.worst:
            return lines
        heading = next(table(self._cells(found), width))
        return [*lines, [], [("WHOSE WAIT CHANGES MOST", "head")], [("  ", "text"), *heading]]

    def _jobs(self, found: LaneVerdict, width: int) -> Sequence[Line]:
        return list(table(self._cells(found), width))[1:]

    def _cells(self, found: LaneVerdict) -> Table:
        rows: list[Sequence[str]] = [
            tuple(
                heading.upper()
                for heading in (
                    "user",
                    "job",
                    "size",
                    "submitted",
                    *(name[:LANE] for name in found.names),
                    *_changes(found),
                )
            )
        ]
        columns = self._lanes[0].case.columns
        for job, waits in listed(found):
            who = columns.user[job] or "-", self._lanes[0].row(job).called, f"{columns.size[job]:,}"
            by = (slip(wait - waits[0]) for wait in waits[1:])
            rows.append((*who, self._clock.format(columns.submit[job]), *map(duration, waits), *by))
        return rows


def listed(found: LaneVerdict) -> Sequence[tuple[int, Sequence[int]]]:
    """Return the jobs, by index, with their waits: those that wait longer before the others, by how much."""

    def place(row: tuple[int, Sequence[int]]) -> tuple[bool, int]:
        by = max((wait - row[1][0] for wait in row[1]), key=abs)
        return by < 0, -abs(by)

    return sorted(zip(found.worst, found.waits, strict=True), key=place)


def _changes(found: LaneVerdict) -> Sequence[str]:
    others = found.names[1:]
    return ["change" if len(others) == 1 else f"change {name}"[:LANE] for name in others]
