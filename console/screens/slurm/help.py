"""The keys of the screen over a cluster, for its page of help."""

from collections.abc import Callable

from console.screens.pages.list_keys import HELP
from console.session.slurm.stepping.places import EXPECTED

Entry = tuple[str, str]


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
        (first("filter"), "filter the plan: user, account, partition, qos, name, state, reason, id, size,"),
        ("", "cpus, priority, wait, limit, starts; Tab completes, an empty filter shows all"),
        (first("sort"), "sort by the next of: queue, start, job, user, size, priority"),
        (first("sort_reverse"), "the other way round"),
        (first("next_panel"), "to the next panel; 1 2 3 4: plan, nodes, why, events"),
        (first("detail"), "everything about the job; in the events: go there"),
        (first("copy"), "copy the row"),
        (first("escape"), "back: from a long way, a filter, a panel"),
        (first("quit"), "quit"),
    )
