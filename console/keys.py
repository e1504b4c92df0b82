"""Keys: every binding of the console, declared once.

Textual's bindings, the footer, the help screen and the command palette are all derived from `KEYS`, so that
none of them can promise a key that the others do not know. An operator may choose other keys: then they show
those of the `Keyboard` of the application.
"""

from collections.abc import Container, Mapping, Sequence

import attrs
from textual.binding import Binding

NAMES = {
    ".": "full_stop",
    ",": "comma",
    "}": "right_curly_bracket",
    "{": "left_curly_bracket",
    "[": "left_square_bracket",
    "]": "right_square_bracket",
    "'": "apostrophe",
    ";": "semicolon",
    "+": "plus",
    "_": "underscore",
    "/": "slash",
    ":": "colon",
    "?": "question_mark",
    "Space": "space",
    "Backspace": "backspace",
    "Home": "home",
    "End": "end",
    "Tab": "tab",
    "Shift+Tab": "shift+tab",
    "Enter": "enter",
    "Esc": "escape",
    "Ctrl+P": "ctrl+p",
}
"""How a key is written for the operator -> how Textual names it; any other key is called what it is."""


MACHINE, CLUSTER = "machine", "cluster"


@attrs.frozen
class Key:
    """One action of the console and the keys that do it."""

    id: str
    """Stable name; the binding's id."""
    keys: tuple[str, ...]
    """As the operator reads them on the keyboard."""
    action: str
    """What the console screen runs, in Textual's action syntax."""
    label: str
    """One or two words, for the footer."""
    help: str
    """What it does, for the help screen and the command palette."""
    group: str
    footer: int = 0
    """Rank in the footer, 1 first; 0 keeps it out."""
    cluster: str = attrs.field(default="", kw_only=True)
    """What it does over a cluster, if `help` does not say that of both."""
    no_machine: str = attrs.field(default="", kw_only=True)
    """Why it does nothing over a machine; empty if it does something."""
    no_cluster: str = attrs.field(default="", kw_only=True)
    """Why it does nothing over a cluster; empty if it does something."""

    def absent(self, over: str) -> str:
        """Why it does nothing over a machine or a cluster; empty if it does something."""
        return self.no_cluster if over == CLUSTER else self.no_machine

    def does(self, over: str) -> str:
        """What it does over a machine or a cluster, or why it does nothing there."""
        return self.absent(over) or (over == CLUSTER and self.cluster) or self.help

    @property
    def shown(self) -> str:
        """The keys as one word: `n .`"""
        return " ".join(self.keys)

    @property
    def pressed(self) -> tuple[str, ...]:
        return tuple(NAMES.get(key, key if len(key) == 1 else key.lower()) for key in self.keys)


TIME = "To move in time"
PLAY = "To play"
GOTO = "To go or to stop somewhere"
LISTS = "To move in lists"
PANELS = "To look at a panel"
LOOK = "To ask why, find, sort, compare"
STEER = "To act, or ask what if"
CHART = "To zoom and pan the Gantt chart"
CONSOLE = "To learn, find an action, leave"
GROUPS = TIME, LOOK, STEER, PANELS, GOTO, CHART, LISTS, PLAY, CONSOLE
"""What one wants to do, the most wanted first."""
ASKING = frozenset(("command", "filter", "goto"))
"""Actions after which a line is typed."""
LOOKS = "this console never changes a cluster"

