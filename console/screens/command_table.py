"""The typed commands of every view: one table, from which help, completion, palette and messages are made."""

from collections.abc import Mapping, Sequence
from difflib import get_close_matches

import attrs

CONSOLE, COMPARE, LINES, CLUSTER = "console", "compare", "lines", "cluster"
"""The views: the console, the compare view, the console without a screen, the console over a cluster."""
STEPPED = frozenset((CONSOLE, COMPARE))
STEERED = frozenset((CONSOLE, LINES))
ALL = frozenset((CONSOLE, COMPARE, LINES))
EVERYWHERE = ALL | {CLUSTER}
STEPPED_TOO = STEPPED | {CLUSTER}
BOTH = frozenset((CONSOLE, CLUSTER))
"""The console over a machine and the one over a cluster."""
VIEWS = ("availability", "gantt", "users")
CLUSTER_VIEWS = ("gantt", "users")
ABSENT_ARGUMENTS = {
    "availability": "jobs of a cluster share nodes: no count of free ones fits all; why 31 has where it fits",
    "put-off": "a cluster keeps no plans of the past; sort change shows how far starts moved last",
    "lost-capacity": "jobs of a cluster share nodes: idle ones are no measure; why 31 has who comes to them",
}
"""What commands take over a machine -> why they do not take it over a cluster."""
POLICY = "the policy of a cluster is Slurm's; open FOLDER --policy slurm:bf_interval=60 changes parameters"
LOOKS = "this console never changes a cluster"
FIRST_NAMES = 6
"""How many commands a refusal names."""
NEAR = 0.75
"""The likeness, from 0 to 1, from which a command is taken to be meant."""


@attrs.frozen
class Command:
    """One command: how it is written, and what it does."""

    name: str
    arguments: str
    """What follows the name; empty if the command stands alone."""
    example: str
    help: str
    views: frozenset[str] = frozenset((CONSOLE,))
    key: str = ""
    """The usual key that does the same in the console."""
    acts: bool = False
    """Whether the command is an action on jobs, nodes or the policy."""
    absent: str = attrs.field(default="", kw_only=True)
    """Why the other of the two consoles, over a machine or over a cluster, does not have it."""

    @property
    def usage(self) -> str:
        return f"{self.name} {self.arguments}".strip()

    @property
    def help_with_key(self) -> str:
        """What the command does, and the key that does the same."""
        return f"{self.help} (also {self.key})" if self.key else self.help


def _action(name: str, arguments: str, example: str, help: str) -> Command:
    absent = f"{LOOKS}; impact hold 31 shows what a change would do"
    return Command(name, arguments, f"{name} {example}", help, STEERED, acts=True, absent=absent)


def _line(name: str, arguments: str, help: str) -> Command:
    return Command(name, arguments, f"{name} {arguments}".strip(), help, frozenset((LINES,)))


def _cluster(
    name: str, arguments: str = "", example: str = "", help: str = "", key: str = "", absent: str = ""
) -> Command:
    example = f"{name} {example}".strip()
    return Command(name, arguments, example, help, frozenset((CLUSTER,)), key, absent=absent)


