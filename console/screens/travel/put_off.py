"""The page of the jobs that were put off; Enter goes to the instant at which one was put off furthest."""

from collections.abc import Callable, Sequence
from heapq import nlargest
from operator import attrgetter
from typing import ClassVar

from textual.binding import Binding, BindingType

from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.impact.found_page import FoundPage, table
from shadowtime.console.session.jobs.put_off import ORDERS, PutOff, PutOffWork
from shadowtime.console.widgets.frame.ink import Line, wrap
from shadowtime.console.words import moving as words
from shadowtime.console.words.phrases import slip

SHOWN = 200
"""Jobs that are listed."""
SPARE = ("SIZE", "USER")
"""Columns that are left out where there is no room for all, the first first."""


class PutOffPage(FoundPage[Sequence[PutOff]]):
    """The jobs in one of three orders."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("s", "sort", "sort", id="sort")]
    KEYS = (("detail", "to that instant"), ("sort", "sort"), ("escape", "back"), ("copy", "copy"))

    def __init__(self, title: str, work: PutOffWork, desk: Desk, go: Callable[[PutOff], None]) -> None:
        self._desk, self._order = desk, ORDERS[0]
        self._ranked: dict[str, Sequence[PutOff]] = {}
        super().__init__(
            title,
            work,
            "following the start of every job",
            self._above,
            lambda found, width: self._table(found, width)[1:],
            lambda found, place: go(self._listed(found)[place]),
        )

    def _listed(self, found: Sequence[PutOff]) -> Sequence[PutOff]:
        if self._order not in self._ranked:
            self._ranked[self._order] = nlargest(SHOWN, found, attrgetter(self._order))
        return self._ranked[self._order]

    def _above(self, found: Sequence[PutOff], width: int) -> Sequence[Line]:
        text = words.were_put_off(len(found), min(SHOWN, len(found)), self._order)
        heading: Sequence[Line] = [[("  ", "text"), *self._table(found, width - 2)[0]]] if found else []
        return [*wrap(text, width, "text"), [], *heading]

    def _table(self, found: Sequence[PutOff], width: int) -> Sequence[Line]:
        rows: list[Sequence[str]] = [words.PUT_OFF_COLUMNS]
        columns, clock = self._desk.case.columns, self._desk.clock
        for job in self._listed(found):
            who = str(columns.id[job.job]), columns.user[job.job] or "-", f"{columns.size[job.job]:,}"
            rows.append((*who, f"{job.times:,}", slip(job.most), clock.format(job.at), slip(job.slip)))
        return list(table(rows, width, SPARE))

    def action_sort(self) -> None:
        """Order the jobs by the next of their figures."""
        self._order = ORDERS[(ORDERS.index(self._order) + 1) % len(ORDERS)]
        self.place = 0
        self.freshen()
        self.keep_in_sight()
