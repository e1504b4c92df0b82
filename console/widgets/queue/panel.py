"""The queue: every waiting and running job, one line each, drawn only where it is seen."""

from collections.abc import Callable, Sequence

import attrs
from textual.message import Message

from shadowtime.console.session.facts import Row, Snapshot
from shadowtime.console.session.jobs.fields import QUEUE
from shadowtime.console.widgets.frame.letters import letters_of
from shadowtime.console.widgets.queue.columns import At, Shape, least_reason, least_start
from shadowtime.console.widgets.table.list_table import ListTable
from shadowtime.console.words import Unit

WAITING = ("likely", "by", "in", "slip")
"""The fields that a running job may lack."""
RowsOf = Callable[[Sequence[int], int, int], Sequence[Row]]


class Queue(ListTable[int, Row]):
    """The jobs of an order, by index, at one position."""

    keeps_room, goes_on = True, False
    rows_at_once = 4

    class Selected(Message):
        """The operator moved the cursor to a job."""

        def __init__(self, job: int) -> None:
            super().__init__()
            self.job = job

    class Promised(Message):
        """The policy stands otherwise for the predicted starts that are in sight now."""

    def __init__(
        self, shape: Shape, rows: RowsOf, unit: Unit, *, starts_first: bool = False, id: str | None = None
    ) -> None:
        """`starts_first`: starts have room before reasons, and stand alone."""
        super().__init__(rows, least_start if starts_first else least_reason, id=id)
        self._at = At(shape, unit, promised=not starts_first)
        self._changed: frozenset[int] = frozenset()
        self._all_run = False
        """Whether all of the jobs run."""
        self._widest: Sequence[int] = ()
        """The most cells that each column has had."""
        self.promises: frozenset[str] = frozenset()
        """How far the policy stood for the predicted starts that were seen last."""
        self.fit(self._at.columns)

    def use(self, unit: Unit) -> None:
        """Write the numbers of the machine in a unit, and instants by its clock."""
        self._at = attrs.evolve(self._at, unit=unit)
        self.fit(self._at.columns, self.rows_in_sight)

    def show(
        self, snapshot: Snapshot, order: Sequence[int], selected: int | None, sort: str, reverse: bool
    ) -> None:
        """Show the jobs of `order` (indexes) at a position, the cursor on `selected` if it is among them."""
        self._changed = snapshot.changed
        letters = letters_of(self).held
        if snapshot.number != self._at.number or letters is not self._at.letters:
            self._at = attrs.evolve(self._at, number=snapshot.number, letters=letters)
            self.take(self._at.columns)
        running = snapshot.running
        self._all_run = 0 < len(order) <= len(running) and set(order) <= set(running)
        self._hold(order, sort, reverse)
        self.place_on(selected)

    def place_on(self, selected: int | None) -> None:
        """Put the cursor on a job, on the first line for None; for a job that is not here it is hidden."""
        self.seek(self._keys[0] if selected is None and self._keys else selected)

    @property
    def lost(self) -> bool:
        return self._sought is not None

    def moved(self) -> None:
        """Nothing: only what the operator chooses is selected."""

    def go(self, place: int) -> None:
        super().go(place)
        if self.key is not None:
            self.post_message(self.Selected(self.key))

    def base(self, row: Row) -> str:
        return "now" if row.index in self._changed else "dim" if row.state == "R" else "text"

    @property
    def _room_of_columns(self) -> Sequence[int]:
        """As many as they have had: panels do not move where columns are left out for a step."""
        return self._widest or self._wide

    def _without(self, fields: Sequence[str]) -> Sequence[int]:
        """The widths without those fields of which nothing is in sight: the room is for others."""
        titles = {QUEUE[name].title for name in fields}
        rows = self.rows_in_sight
        gone = [
            place
            for place, column in enumerate(self._columns)
            if self._wide[place] and column.title in titles and not any(map(column.text, rows))
        ]
        return [0 if place in gone else wide for place, wide in enumerate(self._wide)] if gone else self._wide

    def lay_out(self) -> None:
        self.row(self.scroll_offset.y)
        self._wide = self._without(["change", *(WAITING if self._all_run else ())])
        super().lay_out()
        had = self._widest if len(self._widest) == len(self._wide) else self._wide
        self._widest = list(map(max, self._wide, had))
        shown = any(column.title == QUEUE["starts"].title for column, _ in self._layout.columns)
        rows = self.rows_in_sight if shown else ()
        promises = frozenset(row.predicted.promise for row in rows if row.predicted is not None)
        if promises != self.promises:
            self.promises = promises
            self.post_message(self.Promised())