KEYS: tuple[Key, ...] = (
    Key(
        "forward",
        ("n", "."),
        "forward(1)",
        "step",
        "one event forward",
        TIME,
        1,
        cluster="one event forward: an end, a pass, a cycle",
    ),
    Key("back", ("p", ","), "back(1)", "back", "one event back", TIME, 2),
    Key("forward10", ("}",), "forward(10)", "ten on", "ten events forward; any count with :250n", TIME),
    Key("back10", ("{",), "back(10)", "ten back", "ten events back; any count with :250p", TIME),
    Key("next_decision", ("N",), "next_decision", "decision", "to the next event that starts a job", TIME, 5),
    Key("previous_decision", ("P",), "previous_decision", "", "to the event before that started a job", TIME),
    Key(
        "play",
        ("Space",),
        "play",
        "play",
        "play; again to pause",
        PLAY,
        3,
        cluster="play or pause; with --follow: stop, or return to now",
    ),
    Key("reverse", ("r",), "reverse", "reverse", "turn the direction of play", PLAY),
    Key("slower", ("[",), "slower", "slower", "play at half the speed", PLAY),
    Key("faster", ("]",), "faster", "faster", "play at twice the speed", PLAY, 14),
    Key("speed_one", ("Backspace",), "speed_one", "x1", "play at x1, one event a second", PLAY),
    Key("goto", ("g",), "goto", "go to", "go to an event, a time, a share, a job", GOTO, 6),
    Key("first", ("Home",), "first", "", "to the beginning", GOTO, cluster="back to the capture"),
    Key("last", ("End",), "last", "", "to the end", GOTO),
    Key("mark", ("m",), "mark", "mark", "mark this position with a letter", GOTO, 17),
    Key("to_mark", ("'",), "to_mark", "to mark", "to a mark; '' goes back to where you were", GOTO),
    Key(
        "break_here",
        ("b",),
        "break_here",
        "break",
        "a breakpoint: the job, or what is typed",
        GOTO,
        21,
    ),
    Key("breakpoints", ("B",), "breakpoints", "", "list the breakpoints; turn off or remove", GOTO),
    Key("continue", ("c",), "continue(True)", "continue", "on to the next event of a breakpoint", GOTO, 22),
    Key("continue_back", ("C",), "continue(False)", "", "back to the event of a breakpoint before", GOTO),
    Key("panel1", ("1",), "panel(1)", "nodes", "node map", PANELS, cluster="nodes; again: as a map, a list"),
    Key("panel2", ("2",), "panel(2)", "queue", "queue", PANELS, cluster="queue: the plan of the next cycle"),
    Key(
        "panel3",
        ("3",),
        "panel(3)",
        "gantt",
        "Gantt chart; under gang the time slots",
        PANELS,
        cluster="Gantt chart: who has which nodes when",
    ),
    Key("panel4", ("4",), "panel(4)", "events", "events and why", PANELS, cluster="events"),
    Key(
        "panel5",
        ("5",),
        "panel(5)",
        "metrics",
        "metrics",
        PANELS,
        cluster="metrics over time: what is held, who waits",
    ),
    Key(
        "panel6",
        ("6",),
        "panel(6)",
        "running",
        "only running jobs in the queue; again: all",
        PANELS,
        cluster="running jobs",
    ),
    Key(
        "panel7",
        ("7",),
        "panel(7)",
        "why",
        "why the selected job waits or starts",
        PANELS,
        no_machine="the reason has no panel of its own here: panel 4 has it below the events",
    ),
    Key("next_panel", ("Tab",), "next_panel", "panel", "to the next panel", PANELS, 7),
    Key("previous_panel", ("Shift+Tab",), "previous_panel", "", "to the panel before", PANELS),
    Key("detail", ("Enter",), "detail", "detail", "everything about what is selected", PANELS, 9),
    Key("escape", ("Esc",), "escape", "", "back: from a jump, a view, a filter, a job", PANELS),
    Key("grow", ("+",), "resize(1)", "bigger", "a bigger panel, then the whole screen", PANELS, 13),
    Key("shrink", ("_",), "resize(-1)", "smaller", "a smaller panel again", PANELS),
    Key("row_down", ("j",), "row(1)", "down", "a row down, as Down does", LISTS),
    Key("row_up", ("k",), "row(-1)", "up", "a row up, as Up does", LISTS),
    Key("half_down", ("Ctrl+D",), "half_rows(1)", "", "half a page down", LISTS),
    Key("half_up", ("Ctrl+U",), "half_rows(-1)", "", "half a page up", LISTS),
    Key("last_row", ("G",), "far_row(1)", "last", "to the last row; gg: to the first", LISTS),
    Key("letters", (";",), "letters", "letters", "a letter on each panel and row: go to it", LISTS, 25),
    Key("count", ("x",), "count", "count", "a count, then a key: x 10 n, x 5 j, x 3 G", LISTS),
    Key("why", ("e",), "why", "why", "why the selected job waits or started", LOOK, 4),
    Key(
        "filter",
        ("/",),
        "filter",
        "filter",
        "filter the queue: user, class, state, size",
        LOOK,
        8,
        cluster="filter jobs by user, partition, state or size",
    ),
    Key("sort", ("s",), "sort", "sort", "sort the queue by the next column", LOOK, 11),
    Key("sort_reverse", ("S",), "sort_reverse", "", "turn the order of the queue", LOOK),
    Key(
        "colouring",
        ("v",),
        "colouring",
        "colour",
        "colour the node map by the next property",
        LOOK,
        15,
        cluster="map by state, job, user, partition, end, GPUs free",
    ),
    Key(
        "zoom_in",
        ("z",),
        "zoom(1)",
        "zoom",
        "look closer at the nodes",
        LOOK,
        16,
        no_cluster="each cell of a cluster's map is one node: there is nothing to look closer at",
    ),
    Key(
        "zoom_out",
        ("Z",),
        "zoom(-1)",
        "",
        "see more of the machine",
        LOOK,
        no_cluster="each cell of a cluster's map is one node; PageDown shows more of them",
    ),
    Key(
        "compare",
        ("=",),
        "compare",
        "compare",
        "policies side by side, in lockstep",
        LOOK,
        10,
        cluster="parameters or schedulers side by side, in lockstep",
    ),
    Key(
        "next_divergence",
        ("D",),
        "compare(True)",
        "",
        "compare at the next divergence (d: before)",
        LOOK,
    ),
    Key(
        "act",
        ("a",),
        "act",
        "act",
        "act on the job, the node, the machine",
        STEER,
        23,
        cluster="what a change would do to the plan; nothing is done",
    ),
    Key(
        "undo",
        ("u",),
        "undo",
        "undo",
        "take the last action back",
        STEER,
        24,
        no_cluster=f"{LOOKS}: there is nothing to take back",
    ),
    Key(
        "redo",
        ("U",),
        "redo",
        "",
        "do again what was taken back",
        STEER,
        no_cluster=f"{LOOKS}: there is nothing to do again",
    ),
    Key(
        "copy",
        ("y",),
        "copy",
        "copy",
        "copy the reason (in the queue: the row)",
        LOOK,
        12,
        cluster="copy the row under the cursor",
    ),
    Key("copy_as", ("Y",), "copy_as", "copy as", "copy panel, reason, row, event, to a file", LOOK),
    Key(
        "clock",
        ("T",),
        "clock",
        "clock",
        "instants by the calendar, or elapsed time",
        LOOK,
        cluster="instants by the calendar, or elapsed since the capture",
    ),
    Key("train", ("t",), "train", "train", "training: the tour, courses, drills", CONSOLE, 21),
    Key(
        "read",
        ("R",),
        "read",
        "read",
        "read the scenario's file again",
        CONSOLE,
        27,
        cluster="capture the cluster again, or read its folder again",
    ),
    Key(
        "edit",
        ("E",),
        "edit",
        "edit",
        "edit the scenario in $EDITOR; read it again",
        CONSOLE,
        26,
        no_cluster="a capture is what the cluster printed: it is not edited; :impact shows a change",
    ),
    Key("command", (":",), "command", "command", "type a command; :help lists them", CONSOLE, 10),
    Key("palette", ("Ctrl+P",), "palette", "palette", "search all actions by name", CONSOLE, 18),
    Key("help", ("?",), "help", "help", "this help", CONSOLE, 19),
    Key("quit", ("q",), "quit", "quit", "quit", CONSOLE, 20),
)
"""Every key once, with what it does over a machine and over a cluster."""


