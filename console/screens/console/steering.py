"""Steering: what the operator does to jobs, nodes and the policy, takes back, does again, and saves."""

from collections.abc import Callable, Container, Mapping, Sequence
from functools import cache
from typing import ClassVar

import attrs
from textual.binding import Binding, BindingType

from shadowtime.console import words
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.console.view import ConsoleView
from shadowtime.console.screens.impact.impact_text import impact_rows
from shadowtime.console.screens.impact.live import LiveImpact
from shadowtime.console.screens.pages.picker import CursorPage
from shadowtime.console.screens.travel.play import Play
from shadowtime.console.session import Action, Session, SessionError
from shadowtime.console.session.impact.advice import Advised
from shadowtime.console.session.operator.journal import JournalEntry
from shadowtime.console.session.permissions import permissions_of
from shadowtime.console.widgets.frame.ink import Line, cell, clip, plain, printable
from shadowtime.console.widgets.frame.panel import Frame
from shadowtime.console.words.impact import headline, summary

NEEDS_MORE: Mapping[str, str] = {
    "class": "a class, such as debug",
    "priority": "a whole number; the highest goes first",
    **dict.fromkeys(("drain", "down", "up"), "0-15   3,8-11"),
    "policy": "easy   easy:scan=shortest   gang:quantum=60",
    "set": "key=value, as in quantum=60",
}
"""What is typed after a command, if it needs more than what it is done to."""
SAYS: Mapping[str, str] = {
    "hold": "out of the queue until it is released",
    "release": "back into the queue, at its place",
    "start": "now, on the lowest idle {units}",
    "suspend": "off its {units}, with what it has done",
    "resume": "back into the queue, with what is left of it",
    "cancel": "over at once",
    "class": "another class ...",
    "priority": "another priority ...",
    "drain": "out of service as soon as its job leaves",
    "down": "out of service; the job on it is struck",
    "up": "in service again",
    "policy": "another policy from here on ...",
    "set": "another value of a parameter ...",
}
"""What each action does, in the menu, for `Unit.fill`."""
NOBODY = "no job is selected and no node is under the cursor of panel 1: there is nothing to act on"
USER_ASKS = ("size", "estimate")
"""What only the user of a job can change."""
ON_A_JOB = ("hold", "release", "start", "suspend", "resume", "cancel", "class", "priority")
ON_NODES = ("drain", "down", "up")
ON_THE_MACHINE = ("policy", "set")


@attrs.frozen
class Choice:
    """One line of the menu: the command so far, what it does, and why it cannot be done here and now."""

    command: str
    does: str
    refusal: str | None = None
    asks: bool = False
    """Whether more has to be typed."""


def choices(session: Session, job: int | None, node: int | None, unit: words.Unit) -> list[Choice]:
    """What can be done to a job, by id, to a node and to the machine; what cannot, with the reason."""
    found: list[Choice] = []
    if job is not None:
        found += [_on_job(session, do, job, unit) for do in ON_A_JOB]
    if node is None:
        found += [Choice(do, unit.fill(SAYS[do]), asks=True) for do in ON_NODES]
    else:
        for do in ON_NODES:
            refusal = session.refusal(Action(do, nodes=((node, node + 1),)))
            says = _says_drain(session, node, unit) if do == "drain" else unit.fill(SAYS[do])
            found.append(Choice(f"{do} {node}", says, refusal))
    found += [Choice(do, unit.fill(SAYS[do]), asks=True) for do in ON_THE_MACHINE]
    # What can be done stands before what cannot.
    return sorted(found, key=lambda choice: choice.refusal is not None)


def _says_drain(session: Session, node: int, unit: words.Unit) -> str:
    """What draining a node does, with when it is empty."""
    when = words.emptied(session.empty_at(((node, node + 1),)), session.time, unit.clock)
    return f"{unit.fill(SAYS['drain'])}: {when}"


def _on_job(session: Session, do: str, job: int, unit: words.Unit) -> Choice:
    to = "production" if do == "class" else 0 if do == "priority" else None
    refusal = session.refusal(Action(do, job=job, to=to))
    return Choice(f"{do} {job}", unit.fill(SAYS[do]), refusal, do in NEEDS_MORE)


