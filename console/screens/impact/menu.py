"""A menu of what can be done, with whom the action under the cursor delays and helps."""

from collections.abc import Callable, Sequence
from typing import ClassVar

import attrs
from textual.screen import Screen
from textual.timer import Timer

from shadowtime.console.clock import Clock
from shadowtime.console.screens.impact.impact_text import impact_headings, impact_rows
from shadowtime.console.screens.pages.page import CursorPage
from shadowtime.console.session import SessionError
from shadowtime.console.session.impact.impact import Impact, ImpactWork
from shadowtime.console.session.impact.outlook import Outlook
from shadowtime.console.widgets.frame.ink import Line, cell, clip, plain, printable, wrap
from shadowtime.console.words.impact import verdict

NOBODY = "no job is selected and no node is under the cursor of panel 1: there is nothing to act on"
WORST = 5
"""Jobs of an impact that the menu lists."""
REST = 0.15
"""Seconds that the cursor rests on an action before its impact is looked for."""


@attrs.frozen
class MenuLine:
    """One line of the menu: the command so far, what it does, and why it cannot be done here and now."""

    command: str
    does: str
    refusal: str | None = None
    asks: bool = False
    """Whether more has to be typed."""


Take = Callable[[MenuLine], None]


class Menu(CursorPage):
    """What can be done; Enter does it. It lies over the lower half: what is decided about stays in sight."""

    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (("detail", "do it"), ("escape", "back"))

    def __init__(self, title: str, found: Sequence[MenuLine], take: Take) -> None:
        self._found = found
        super().__init__(title, self._cut, lambda: len(found), lambda place: self.choose(place, take))

    def _cut(self, width: int) -> Sequence[Line]:
        if not self._found:
            return [[(NOBODY, "dim")]]
        return [clip(line, width) for line in self._whole()]

    def action_move(self, lines: int) -> None:
        """Move the cursor; what cannot be done shows the whole reason on the last line."""
        super().action_move(lines)
        choice = self._found[self.place] if self._found else None
        refusal = choice.refusal if choice is not None else None
        self.show_keys(*([(f"{printable(refusal)}   ", "warn")] if refusal else []))

    def _whole(self) -> list[Line]:
        """The lines at the width that they want."""
        wide = max((len(each.command) for each in self._found), default=0) + 2
        return [
            [
                (cell(each.command, wide), "dim" if each.refusal else "text"),
                (printable(f"not now: {each.refusal}" if each.refusal else each.does), "dim"),
            ]
            for each in self._found
        ]

    def choose(self, place: int, take: Take) -> None:
        """Leave, and hand over what is at a place; show why if it cannot be done."""
        choice = self._found[place]
        if choice.refusal is not None:
            self.show_keys((f"{printable(choice.refusal)}   ", "warn"))
            return
        self.dismiss()
        self.app.call_later(take, choice)


class ImpactMenu(Menu):
    """A menu that shows whom the action at the cursor delays and helps, and a note below."""

    def __init__(
        self,
        title: str,
        found: Sequence[MenuLine],
        take: Take,
        outlook: Callable[[], Outlook],
        clock: Clock,
        note: str = "",
    ) -> None:
        super().__init__(title, found, take)
        self._impact = LiveImpact(outlook, self.freshen)
        self._clock, self._note = clock, note

    def on_mount(self) -> None:
        super().on_mount()
        self._ask()

    def on_unmount(self) -> None:
        self._impact.stop()

    def action_move(self, lines: int) -> None:
        """Move the cursor, and look for the impact of what is under it."""
        super().action_move(lines)
        self._ask()

    def _ask(self) -> None:
        choice = self._found[self.place]
        if choice.refusal is None and not choice.asks:
            self._impact.ask(self, choice.command)

    def above(self, place: int, width: int) -> Sequence[Line]:
        """The impact of the action under the cursor, between what can be done and what cannot."""
        return self._shown(width) if place == self._doable else ()

    def below(self, place: int, width: int) -> Sequence[Line]:
        lines = self._shown(width)[1:] if self._doable == len(self._found) else []
        return [*lines, *wrap(self._note, width, "dim")] if self._note else lines

    @property
    def _doable(self) -> int:
        """How many of the choices can be done: they stand first."""
        return next((place for place, each in enumerate(self._found) if each.refusal), len(self._found))

    def _shown(self, width: int) -> list[Line]:
        """The impact of the action under the cursor, behind an empty line."""
        choice = self._found[self.place]
        lines: list[Line] = [[]]
        found = self._impact.of(choice.command)
        if isinstance(found, Impact):
            rows = [plain(row) for row in impact_rows(found, width - 2, self._clock)]
            wrapped = (line for text in verdict(found) for line in wrap(text, max(1, width - 2), "strong"))
            lines += [[("  ", "strong"), *line] for line in wrapped]
            lines += [[("  ", "text"), *impact_headings(found, width - 2, self._clock)]] if rows else []
            lines += [[(f"  {printable(text)}", "text")] for text in rows[:WORST]]
            if len(rows) > WORST:
                lines.append([(f"  and {len(rows) - WORST:,} more: :impact {choice.command}", "dim")])
        elif found is not None:
            lines.append([(f"  {printable(str(found))}", "warn")])
        elif choice.refusal is None and not choice.asks:
            lines.append([("  whom it delays and helps is being found ...", "dim")])
        return lines if len(lines) > 1 else []


class LiveImpact:
    """Finds the impact of one action after another; `found` is called on the screen's thread."""

    def __init__(self, outlook: Callable[[], Outlook], found: Callable[[], None]) -> None:
        self._outlook = outlook
        self._found = found
        self._known: dict[str, Impact | SessionError] = {}
        self._at_limits: dict[str, Impact] = {}
        """Those that are still being sampled, or were broken off then."""
        self._work: ImpactWork | None = None
        self._timer: Timer | None = None

    def of(self, action: str) -> Impact | SessionError | None:
        """Return the impact of a typed action, or why it has none; None if that is not known yet."""
        return self._known.get(action, self._at_limits.get(action))

    def ask(self, screen: Screen[None], action: str) -> None:
        """Look for the impact of an action soon, unless another one is asked for before."""
        self.stop()
        if action not in self._known:
            self._timer = screen.set_timer(REST, lambda: self._begin(screen, action))

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        if self._work is not None:
            self._work.cancel()
        self._timer = self._work = None

    def _begin(self, screen: Screen[None], action: str) -> None:
        def take(found: Impact | SessionError) -> None:
            self._known[action] = found
            self._found()

        try:
            work = self._work = ImpactWork(self._outlook(), [action])
        except SessionError as error:
            take(error)
            return

        def take_limits(found: Impact) -> None:
            self._at_limits[action] = found
            self._found()

        def show_limits(found: Impact) -> None:
            if screen.is_attached:
                screen.app.call_from_thread(take_limits, found)

        work.at_limits = show_limits

        def run() -> None:
            found: Impact | SessionError | None
            try:
                found = work.run()
            except SessionError as error:
                found = error
            if found is not None and screen.is_attached:
                screen.app.call_from_thread(take, found)

        screen.run_worker(run, thread=True)