def absence(id: str, over: str) -> str:
    """Return why a key does nothing over a machine or a cluster; empty if it does something."""
    return next(key.absent(over) for key in KEYS if key.id == id)


TYPING: tuple[Key, ...] = (
    Key("", ("Enter",), "", "do it", "", CONSOLE),
    Key("", ("Tab",), "", "complete", "", CONSOLE),
    Key("", ("Up",), "", "typed before", "", CONSOLE),
    Key("", ("Esc",), "escape", "back", "", CONSOLE),
)
"""The keys of the footer while a line is typed."""

PICKING: tuple[Key, ...] = (Key("", ("Esc",), "escape", "take the letters away", "", CONSOLE),)
"""The keys of the footer while a letter leads to a panel or a row."""

GANTT: tuple[Key, ...] = (
    Key("gantt_shorter", ("w",), "zoom_time(1)", "less time", "show less time, in more detail", CHART),
    Key("gantt_longer", ("s",), "zoom_time(-1)", "more time", "show more time, in less detail", CHART),
    Key("gantt_earlier", ("a",), "pan(-1)", "earlier", "pan to earlier", CHART),
    Key("gantt_later", ("d",), "pan(1)", "later", "pan to later", CHART),
    Key("gantt_fit", ("f",), "fit", "fit", "what is and comes soon; again: everything", CHART),
)
"""The keys of the Gantt chart: while it is in use they go before all others."""
ROWS: tuple[Key, ...] = (
    Key("zoom_in", ("z",), "zoom_nodes(1)", "", "fewer nodes a row", CHART),
    Key("zoom_out", ("Z",), "zoom_nodes(-1)", "", "more nodes a row", CHART),
)
"""The keys of the rows of a cluster's chart, which have no other use there."""

