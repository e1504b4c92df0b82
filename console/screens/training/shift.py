"""A shift: the operator acts, nothing shows what is to come, and the score and its rule are shown."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widget import Widget

from shadowtime.console.screens.actions import Action
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.help import Own
from shadowtime.console.screens.pages.page import Page, Story
from shadowtime.console.session import PolicyError, SessionError
from shadowtime.console.session.shift import (
    EVERY,
    Attempts,
    Orders,
    References,
    Score,
    ShiftSession,
    debriefed,
    inject,
    scored,
)
from shadowtime.console.widgets.frame.ink import READABLE, Line, paragraphs, printable, width_of, wrap
from shadowtime.console.widgets.frame.question import QuestionPanel
from shadowtime.console.words import count
from shadowtime.console.words import shift as words

AHEAD = frozenset(("under", "compare", "whatif", "save", "export", "seek"))
"""Commands that would show what is to come, or write a file in which it stands."""
ANEW = "anew"
"""The command that begins a shift anew."""
INJECT = "inject"
"""The instructor's command: nodes fail, or a job comes, a second from now."""
ACTS = {"policy": "policy", "set": "parameter"}
"""The commands that change the scheduler, and the actions that they are."""
JOBS_AND_NODES = (
    *("hold", "release", "cancel", "suspend", "resume", "start", "class", "priority"),
    *("drain", "down", "up"),
)

Ended = Callable[[Score], str]
"""Called with the score at the end; returns a line to say, or nothing."""


