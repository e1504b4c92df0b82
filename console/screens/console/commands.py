"""Commanding: the lines that the operator types after `:`, `/` and `g`, the help, and the way out."""

from collections.abc import Callable, Mapping
from contextlib import suppress

from textual.suggester import Suggester

from console import words
from console.screens.console import typed
from console.screens.console.actions import Acting
from console.screens.console.completion import Completion, files, nothing, one_of, then_file
from console.screens.console.exports import COPIES, KINDS, Exporting
from console.screens.console.panels import Arranging
from console.screens.console.selection import Looking
from console.screens.console.steps import Moving
from console.screens.console.themes import Theming
from console.screens.console.to_training import Schooling
from console.screens.console.typed import SORTS, Unknown
from console.screens.console.what_if import Contrasting
from console.screens.pages.detail_text import policy_lines
from console.screens.pages.help import Help
from console.screens.pages.page import Page
from console.session import PolicyError, SessionError, open_session, policies_table
from console.widgets.frame.ink import wrap
from console.widgets.frame.prompt import Prompt

PLACES = "#1284   0 06:12:44   1h30m   50%   31 start   31 end"


class Commanding(Moving, Acting, Looking, Arranging, Theming, Exporting, Contrasting, Schooling):
    """What the keys of typing do, and what the typed commands do."""

    _filter_before = ""

    def action_command(self) -> None:
        """Ask for a command."""
        self._ask("command", ":", known=self._completion(), hint=" 10n   goto 50%   sort wait   help")

    def action_copy_as(self) -> None:
        """Ask what to copy, and whether to a file too."""
        self._ask("command", ":", "copy ", known=self._completion())

    def _completion(self) -> Completion:
        policies = [entry.name for entry in policies_table()]
        variants = [variant.name for variant in self.case.scenario.variants]
        about = {
            "sort": one_of(*SORTS),
            "under": one_of(*variants, *policies),
            "compare": one_of(*variants, *policies),
            "theme": one_of(*self.themes),
            "policy": one_of(*policies),
            "save": files,
            "export": then_file(*KINDS),
            "copy": then_file(*COPIES),
        }
        return Completion({name: about.get(name, nothing) for name in typed.NAMES})

    def action_goto(self) -> None:
        """Ask for a place in time."""
        self._ask("goto", "go to ", hint=PLACES)

    def action_filter(self) -> None:
        """Ask for a filter; it works while it is typed."""
        self._filter_before = self.filter
        self.bring(2)
        self._ask("filter", "show only ", self.filter, hint="user:kim   state:N   size>32   wait>2h   31")

    def _ask(
        self,
        question: str,
        label: str,
        text: str = "",
        known: Suggester | tuple[str, ...] = (),
        hint: str = "",
    ) -> None:
        self.pause()
        self.query_one(Prompt).ask(question, label, text, known, hint)

    def ask(self, question: str, label: str, text: str = "", hint: str = "") -> None:
        """Let the operator type the rest of a command that is named by the question."""
        self._ask(question, label, text, hint=hint)

    def on_prompt_typed(self, event: Prompt.Typed) -> None:
        """A filter works while it is typed; what is none yet waits for its next letter."""
        if event.question == "filter" and not self.busy:
            with suppress(SessionError):
                self.session.order(text=event.text)
                self.filter_by(event.text)

    def on_prompt_answered(self, event: Prompt.Answered) -> None:
        """The operator typed a line."""
        self.show_panel(self.panel)
        if event.question == "goto" and event.text:
            self.go(event.text)
        elif event.question == "filter":
            self.filter_by(event.text)
        elif event.question == "command" and event.text:
            self.command(event.text)
        elif event.question.partition(" ")[0] in typed.NAMES and event.text:
            self.command(f"{event.question} {event.text}")

    def command(self, line: str) -> None:
        """Do what a typed line says; what it does not mean is told in one line."""
        try:
            meant = typed.parse(line)
            self._commands()[meant.name](meant.rest)
        except (Unknown, SessionError, PolicyError) as error:
            self.say(" ".join(str(error).split()), "warn")

    def _commands(self) -> Mapping[str, Callable[[str], None]]:
        return {
            "n": lambda rest: self._steps(rest, 1),
            "p": lambda rest: self._steps(rest, -1),
            "goto": self._goto,
            "job": lambda rest: self.select_job(typed.number(rest, "job")),
            "why": self._why_of,
            "sort": self._sort,
            "filter": self.filter_by,
            "speed": lambda rest: self.set_speed(typed.speed(rest)),
            "play": lambda rest: self.action_play(),
            "skip": self.skip,
            "mark": self.set_mark,
            "break": self.break_at,
            **self.acting_commands(),
            "policy": self._policy,
            "under": self._under,
            "compare": self.compare,
            "whatif": self.whatif,
            "train": self.train,
            "note": lambda rest: self._notes(),
            "export": self.export,
            "copy": self.copy,
            "theme": self.theme,
            "help": lambda rest: self.action_help(),
            "quit": lambda rest: self.action_quit(),
        }

    def _steps(self, rest: str, direction: int) -> None:
        events = typed.number(rest, "number of events") if rest else 1
        self.go(f"#{self.session.stepped(direction * events)}")

    def _goto(self, rest: str) -> None:
        if not rest:
            raise Unknown(f"go where? expected one of {PLACES}")
        self.go(rest)

    def _why_of(self, rest: str) -> None:
        if rest:
            self.select_job(typed.number(rest, "job"))
        self.action_why()

    def _sort(self, rest: str) -> None:
        column, _, direction = rest.partition(" ")
        if column not in SORTS:
            raise Unknown(f"{column!r} is no column to sort by; expected one of {', '.join(SORTS)}")
        self.sort_by(column, direction.strip().startswith("r"))

    def _policy(self, rest: str) -> None:
        """Show the policy, or put another in force."""
        if rest:
            self.act_on(f"policy {rest}")
            return
        case, snapshot = self.case, self.snapshot
        self.open_page(Page("POLICY", lambda width: policy_lines(case, snapshot, width)))

    def _under(self, rest: str) -> None:
        """Open the same workload under a variant of the scenario or another policy, at the same instant."""
        if not rest:
            raise Unknown("under which policy? expected one, or a variant of the scenario")
        variants = [variant.name for variant in self.case.scenario.variants]
        case = self.case.variant(rest) if rest in variants else self.case.spoken(rest)
        here = f"{self.snapshot.time}" if self.snapshot.number else None
        session = open_session(case)
        session.skip(self.session.skipped)
        self.app.switch_screen(type(self)(session, here))

    def _notes(self) -> None:
        notes = (*self.readings, *map(words.dated, self.notes())) or ("this scenario has told nothing yet",)
        self.open_page(
            Page("NOTES", lambda width: [line for note in notes for line in [*wrap(note, width), []]])
        )

    def action_palette(self) -> None:
        """Search all actions by name."""
        self.app.action_command_palette()

    def action_help(self) -> None:
        """Keys and commands."""
        self.open_page(Help())

    def action_quit(self) -> None:
        """Leave: the scenario for the browser where one is behind it, else the console."""
        if self._in_browser:
            self.dismiss()
        else:
            self.app.exit(0)

    @property
    def _in_browser(self) -> bool:
        # Below the screens that were pushed lies an empty one of Textual's own.
        return len(self.app.screen_stack) > 2

    def action_escape(self) -> None:
        """Back: from a question, a jump, a large panel, the filter, the selected job, the scenario."""
        prompt = self.query_one(Prompt)
        if prompt.asking:
            prompt.close()
            if prompt.question == "filter":
                self.filter_by(self._filter_before)
            self.show_panel(self.panel)
        elif self.awaited:
            self.awaited = ""
            self.say("")
        elif not self.stop_journey() and not self.stop_export():
            self._let_go()

    def _let_go(self) -> None:
        if self.enlarged:
            self.enlarged = 0
            self.lay_out()
        elif self.filter:
            self.filter_by("")
            self.say("the filter is off")
        elif self.selected is not None:
            self.select(None)
            self.say("no job is selected: the head of the queue is explained")
        elif self._in_browser:
            self.dismiss()
        else:
            self.say(f"{self.key('quit')} quits")