OF_PANELS: Mapping[int, tuple[str, ...]] = {
    1: ("colouring", "zoom_in", "zoom_out"),
    2: ("filter", "sort", "sort_reverse", "copy"),
    3: ("zoom_in", "zoom_out"),
    4: ("detail", "copy", "why"),
    5: ("detail",),
    6: ("filter", "sort", "sort_reverse", "copy"),
    7: ("detail", "copy"),
}
"""The keys by id that matter most while a panel is in use."""
FIRST = 3
"""Keys of the footer that stay first whatever panel is in use."""


@attrs.frozen
class Keyboard:
    """The keys in force: those of `KEYS`, or those that the operator chose."""

    keys: tuple[Key, ...] = KEYS
    others: tuple[Key, ...] = ()
    """Actions of views with keys of their own that have other ones than usual."""

    def changed(self) -> dict[str, str]:
        """The keys that are not the usual ones, by id, as Textual's keymap takes them."""
        usual = {key.id: key.keys for key in KEYS}
        moved = [key for key in self.keys if key.keys != usual[key.id]]
        return {key.id: ",".join(key.pressed) for key in (*moved, *self.others)}

    def over(self, over: str) -> tuple[Key, ...]:
        """The keys of a console over a machine or a cluster, as they are worded there."""
        return tuple(attrs.evolve(key, help=key.does(over)) for key in self.keys if not key.absent(over))

    def footer_of(self, panel: int, chart: bool, over: str = MACHINE) -> list[Key]:
        """The keys of the footer while a panel is in use, the most wanted first; the third may be a chart."""
        here = self.over(over)
        usual = sorted((key for key in here if key.footer), key=lambda key: key.footer)
        own = [key for id in OF_PANELS.get(panel, ()) for key in here if key.id == id and key.label]
        own += self.of(GANTT) if panel == 3 and chart else ()
        # A key of the chart goes before another use of the same key.
        taken = {key.keys[0] for key in self.of(GANTT)} if panel == 3 and chart else set()
        kept = [key for key in usual if key not in own and key.keys[0] not in taken]
        return [*kept[:FIRST], *own, *kept[FIRST:]]

    def groups(self, over: str | None = None) -> dict[str, list[Key]]:
        """The keys over a machine or a cluster under their headings; None: all that there are."""
        found: dict[str, list[Key]] = {}
        for key in self.keys if over is None else self.over(over):
            found.setdefault(key.group, []).append(key)
        charted = over is None or any(key.id == "panel3" for key in found[PANELS])
        of_chart = self.of((*GANTT, *ROWS) if over == CLUSTER else GANTT)
        found |= {CHART: list(of_chart)} if charted else {}
        return {name: found[name] for name in GROUPS if name in found}

    def of(self, table: Sequence[Key]) -> tuple[Key, ...]:
        """The actions of a view, with the keys in force."""
        chosen = {key.id: key.keys for key in (*self.keys, *self.others)}
        return tuple(attrs.evolve(key, keys=chosen.get(key.id, key.keys)) for key in table)

    def first(self, id: str) -> str:
        """The first key of an action, as it is read on the keyboard; what is no id stands for itself."""
        return next((key.keys[0] for key in (*self.keys, *self.others, *GANTT) if key.id == id), id)


USUAL = Keyboard()


def keyboard_of(app: object) -> Keyboard:
    found = getattr(app, "keyboard", USUAL)
    assert isinstance(found, Keyboard)
    return found


def actions_of(table: Sequence[Key], pressed: str) -> frozenset[str]:
    """The actions of a key in a table, without what is in brackets."""
    return frozenset(key.action.partition("(")[0] for key in table if pressed in key.pressed)


def bindings(over: str = MACHINE, among: Container[str] | None = None) -> list[Binding]:
    """`KEYS` as Textual takes them; `among` are the ids of those that there are, by default all.

    A key that is absent over a machine or a cluster runs `absent`, which says why.
    """
    return [
        Binding(
            ",".join(key.pressed),
            f"absent('{key.id}')" if key.absent(over) else key.action,
            key.label,
            id=key.id,
            tooltip=key.does(over),
            show=key.footer > 0,
        )
        for key in KEYS
        if among is None or key.id in among
    ]
