"""Steering: what the operator does to jobs, nodes and the policy, takes back, does again, and saves."""

from collections.abc import Callable, Container, Mapping, Sequence
from functools import cache
from typing import ClassVar

from textual.binding import Binding, BindingType

from shadowtime.console import words
from shadowtime.console.screens.console.desk import Desk
from shadowtime.console.screens.impact.menu import ImpactMenu, Menu, MenuLine, Take
from shadowtime.console.screens.travel.play import Play
from shadowtime.console.screens.travel.view import TravelView
from shadowtime.console.session import Action, Session, SessionError
from shadowtime.console.session.impact.advice import Advised
from shadowtime.console.session.nodes.watch import empty_at
from shadowtime.console.session.operator.journal import JournalEntry
from shadowtime.console.session.permissions import permissions_of

NEEDS_MORE: Mapping[str, str] = {
    "class": "a class, such as debug",
    "priority": "a whole number; the highest goes first",
    **dict.fromkeys(("drain", "down", "up"), "0-15   3,8-11"),
    "policy": "easy   easy:scan=shortest   gang:quantum=60",
    "set": "key=value, as in quantum=60",
}
"""What is typed after a command, if it needs more than what it is done to."""
SAYS: Mapping[str, str] = {
    "hold": "out of the queue until released",
    "release": "back into the queue, at its place",
    "start": "now, on the lowest idle {units}",
    "suspend": "off its {units}, with what it has done",
    "resume": "back into the queue, with what is left of it",
    "cancel": "over at once",
    "class": "another class ...",
    "priority": "another priority ...",
    "drain": "out of service when its job leaves",
    "down": "out of service; its job is struck",
    "up": "in service again",
    "policy": "another policy from here on ...",
    "set": "another value of a parameter ...",
}
"""What each action does, in the menu, for `Unit.fill`."""
ON_A_JOB = ("hold", "release", "start", "suspend", "resume", "cancel", "class", "priority")
ON_NODES = ("drain", "down", "up")
ON_THE_MACHINE = ("policy", "set")


def choices(session: Session, job: int | None, node: int | None, unit: words.Unit) -> list[MenuLine]:
    """What can be done to a job, by id, to a node and to the machine; what cannot, with the reason."""
    found: list[MenuLine] = []
    if job is not None:
        found += [_on_job(session, do, job, unit) for do in ON_A_JOB]
    if node is None:
        found += [MenuLine(do, unit.fill(SAYS[do]), asks=True) for do in ON_NODES]
    else:
        for do in ON_NODES:
            refusal = session.refusal(Action(do, nodes=((node, node + 1),)))
            says = _says_drain(session, node, unit) if do == "drain" else unit.fill(SAYS[do])
            found.append(MenuLine(f"{do} {node}", says, refusal))
    found += [MenuLine(do, unit.fill(SAYS[do]), asks=True) for do in ON_THE_MACHINE]
    # What can be done stands before what cannot.
    return sorted(found, key=lambda choice: choice.refusal is not None)


def _says_drain(session: Session, node: int, unit: words.Unit) -> str:
    """What draining a node does, with when it is empty."""
    when = words.emptied(empty_at(session.run, ((node, node + 1),)), session.time, unit.clock)
    return f"{unit.fill(SAYS['drain'])}: {when}"


def _on_job(session: Session, do: str, job: int, unit: words.Unit) -> MenuLine:
    to = "production" if do == "class" else 0 if do == "priority" else None
    refusal = session.refusal(Action(do, job=job, to=to))
    return MenuLine(f"{do} {job}", unit.fill(SAYS[do]), refusal, do in NEEDS_MORE)


class Steering:
    """Does actions, takes them back, does them again, and saves the session.

    `chosen` is the job looked at, `node` the node under the cursor, `command` does what a typed line says,
    `restart` begins anew what runs behind the screen: the course is another one. `keep` keeps what no file
    has; it may raise OSError and SessionError.
    """

    def __init__(
        self,
        view: TravelView,
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
            self._view.open_page(Menu("ACTIONS", found, self._take))

    def chosen_job(self) -> int | None:
        chosen = self._chosen()
        return None if chosen is None else self._session.id_of(chosen)

    def take_advice(self, found: Advised, place: int) -> None:
        advice = found.advice[place]
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

    def _take_beside(self, choice: MenuLine) -> None:
        """Show what would come of it beside this run, or ask for what it needs."""
        if choice.asks:
            line = f"whatif {choice.command}"
            self._view.ask(line, f"what if {choice.command} ", hint=NEEDS_MORE[choice.command.split()[0]])
        else:
            self._command(f"whatif {choice.command}")

    def _take(self, choice: MenuLine) -> None:
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
            at = empty_at(self._session.run, action.nodes)
            empty = f", {words.emptied(at, self._session.time, self._desk.clock)}"
        self._steered(f"{words.did(action)}{empty}; {self._view.key('undo')} takes it back")

    def undo(self) -> None:

        def worded(entry: JournalEntry, here: int, came: bool) -> str:
            text = words.taken_back(entry.action, entry.event, here, came)
            return f"{text}; {self._view.key('redo')} does it again"

        self._back_or_again(
            self._session.undo, words.nothing_done(self._session.case.scenario.actions), worded
        )

    def redo(self) -> None:

        def worded(entry: JournalEntry, here: int, came: bool) -> str:
            return words.done_again(entry.action, entry.event, came)

        self._back_or_again(self._session.redo, words.NOTHING_TAKEN_BACK, worded)

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
        self._desk.forget_changes()
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
        path = self._session.operator.save_named(rest, force)
        self._keep()
        worded = words.count(len(self._session.journal), "action")
        self._view.say(f"saved to {path} with {worded}; every further action is written there too", "good")


class TryingMenu(ImpactMenu):
    """The menu, in which what is under the cursor can be tried; `beside` hears what is tried."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("equals_sign", "what_if", "what if", id="compare")]
    KEYS = (("detail", "do it"), ("compare", "what if"), ("escape", "back"))

    def __init__(self, found: Sequence[MenuLine], take: Take, desk: Desk, beside: Take) -> None:
        super().__init__("ACTIONS", found, take, cache(desk.session.outlook), desk.clock)
        self._beside = beside

    def action_what_if(self) -> None:
        """Try what is under the cursor, in a run beside this one."""
        self.choose(self.place, self._beside)