class ShiftScreen(ConsoleScreen):
    """The console of an operator who sees a shift through."""

    keeps: ClassVar[bool] = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("i", "start_job", "start", show=False, id="duty_start")]
    session: ShiftSession

    def __init__(
        self,
        session: ShiftSession,
        compared: References,
        attempts: Attempts | None = None,
        resumed: bool = False,
        ended: Ended | None = None,
        story: bool = True,
    ) -> None:
        """`story`: whether the screen begins with what the shift is about."""
        self._story = story
        self.compared = compared
        self._attempts = attempts
        self._orders = None if attempts is None else Orders(attempts)
        self._resumed = resumed
        self._heard = ended
        self._board = QuestionPanel(id="question")
        self._told: Score | None = None
        """The score that was reported last: going back and forth is no other shift."""
        self._called = False
        """Whether the end of the shift was announced."""
        self._read = False
        """Whether the debrief was opened."""
        allow = session.shift.allow
        forbidden = {word for word, do in ACTS.items() if do not in allow}
        self.unoffered = AHEAD | forbidden | {do for do in JOBS_AND_NODES if do not in allow}  # type: ignore[misc]
        super().__init__(session)

    def below_panels(self) -> Sequence[Widget]:
        return (self._board,)

    def begin(self) -> None:
        super().begin()
        self.set_interval(EVERY, self._listen)
        if not self._story:
            return
        scenario, shift = self.session.case.scenario, self.session.shift
        unit = self.desk.unit
        starts = " i starts the selected job," if "start" in shift.allow else ""
        rules = (shift.goal, words.allowed(shift), words.rule(shift, unit), HOW.format(starts=starts))
        about = [*scenario.about.split("\n\n"), *rules]
        if self._resumed:
            about.append(
                RESUMED.format(when=unit.instant(self.session.time), done=count(self.session.spent, "action"))
            )

        self.app.push_screen(Story(scenario.title, partial(paragraphs, about), self.go_back))
        if self._attempts is not None and self._attempts.fault:
            self.say(self._attempts.fault, "warn")

    @property
    def numbers(self) -> tuple[int, ...]:
        """Without the chart of what is to come."""
        return tuple(n for n in super().numbers if n != 3 or self.snapshot.matrix is not None)

    def last_event(self) -> int | None:
        return self.snapshot.number

    # Keys and commands.

    @property
    def labels(self) -> Mapping[str, str]:
        return {"quit": "leave", "train": self._onward}

    @property
    def hidden(self) -> frozenset[str]:
        return super().hidden | (set() if self.session.over else {"train"})

    @property
    def _onward(self) -> str:
        """What the key does that ends a shift."""
        if not self.session.ended:
            return "end the shift"
        return "back to training" if self._read else "the debrief"

    def actions_of(self, table: Mapping[str, Action]) -> Mapping[str, Action]:
        refused: dict[str, Action] = {word: partial(self._refuse, word) for word in ("compare", "edit")}
        moves: dict[str, Action] = {word: self._warner(table[word]) for word in ("forward", "next_decision")}
        return {**table, **refused, **moves, "train": self._end}

    def _refuse(self, word: str, *_: object) -> None:
        self.say(f"{word!r} is not for those who are on duty", "warn")

    def _warner(self, move: Action) -> Action:
        def go(*given: object) -> object:
            return None if self._warned() else move(*given)

        return go

    def _warned(self) -> bool:
        """Whether a step is not done, since nothing is left to happen or the shift would end."""
        session = self.session
        if session.over and session.left_over:
            self.say(f"{words.stuck(session)}; {self.key('train')} ends it", "warn")
            return True
        upcoming, until = self.snapshot.upcoming, session.shift.until
        last = upcoming is not None and until is not None and session.time < until <= upcoming[0]
        if not (last and self.snapshot.waiting) or self._called:
            self._called = False
            return False
        self._called = True
        self.say(words.last_call(session, self.desk.unit), "warn")
        return True

    def command(self, line: str) -> None:
        word = line.strip().split(" ")[0]
        if word in self.unoffered and word not in JOBS_AND_NODES:
            self._refuse(word)
        elif word == ANEW:
            self._anew()
        elif word == INJECT:
            self._inject(line.strip().removeprefix(INJECT))
        else:
            super().command(line)

    def action_start_job(self) -> None:
        if self.selection.chosen is None:
            self.say("no job waits", "warn")
            return
        journal = self.session.journal
        self.steering.do(f"start {self.session.id_of(self.selection.chosen)}")
        if self.session.journal != journal:
            # The next one to start is another one.
            self.desk.selected = None
            self.look()

    def _inject(self, text: str) -> None:
        """Let something happen that the file does not have; the comparison has it, too."""
        self.play.pause()
        try:
            self._surprise(lambda: inject(self.session, text), INJECTED)
        except (SessionError, PolicyError) as error:
            self.say(" ".join(str(error).split()), "warn")

    def _listen(self) -> None:
        """Do the next order of the instructor's station; nothing shows that there was one."""
        orders = self._orders
        if orders is None or self.busy or self._prompt.asking or self.app.screen is not self:
            return
        # The station shows which orders could not be done.
        with suppress(SessionError, PolicyError):
            self._surprise(lambda: orders.hear(self.session))

    def _surprise(self, do: Callable[[], References | None], said: str = "") -> None:
        run, selected = self.session.run, self.desk.selected
        job = None if selected is None else self.session.id_of(selected)
        compared = do()
        if compared is None:
            return
        if self.session.run is not run:
            self._renew(compared, job, said)
            return
        self.compared = compared
        self.arrive()
        if said:
            self.say(said, "note")

    def _renew(self, compared: References, job: int | None, said: str) -> None:
        """Go on with panels that know all jobs; the view, the marks and the selected job stay."""
        screen = ShiftScreen(self.session, compared, self._attempts, ended=self._heard, story=False)
        screen.desk.go_on_as(self.desk)
        if job is not None:
            screen.desk.selected = self.session.index_of(job)
        used = self.panels.used
        self.app.switch_screen(screen)

        def report() -> None:
            screen.panels.show(used)
            if said:
                screen.say(said, "note")

        screen.call_after_refresh(report)

    def _anew(self) -> None:
        """Begin the shift anew; what was seen of it is known."""
        self.session.begin_anew()
        self.arrive()
        self.say("the shift begins anew; what was seen of it counts as hindsight")

    def _end(self) -> None:
        """Show the debrief once the shift is over, then go back to training; end a shift that is stuck."""
        session = self.session
        if not session.ended and session.over:
            session.hand_in()
            self.arrive()
        elif not session.ended:
            self.say("the shift is not over: jobs wait, or run, or are still to come; Esc leaves it", "warn")
        elif self._read and len(self.app.screen_stack) > 2:
            self.dismiss()
        elif self._read:
            # It was opened first: below it lies an empty screen of Textual's own.
            self.app.exit(0)
        else:
            self._read = True
            self.open_page(Page("DEBRIEF", self._debrief_lines))

    # The board.

    def paint_lines(self) -> None:
        super().paint_lines()
        if self.is_mounted:
            self.lines.hide_events()
            width, most = self.size.width - 2, max(8 if self.session.ended else 6, self.size.height - 15)
            lines = self.board_lines(width)
            self._board.fit(lines if len(lines) <= most else self.board_lines(width, tight=True), most)

    def score(self) -> Score:
        """The score of the whole course, with what was done so far."""
        return scored(self.session, self.compared)

    def board_lines(self, width: int, tight: bool = False) -> list[Line]:
        """The figures up to now with the rule of the score unless `tight`; at the end what they came to."""
        session, unit = self.session, self.desk.unit
        told = words.standing(session, self.compared, unit)
        lines: list[Line] = [[(text, role)] for role, text in told]
        if session.ended:
            score = self.score()
            lines += wrap(words.result(score), width, words.result_role(score), [("* ", "key")], 2)
            self._hear(score)
        else:
            self._read = False
        # It says that urgent jobs weigh more, which the mean among the metrics does not.
        lines += [] if tight else wrap(words.rule(session.shift, unit, short=True), width, "dim")
        return [*lines, self._keys_line()]

    def show_notes(self) -> None:
        # Its last line has keys, which are those of this page here.
        self._commands.show_notes("BOARD AND NOTES", lambda width: self.board_lines(width)[:-1])

    @property
    def own_help(self) -> Own:
        starts = [("i", "start the selected job")] if "start" in self.session.shift.allow else []
        rows = [*starts, (self.key("train"), "after the last event: end the shift, then the debrief")]
        rows.append((f":{ANEW}", "begin the shift anew; what was seen of it counts as hindsight"))
        unoffered = self.unoffered

        def has(name: str) -> bool:
            return name not in unoffered

        return Own("IN A SHIFT", rows, lambda id: has(id) and id != "train", has)

    def _keys_line(self) -> Line:
        if self.session.ended:
            return [(self.key("train"), "key"), (f" {self._onward}", "dim")]
        starts: Line = [("i", "key"), (" starts the selected job   ", "dim")]
        return [
            *(starts if "start" in self.session.shift.allow else []),
            (self.key("act"), "key"), (" act   ", "dim"),
            (self.key("undo"), "key"), (" undo   ", "dim"),
            (self.key("quit"), "key"), (" leave", "dim"),
        ]  # fmt: skip

    def _hear(self, score: Score) -> None:
        if self._heard is None or score == self._told or self.session.injected:
            return
        self._told = score
        said = self._heard(score)
        if said:
            self.say(said, "warn")

    def _debrief_lines(self, width: int) -> list[Line]:
        found = debriefed(self.session, self.compared, self.score())
        lines: list[Line] = []
        for role, text in words.debrief(found, self.compared, self.session.shift, self.desk.unit):
            if role == "head" and lines:
                lines.append([])
            # A row of the table keeps its columns.
            row, room = [(printable(text), role)], min(width, READABLE)
            lines += [row] if width_of(row) <= room else wrap(text, room, role)
        return lines


INJECTED = "injected: the score of this shift is shown, and not kept"
HOW = (
    "Nothing shows what is to come. Time goes on with n, Space and g, and back with p; a lists what you may"
    " do,{starts} u takes the last action back. What you do is kept at once. Enter begins."
)
RESUMED = "You go on where you left: {when}, with {done}. :anew begins the shift anew."
