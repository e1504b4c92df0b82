"""A shift in lines: the console without a screen, with what the shift allows, its figures and its debrief."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TextIO

from shadowtime.console import words
from shadowtime.console.lines import Teller
from shadowtime.console.moving_lines import MovedOutput, MovingLines
from shadowtime.console.screens.command_table import LINES, Command, commands_of
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.session import PolicyError, SessionError
from shadowtime.console.session.curriculum.trainee import Trainee
from shadowtime.console.session.shift import (
    Orders,
    References,
    Score,
    ShiftSession,
    debriefed,
    inject,
    name_of,
    open_shift,
    references_of,
    scored,
)
from shadowtime.console.words import shift as wording

AHEAD = ("policy", "compare", "whatif", "save", "save!")
"""Commands that would show what is to come, or leave the work to a scheduler."""
OWN = (
    ("status", "the figures so far, beside the baseline and the response"),
    ("rule", "how points are given"),
    ("end", "end the shift, if it is over: the score and the debrief"),
    ("inject NODES LENGTH", "the instructor's: nodes fail a second from now"),
    (
        "inject drain NODES LENGTH",
        "nodes leave service, and their jobs run on; disk: their disk is full, too",
    ),
    ("inject job SIZE LENGTH", "a job comes a second from now"),
    ("inject note TEXT", "a message comes a second from now"),
    ("anew", "begin the shift anew; what was seen counts as hindsight"),
)
"""The commands of a shift, and what each does."""


def play_shift(path: Path, source: TextIO, out: TextIO) -> int:
    """Read a shift from lines and write it to lines, from where it was left. Returns the exit code.

    ScenarioError, SessionError: what is wrong with the file.
    """
    trainee = Trainee()
    session, attempts, resumed = open_shift(path, trainee.name)
    keep = partial(trainee.keep_shift, name_of(path))
    orders = None if attempts is None else Orders(attempts)
    teller = ShiftTeller(session, references_of(session), keep, out, orders)
    teller.introduce(resumed, "" if attempts is None else attempts.fault)
    teller.converse(source)
    return 0


class ShiftMoving(MovingLines):
    """Moves in a shift: an end with jobs left is said so."""

    def __init__(self, teller: MovedOutput, shift: ShiftSession) -> None:
        super().__init__(teller)
        self._shift = shift

    def forward(self, count: int) -> None:
        for _ in range(count):
            if self._shift.over and self._shift.left_over:
                self._teller.say(f"{wording.stuck(self._shift)}; end ends it")
                return
            ended = self._shift.ended
            super().forward(1)
            if self._shift.ended and not ended:
                self._teller.say("the shift is over; end shows the score")
                return


class ShiftTeller(Teller):
    """A shift, printed to a stream of text."""

    def __init__(
        self,
        session: ShiftSession,
        compared: References,
        keep: Callable[[Score], str],
        out: TextIO,
        orders: Orders | None = None,
    ) -> None:
        super().__init__(session, out)
        self._shift = session
        self._moving = ShiftMoving(self, session)
        self._keep = keep
        self._compared = compared
        self._orders = orders

    def introduce(self, resumed: bool, fault: str) -> None:
        """Print what the shift is about, its goal and the rule of its score."""
        self.head()
        shift = self._shift.shift
        for part in self.session.case.scenario.about.split("\n\n"):
            self.say(" ".join(part.split()))
        self.say()
        for text in (shift.goal, wording.allowed(shift), wording.rule(shift, self._unit), fault):
            if text:
                self.say(" ".join(text.split()))
        if resumed:
            done = words.count(self._shift.spent, "action")
            self.say(f"resumed at {self._unit.instant(self.session.time)}, with {done}; anew begins anew")
        self.say(f"Beside the usual commands: {', '.join(f'{name} ({does})' for name, does in OWN)}.")

    def commands(self) -> Mapping[str, Callable[[str], None]]:
        # They are asked for before each line: there an order of the instructor's station is heard.
        self._listen()
        allowed = self._shift.shift.allow
        usual = {name: do for name, do in super().commands().items() if name not in AHEAD}
        policy = {"policy": lambda rest: self._steering.act(f"policy {rest}")} if "policy" in allowed else {}
        return {
            **usual,
            **policy,
            "status": lambda rest: self.status(),
            "rule": lambda rest: self.say(wording.rule(self._shift.shift, self._unit)),
            "end": lambda rest: self.end(),
            "inject": self.inject,
            "anew": lambda rest: self._anew(),
        }

    def offered(self) -> Sequence[Command]:
        """The usual commands, of the actions those that the shift allows; then those of a shift."""
        known, allowed = self.commands(), self._shift.shift.allow
        usual = (
            command
            for command in commands_of(LINES)
            if command.name == "quit"
            or (command.name in known and (command.name in allowed or not command.acts))
        )
        own = (Command(usage.partition(" ")[0], usage.partition(" ")[2], usage, does) for usage, does in OWN)
        return (*usual, *own)

    def status(self) -> None:
        for _, text in wording.standing(self._shift, self._compared, self._unit):
            self.say(text)

    def end(self) -> None:
        """The score and the debrief. Unknown if the shift is not over."""
        session = self._shift
        if not session.ended and session.over:
            session.hand_in()
        if not session.ended:
            raise Unknown("the shift is not over: jobs wait, or run, or are still to come")
        score = scored(session, self._compared)
        said = "" if session.injected else self._keep(score)
        found = debriefed(session, self._compared, score)
        for role, text in wording.debrief(found, self._compared, session.shift, self._unit):
            if role == "head":
                self.say()
            self.say(text)
        if said:
            self.say(said)

    def _listen(self) -> None:
        with suppress(SessionError, PolicyError):
            compared = None if self._orders is None else self._orders.hear(self._shift)
            if compared is not None:
                self._take(compared)

    def _take(self, compared: References) -> None:
        self._compared = compared
        # Reasons are remembered by row, and the jobs to come have other rows now.
        self._told.clear()

    def inject(self, rest: str) -> None:
        """Let something happen that the file does not have. SessionError if it cannot be done."""
        self._take(inject(self._shift, rest))
        self.say("injected: the score of this shift is shown, and not kept")

    def _anew(self) -> None:
        self._shift.begin_anew()
        self.here()
