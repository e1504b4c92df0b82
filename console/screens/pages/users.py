"""The page of users: who has what, has used what, and how long they wait; Enter filters the queue by one."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.pages.detail import Detail, Step
from shadowtime.console.screens.pages.users_text import meaning, odds_lines, users_table
from shadowtime.console.session.jobs.users import USAGE, Share, Usage, UsageWork
from shadowtime.console.session.table.filtering import exactly
from shadowtime.console.session.table.ordering import Order
from shadowtime.console.widgets.frame.ink import Line, wrap
from shadowtime.console.widgets.frame.lines import EVERYTHING
from shadowtime.console.words.phrases import so_far

JOBS = 5
"""Jobs of the user under the cursor whose likely starts are shown."""
HEAD = 1
"""Lines above the users."""


class UsersPage(Detail):
    """Users or classes, sorted; `filter_by` shows the jobs of one alone in the queue."""

    BINDINGS: ClassVar[list[BindingType]] = [
        # Before the body below, which would scroll.
        Binding("up", "choose(-1)", show=False, priority=True),
        Binding("down", "choose(1)", show=False, priority=True),
        Binding("pageup", "choose(-10)", show=False, priority=True),
        Binding("pagedown", "choose(10)", show=False, priority=True),
        Binding("home", f"choose({-EVERYTHING})", show=False, id="first", priority=True),
        Binding("end", f"choose({EVERYTHING})", show=False, id="last", priority=True),
        Binding("enter", "jobs", "the jobs", id="detail", priority=True),
        Binding("s", "sort(1)", "sort", id="sort"),
        Binding("S", "turn", "the other way round", id="sort_reverse"),
        Binding("tab", "classes", "users or classes", id="next_panel", priority=True),
    ]
    KEYS = (
        ("escape", "back"),
        ("detail", "the jobs"),
        ("next_panel", "classes"),
        ("sort", "sort"),
        ("sort_reverse", "reverse"),
        ("copy", "copy"),
        ("forward", "step"),
    )

    def __init__(self, desk: Desk, step: Step, filter_by: Callable[[str], None]) -> None:
        self._filter_by = filter_by
        self._usage: Usage | None = None
        self._order = Order(USAGE)
        self._by_class = False
        self._chosen: str | None = None
        """The name under the cursor, which stays with it; None is the first."""
        super().__init__(desk, step, "USERS", self._lines)

    def follow(self) -> None:
        if not self.desk.busy:
            self.do(UsageWork(self.desk.session.run), self._take)

    def _take(self, found: Usage | None, _: str) -> None:
        self._usage = found

    @property
    def _ranked(self) -> Sequence[Share]:
        if self._usage is None:
            return ()
        shares = self._usage.classes if self._by_class else self._usage.users
        return self._order.of(shares, self._usage)

    @property
    def _place(self) -> int:
        names = [share.name for share in self._ranked]
        return names.index(self._chosen) if self._chosen in names else 0

    def _lines(self, width: int) -> Sequence[Line]:
        if self._usage is None:
            return [[(f"adding up ...{so_far(self._share)}   Esc breaks it off", "dim")]]
        shares, usage, unit = self._ranked, self._usage, self.desk.unit
        if not shares:
            return [[("no job has been submitted yet", "dim")]]
        table = users_table(usage, shares, self._by_class, unit, width - 2, self._order)
        place = self._place
        rows: list[Line] = [
            [("> " if at == place else "  ", "key"), *table.line(share)] for at, share in enumerate(shares)
        ]
        rows[place + 1 : place + 1] = self._odds(shares[place].name, width)
        return [[("  ", "head"), *table.heading()], *rows, [], *wrap(meaning(unit), width, "dim")]

    def _odds(self, name: str, width: int) -> list[Line]:
        """The likely starts of the jobs of who is under the cursor, the first ones first."""
        session, desk = self.desk.session, self.desk
        if desk.busy or session.forecasts.latest_likely is None:
            return []
        order = session.order("likely", False, exactly("class" if self._by_class else "user", name))
        waiting = [row for row in desk.rows(order, 0, JOBS + 1) if row.likely is not None]
        lines = odds_lines(waiting[:JOBS], desk.snapshot.number, width, desk.unit)
        return [*lines, [("    ... Enter shows all", "dim")]] if len(waiting) > JOBS else lines

    def action_choose(self, lines: int) -> None:
        shares = self._ranked
        if shares:
            place = min(max(0, self._place + lines), len(shares) - 1)
            self._chosen = shares[place].name
            self.freshen()
            last = place == len(shares) - 1
            # The likely starts below the row are part of it.
            below = len(self._body.lines) - 1
            self._body.keep_in_sight(below if last else min(below, HEAD + place + JOBS + 1) if place else 0)
            self._body.keep_in_sight(HEAD + place if place else 0)

    def action_sort(self, step: int) -> None:
        self._order = self._order.next(step=step)
        self.freshen()

    def action_turn(self) -> None:
        self._order = self._order.turned()
        self.freshen()

    def action_classes(self) -> None:
        self._by_class, self._chosen = not self._by_class, None
        self.entitle("CLASSES" if self._by_class else "USERS")
        self.freshen()

    def action_jobs(self) -> None:
        """Leave, and show the jobs of who is under the cursor alone in the queue."""
        shares = self._ranked
        if shares:
            name = shares[self._place].name
            self.dismiss()
            self.app.call_later(self._filter_by, exactly("class" if self._by_class else "user", name))