class Steering:
    """Does actions, takes them back, does them again, and saves the session.

    `chosen` is the job looked at, `node` the node under the cursor, `command` does what a typed line says,
    `restart` begins anew what runs behind the screen: the course is another one. `keep` keeps what no file
    has; it may raise OSError and SessionError.
    """

    def __init__(
        self,
        view: ConsoleView,
        desk: Desk,
        play: Play,
        *,
        chosen: Callable[[], int | None],
        node: Callable[[], int | None],
        command: Callable[[str], None],
        restart: Callable[[], None],
        keep: Callable[[], None],
        unoffered: Container[str],
    ) -> None:
        self._view = view
        self._desk = desk
        self._session = desk.session
        self._play = play
        self._chosen = chosen
        self._node = node
        self._command = command
        self._restart = restart
        self._keep = keep
        self._unoffered = unoffered

    def menu(self) -> None:
        """Show what can be done to the selected job, to the node at the cursor and to the machine."""
        if self._refused():
            return
        found = [
            choice
            for choice in choices(self._session, self.chosen_job(), self._node(), self._desk.unit)
            if choice.command.split()[0] not in self._unoffered
        ]
        if "whatif" not in self._unoffered:
            self._view.open_page(TryingMenu(found, self._take, self._desk, self._take_beside))
        else:
            self._view.open_page(Menu(found, self._take))

    def chosen_job(self) -> int | None:
        """Return the id of the job looked at."""
        chosen = self._chosen()
        return None if chosen is None else self._session.id_of(chosen)

    def take_advice(self, found: Advised, place: int) -> None:
        """Do what was chosen; what only the user of the job can do gives a message."""
        advice = found.advice[place]
        if advice.do[0].split()[0] in USER_ASKS:
            self._view.say(f"{advice.do[0]} is for the user of the job to ask for", "warn")
            return
        for action in advice.do:
            self.do(action)
        if advice.then:
            self._view.say(
                f"{' and '.join(advice.do)}: done; {' and '.join(advice.then)} once job {found.job} runs"
            )

    def _refused(self) -> bool:
        """Whether the operator may not act; a message says so."""
        refusal = permissions_of(self._view.app).no_acting
        if refusal:
            self._view.say(refusal, "warn")
        return bool(refusal)

    def _take_beside(self, choice: Choice) -> None:
        """Show what would come of it beside this run, or ask for what it needs."""
        if choice.asks:
            line = f"whatif {choice.command}"
            self._view.ask(line, f"what if {choice.command} ", hint=NEEDS_MORE[choice.command.split()[0]])
        else:
            self._command(f"whatif {choice.command}")

    def _take(self, choice: Choice) -> None:
        """Do what was chosen, or ask for what it needs."""
        if choice.asks:
            do = choice.command.split()[0]
            self._view.ask(choice.command, f"{choice.command} ", hint=NEEDS_MORE[do])
        else:
            self.do(choice.command)

    def do(self, text: str) -> None:
        """Do something as it is typed; a refusal says why, in one line, and nothing changes."""
        if self._refused():
            return
        self._play.pause()
        try:
            action = self._session.act(text)
        except SessionError as error:
            self._view.say(str(error), "warn")
            return
        if action.job is not None:
            # Wherever it goes in the queue, the next action is for the same job.
            self._desk.selected = self._session.index_of(action.job)
        empty = ""
        if action.do == "drain":
            at = self._session.empty_at(action.nodes)
            empty = f", {words.emptied(at, self._session.time, self._desk.clock)}"
        self._steered(f"{words.did(action)}{empty}; {self._view.key('undo')} takes it back")

    def undo(self) -> None:
        """Take the last action back, and stand right before it."""

        def worded(entry: JournalEntry, here: int, came: bool) -> str:
            text = words.taken_back(entry.action, entry.event, here, came)
            return f"{text}; {self._view.key('redo')} does it again"

        self._back_or_again(
            self._session.undo, words.nothing_done(self._session.case.scenario.actions), worded
        )

    def redo(self) -> None:
        """Do the action again that was taken back last."""

        def worded(entry: JournalEntry, here: int, came: bool) -> str:
            return words.done_again(entry.action, entry.event, came)

        self._back_or_again(self._session.redo, "nothing has been taken back", worded)

    def _back_or_again(
        self,
        move: Callable[[], JournalEntry | None],
        nothing: str,
        worded: Callable[[JournalEntry, int, bool], str],
    ) -> None:
        """Take an action back or do one again, if there is one, and show a message.

        `worded` gets it, the event at which the operator stood, and whether the event that it follows comes.
        """
        if self._refused():
            return
        self._play.pause()
        here = self._session.number
        try:
            entry = move()
        except SessionError as error:
            self._view.say(str(error), "warn")
            return
        if entry is None:
            self._view.say(nothing, "warn")
            return
        came = self._session.number >= entry.event
        if not came:
            # Nothing happened, so nothing is to be seen elsewhere.
            self._session.go_event(here)
        self._steered(worded(entry, here, came))

    def _steered(self, worded: str) -> None:
        """The course is another one: paint it, and write it where it is saved."""
        self._restart()
        self._view.arrive()
        self._view.say(worded)
        if permissions_of(self._view.app).no_writing:
            return
        try:
            self._session.keep()
            self._keep()
        except (OSError, SessionError) as error:
            self._view.say(f"{worded}; not saved: {error}", "warn")

    def save(self, rest: str, force: bool = False) -> None:
        """Save the session as a scenario file. SessionError where that would lose another file."""
        refusal = permissions_of(self._view.app).no_writing
        if refusal:
            raise SessionError(refusal)
        path = rest or self._session.saved_path
        if not path:
            raise SessionError("save where? expected the name of a file, such as save session.toml")
        try:
            self._session.save(path, force)
            self._keep()
        except OSError as error:
            raise SessionError(f"{path}: {(error.strerror or str(error)).lower()}") from error
        worded = words.count(len(self._session.journal), "action")
        self._view.say(f"saved to {path} with {worded}; every further action is written there too", "good")