COMMANDS: tuple[Command, ...] = (
    Command("n", "[COUNT]", "10n", "so many events forward", EVERYWHERE),
    Command("p", "[COUNT]", "5p", "so many events back", EVERYWHERE),
    _line("N", "", "to the next event that starts a job"),
    _line("P", "", "to the event before that started a job"),
    _line("g", "PLACE", "#12, 0 01:00:00, 2000-06-01 14:00, 50%, 31 start, job 31"),
    Command(
        "goto",
        "PLACE",
        "goto #12 | +2h | 0 06:12:44 | 14:30 | 50% | job 31 | 31 end",
        "go to an event, an instant, a share, a job's submit, start or end",
        STEPPED_TOO,
        "g",
    ),
    Command("job", "JOB", "job 31", "select a job", STEPPED_TOO),
    Command("why", "JOB", "why 31", "why a job waits, or why it started", EVERYWHERE),
    Command(
        "view",
        "WHAT",
        f"view {' | '.join(VIEWS)}",
        "free nodes from now on, or the bars of the Gantt chart, or users: how they fare",
    ),
    _cluster(
        "view",
        "WHAT",
        " | ".join(CLUSTER_VIEWS),
        "the bars of the Gantt chart, or users: how they fare",
    ),
    Command("map", "[BY]", "map user", "the node map, its letters by one of its properties", BOTH, "v"),
    Command("users", "[gpus]", "users", "users: what they hold and wait for, and how they fare", BOTH),
    Command("node", "NODE", "node 17", "who is on a node, was, is expected there; when it is free"),
    _line("queue", "[FILTER]", "who waits and who runs; queue starts<1h: who starts in the next hour"),
    _line("gangster", "", "the map of a torus, and a summary of its jobs"),
    _line("metrics", "", "how well it goes so far"),
    _line("node", "NODE", "who is on a node, was, is expected there; when it is free"),
    _line("users", "", "users and classes: what they use, how they fare"),
    _cluster(
        "expected",
        help="when jobs without a start in the next cycle start over time; again: no more",
        absent="the queue shows an expected start of each waiting job already: sort starts",
    ),
    _cluster(
        "factors",
        "[JOB]",
        "31",
        "what the priority of a job is made of, and who stands next to it",
        absent="a policy has one rule for its order; :policy shows it",
    ),
    _cluster("node", "NODE", "n05", "who runs on a node, who is planned there; when it is free"),
    _cluster(
        "partitions",
        help="partitions by their longest wait, and why it is so long",
        absent="a machine has one pool of nodes and no partitions; users shows how classes fare",
    ),
    _cluster(
        "reservations",
        help="reservations: who waits for them, whom they delay",
        absent="a machine has no reservations of an administrator; view availability shows promised nodes",
    ),
    _cluster(
        "out",
        help="nodes out of service: why, since when, who said so",
        absent="nodes out of service stand on the node map by their letters; node 17 shows one",
    ),
    _cluster("sort", "COLUMN [reverse]", "starts [reverse]", "sort the queue by a column", "s"),
    _cluster("filter", "[WORDS]", "user=ada starts<1h", "show only rows that match; without words: all", "/"),
    Command("sort", "COLUMN [reverse]", "sort wait [reverse]", "sort the queue by a column"),
    Command(
        "filter",
        "[WORDS]",
        "filter user=kim starts<1h",
        "show only jobs that match; without words: all",
        STEPPED,
    ),
    Command(
        "window",
        "[FROM] [until UNTIL] [user=NAME]",
        "window 300d until +30d user=22",
        "in the compare view: what changes for the jobs submitted then; without words: for all",
        frozenset((COMPARE,)),
    ),
    Command("speed", "NUMBER", "speed 8", "so many events a second while playing", STEPPED_TOO),
    Command("play", "", "play", "play or pause", STEPPED_TOO),
    Command(
        "skip",
        "[KINDS]",
        "skip switch_slot | none",
        "n, p and play pass over these kinds of events",
        STEPPED,
        absent="events of a cluster are few, and none is skipped; N goes to the next that starts a job",
    ),
    Command("mark", "LETTER", "mark a", "mark this position with a letter", BOTH, "m"),
    _cluster(
        "break",
        "[WHERE]",
        "start 31 | closes batch",
        "set a breakpoint (also b); c goes on to it",
    ),
    _cluster("seek", "WHAT", "longest-wait", "go to the worst moment; also largest-queue"),
    _cluster(
        "impact",
        "CHANGE",
        "drain n[1-4] | reserve n[1-4] tomorrow 18:00 4h | set bf_max_job_user=3",
        "whom a change of the cluster would delay or help; nothing is done",
    ),
    _cluster(
        "advise",
        "[JOB] [by TIME]",
        "31 by 14:30",
        "what would get a waiting job started by a time, or at once; nothing is done",
    ),
    _cluster(
        "shorter",
        help="jobs that would start now with less time, and how much they would lose",
        absent="the limits of a scenario's jobs are not changed; advise 31 shows what gets a job started",
    ),
    _cluster(
        "export",
        "WHAT FILE",
        "plan plan.csv | out out.csv",
        "write svg, or as CSV gantt, metrics, the plan, a list; plan! over a file that is there",
    ),
    Command(
        "break",
        "[WHERE]",
        "break preempt | job 31 | queue > 100",
        "set a breakpoint (also b); c goes on to it",
    ),
    _line("break", "WHERE", "set a breakpoint: preempt, job 31, queue > 100"),
    _line("breaks", "", "list the breakpoints"),
    _line("unbreak", "NUMBER", "remove a breakpoint of the list"),
    _line("c", "", "go on to the next event of a breakpoint"),
    _line("C", "", "go back to the last event of a breakpoint"),
    Command(
        "seek",
        "WHAT",
        "seek longest-wait | largest-queue | lost-capacity | put-off | first-preemption",
        "go to the worst moment; list the jobs put off; next-preemption, next queue > 100",
    ),
    Command(
        "policy",
        "",
        "policy",
        "the policy: what it goes by now, its parameters, its paper",
        absent=POLICY,
    ),
    _line("policy", "", "the policy: what it goes by now"),
    Command(
        "policy",
        "NAME",
        "policy easy:scan=shortest",
        "put another policy in force from here on",
        STEERED,
        "a",
    ),
    _action("set", "KEY=VALUE", "quantum=60", "change a parameter of the policy from here on"),
    _action("hold", "JOB", "31", "take a waiting job out of the queue; release 31 puts it back"),
    _action("release", "JOB", "31", "put a held job back into the queue, at its place"),
    _action("start", "JOB", "31", "start a waiting job now, where it fits"),
    _action("suspend", "JOB", "31", "take a running job off its nodes; it keeps what it has done"),
    _action("resume", "JOB", "31", "put a suspended job back into the queue"),
    _action("cancel", "JOB", "31", "end a job at once"),
    _action("class", "JOB NAME", "31 debug", "change the class of a job"),
    _action("priority", "JOB NUMBER", "31 5", "change the priority of a job: the highest goes first"),
    _action("drain", "NODES", "0-15", "take nodes out of service as soon as their jobs leave them"),
    _action("down", "NODES", "0-15", "take nodes out of service at once; jobs on them are struck"),
    _action("up", "NODES", "0-15", "put nodes back in service"),
    Command(
        "undo",
        "",
        "undo",
        "take the last action back",
        STEERED,
        "u",
        absent=f"{LOOKS}: there is nothing to take back",
    ),
    Command("redo", "", "redo", "do it again", STEERED, "U", absent=f"{LOOKS}: there is nothing to do again"),
    Command(
        "save",
        "[FILE]",
        "save session.toml",
        "save the session: the scenario with the actions in it; of a cluster where it stands",
        STEERED | {CLUSTER},
    ),
    Command("save!", "[FILE]", "save! session.toml", "the same over any file", STEERED | {CLUSTER}),
    Command(
        "under",
        "POLICY",
        "under easy | easy:scan=shortest",
        "the same workload, to this instant, under a policy or variant",
        absent=POLICY,
    ),
    Command(
        "compare",
        "[LANES]",
        "compare easy gang:quantum=10m",
        "policies or variants side by side; without words: the variants",
        ALL,
        "=",
    ),
    Command("train", "[FOLDER]", "train [FOLDER]", "training; with a folder the course in it", BOTH, "t"),
    Command(
        "whatif",
        "ACTION",
        "whatif hold 31 | policy easy",
        "this run beside one in which that is done now",
        ALL,
    ),
    _cluster(
        "compare",
        "[LANES]",
        "bf_window=600 easy",
        "lanes side by side: parameters, schedulers, or captured: later captures",
        "=",
    ),
    _cluster("whatif", "CHANGE", "drain n[01-04]", "the cluster beside one in which that is done now"),
    Command(
        "impact",
        "ACTION",
        "impact drain 0-15 | policy easy",
        "whom an action done now would delay or help, job by job",
        STEERED,
    ),
    Command(
        "advise",
        "[JOB] [by TIME]",
        "advise 31 by +2h | by -1h",
        "what would get a waiting job started by a time; without one, at once",
        STEERED,
    ),
    Command(
        "sweep",
        "[POLICIES]",
        "sweep easy gang:quantum=60,600",
        "a table of metrics: policies, and each value of their parameters; without words a form",
        absent="a capture has no metrics to sweep; shadowtime compare FOLDER compares parameters",
    ),
    Command(
        "note",
        "",
        "note",
        "the note of this moment, in full",
        absent="notes belong to scenarios; what a prediction leaves out stands below the plan",
    ),
    _line("note", "", "the notes so far"),
    Command(
        "export",
        "KIND FILE",
        "export swf out.swf",
        "write a file: svg, queue, events, schedule, swf or batsim",
    ),
    Command(
        "report",
        "FILE [from WHEN] [until WHEN]",
        "report june.html from 300d until +30d",
        "write a report for a meeting as HTML; of a cluster: FILE [against slurm:bf_interval=60]",
        BOTH,
    ),
    Command("report!", "FILE ...", "report! june.html", "the same over any file", BOTH),
    Command(
        "copy",
        "WHAT [FILE]",
        "copy event [notes.txt]",
        "copy panel, reason, row or event, to a file too",
        BOTH,
        "Y",
    ),
    Command("theme", "[NAME]", "theme light", "the colours; theme = in keys.toml keeps them", BOTH),
    Command(
        "clock",
        "[KIND]",
        "clock calendar | elapsed | Europe/Berlin",
        "write instants by the calendar, also of a time zone, or as elapsed time",
        EVERYWHERE,
        "T",
    ),
    Command("help", "", "help", "keys and commands", STEPPED_TOO),
    _line("help", "", "this list"),
    Command("quit", "", "quit", "leave", EVERYWHERE, "q"),
)
ALIASES: Mapping[str, str] = {"q": "quit", "go": "goto", "g": "goto", "?": "help", "select": "job"}
"""Other words for commands of the console and of the compare view."""


def commands_of(view: str) -> tuple[Command, ...]:
    """The commands of a view; a command that is written in several ways stands there as often."""
    return tuple(command for command in COMMANDS if view in command.views)


def names_of(view: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(command.name for command in commands_of(view)))


def unknown(word: str, names: Sequence[str]) -> str:
    """The refusal of an unknown word: the command that is near to it, otherwise the first few."""
    shown = {each: f"view {each}" for each in VIEWS if "view" in names}
    near = get_close_matches(word, [*names, *shown], 1, NEAR)
    if near:
        return f"unknown command {word!r}; expected {shown.get(near[0], near[0])}, perhaps; help lists all"
    return f"unknown command {word!r}; expected one of {', '.join(names[:FIRST_NAMES])} ...; help lists all"


def absence(name: str, view: str) -> str:
    """Return why a command of one console is not in the other; empty if a view knows it, or neither does."""
    if view not in BOTH or name in names_of(view):
        return ""
    return next((command.absent for command in COMMANDS if command.name == name and command.absent), "")


ACTIONS = tuple(command.name for command in COMMANDS if command.acts)
"""The commands that are actions; `policy` with a name is one too."""
WRITING = ("save", "save!", "export", "report", "report!")
"""The commands that do nothing but write files."""
