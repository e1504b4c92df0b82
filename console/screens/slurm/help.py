"""The keys of the screen over a cluster, for its page of help."""

from collections.abc import Callable, Mapping

from shadowtime.console.screens.pages.list_keys import HELP
from shadowtime.console.session.course.places import EXPECTED

Entry = tuple[str, str]


HELP_BY_ID: Mapping[str, str] = {
    "forward": "one event forward: an end, a pass, a cycle",
    "back": "one event back",
    "forward10": "ten events forward",
    "back10": "ten events back",
    "next_decision": "to the next event that starts a job",
    "previous_decision": "to the event before that started a job",
    "goto": "go to an event, an instant, a share, the start of a job",
    "first": "back to the capture",
    "last": "on to the last event",
    "play": "play or pause; while following: stop, or return to now",
    "slower": "play at half the speed",
    "faster": "play at twice the speed",
    "filter": "filter the jobs: user, account, partition, qos, state",
    "sort": "sort the plan, or the running jobs, by the next column",
    "sort_reverse": "turn the order",
    "next_panel": "to the next panel",
    "previous_panel": "to the panel before",
    "panel1": "plan",
    "panel2": "nodes; again: as a map, as a table",
    "colouring": "the map of the nodes: by state, job, user, partition, end, free GPUs",
    "panel3": "why",
    "why": "why the job under the cursor waits or starts",
    "panel4": "events",
    "panel5": "running jobs",
    "detail": "everything about the job or node; in the events: go there",
    "copy": "copy the row",
    "command": "type a command",
    "mark": "mark this event with a letter",
    "to_mark": "go to a mark; twice: back from the last jump",
    "act": "what a change of the job, the node or the cluster would do; nothing is done",
    "break_here": "set a breakpoint on the job",
    "breakpoints": "list the breakpoints",
    "continue": "go on to the next event of a breakpoint",
    "continue_back": "back to the last event of a breakpoint",
    "help": "keys and commands",
    "quit": "leave",
}
"""What the keys do that the console has, too, by their ids."""


def help_of(first: Callable[[str], str]) -> tuple[Entry, ...]:
    """Return each key and what it does; `first` gives the key of an action."""

    def both(one: str, other: str) -> str:
        return f"{first(one)} {first(other)}"

    return (
        (
            both("forward", "back"),
            "one event forward, one back: an end, a pass, a cycle",
        ),
        (both("forward10", "back10"), "ten events forward, ten back"),
        (
            both("next_decision", "previous_decision"),
            "to the next event that starts a job, or the one before",
        ),
        (first("goto"), f"go to: {EXPECTED}"),
        (both("first", "last"), "back to the capture, on to the last event"),
        (
            first("play"),
            "play or pause; with --follow: stop, or return to now",
        ),
        (both("slower", "faster"), "play at half the speed, at twice the speed"),
        ("r", "capture the cluster, or read the folder, once more"),
        *(each for each in HELP if not each[0].startswith("Home")),
        (f"{first('goto')}{first('goto')} {first('last_row')}", "to the first row, to the last"),
        (
            first("filter"),
            "filter the jobs: user, account, partition, qos, name, state, reason, gres, id, size, "
            "cpus, gpus, priority, wait, limit, starts; Tab completes, an empty filter shows all",
        ),
        (
            first("sort"),
            "sort by the next of: queue, start, job, user, size, GPUs, priority; "
            "running jobs by the next of: end, job, user, size, GPUs, begin",
        ),
        (first("sort_reverse"), "the other way round"),
        (first("next_panel"), "to the next panel; 1 2 3 4 5: plan, nodes, why, events, running jobs"),
        (
            f"{first('panel2')}{first('panel2')} {first('colouring')}",
            "the nodes as a map; its letters: by state, job, user, partition, end, free GPUs",
        ),
        (first("detail"), "everything about the job or node; in the events: go there"),
        (first("copy"), "copy the row"),
        (first("command"), "type a command; Tab completes it"),
        (
            both("mark", "to_mark"),
            "mark this event with a letter; go to a mark, twice: back from a jump",
        ),
        (first("act"), "what a change of the job, the node or the cluster would do; nothing is done"),
        (
            both("break_here", "breakpoints"),
            "set a breakpoint on the job; list them, turn them off",
        ),
        (
            both("continue", "continue_back"),
            "on to the next event of a breakpoint, back to the one before",
        ),
        (first("palette"), "search all keys and commands by name"),
        (first("escape"), "back: from a long way, a filter, a panel"),
        (first("quit"), "quit"),
    )