WORST = 5
"""Jobs of an impact that the menu lists."""
Take = Callable[[Choice], None]


class Menu(CursorPage):
    """What can be done; Enter does it. It lies over the lower half: what is decided about stays in sight."""

    KEYS: ClassVar[tuple[tuple[str, str], ...]] = (("detail", "do it"), ("escape", "back"))

    def __init__(self, found: Sequence[Choice], take: Take) -> None:
        self._found = found
        super().__init__("ACTIONS", self._cut, lambda: len(found), lambda place: self.choose(place, take))

    def _cut(self, width: int) -> Sequence[Line]:
        if not self._found:
            return [[(NOBODY, "dim")]]
        return [clip(line, width) for line in self._whole()]

    def action_move(self, lines: int) -> None:
        """Move the cursor; what cannot be done shows the whole reason on the last line."""
        super().action_move(lines)
        choice = self._found[self.place] if self._found else None
        refusal = choice.refusal if choice is not None else None
        self.tell(*([(f"{printable(refusal)}   ", "warn")] if refusal else []))

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
            self.tell((f"{printable(choice.refusal)}   ", "warn"))
            return
        self.dismiss()
        self.app.call_later(take, choice)


class TryingMenu(Menu):
    """A menu that shows whom the action at the cursor delays and helps; `beside` hears what is tried."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("equals_sign", "what_if", "what if", id="compare")]
    KEYS = (("detail", "do it"), ("compare", "what if"), ("escape", "back"))

    def __init__(self, found: Sequence[Choice], take: Take, desk: Desk, beside: Take) -> None:
        super().__init__(found, take)
        self._beside = beside
        self._impact = LiveImpact(cache(desk.session.outlook), self.freshen)
        self._clock = desk.clock

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

    def below(self, place: int, width: int) -> Sequence[Line]:
        """The impact of the action under the cursor."""
        choice = self._found[place]
        lines: list[Line] = []
        impact = self._impact.of(choice.command)
        # On the frame where a low screen has no room for it under the list.
        low = self._body.size.height < len(self._found) + 2
        foot = summary(impact.totals) if impact is not None and low else ""
        self.query_one(Frame).subtitle(foot)
        if impact is not None:
            rows = [plain(row) for row in impact_rows(impact, width, self._clock)]
            texts = [headline(impact), *rows[:WORST]]
            lines += [[(f"  {printable(text)}", "text" if at else "strong")] for at, text in enumerate(texts)]
            if len(rows) > WORST:
                lines.append([(f"  and {len(rows) - WORST:,} more: :impact {choice.command}", "dim")])
        elif choice.refusal is None and not choice.asks:
            lines.append([("  whom it delays and helps is being found ...", "dim")])
        return lines

    def action_what_if(self) -> None:
        """Try what is under the cursor, in a run beside this one."""
        self.choose(self.place, self._beside)
