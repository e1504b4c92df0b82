"""The keys of the compare view: those of the console where they mean the same, and its own.

A key that has the id of one of the console's follows it: who gives that another key gives it here too.
"""

from collections.abc import Sequence

import attrs
from textual.binding import Binding

from shadowtime.console.keys import CONSOLE, GOTO, KEYS, LOOK, PLAY, TIME, Key, keyboard_of
from shadowtime.console.screens.command_table import COMPARE
from shadowtime.console.screens.pages.help import command_lines, key_lines, meaning_lines
from shadowtime.console.widgets.frame.ink import Line

LANES = "Lanes"
DIFFERENCES = "Differences"
BARS = "Bars"
SHOWN = 13
"""Cells for a sign."""
SIGNS = {
    "█ ▓ ▒ in bars": "what ran; what runs, to its estimate; what is expected; │ is now",
    "they part": "after that instant not the same jobs have started, or not the same have ended, where the "
    "lanes agreed before; turns and stops alone do not count",
    "better": "of the second lane against the first; with three lanes or four * marks the best",
    "in system": "the mean time of all submitted jobs from their submission to their end, or until now",
    "bnd slowdown": "the mean bounded slowdown: no runtime counts as shorter than ten seconds",
    "of other jobs": "not the same jobs have started, or ended, so the means cannot be compared yet",
    "so far": "until this instant, also where a lane's own last event is earlier; of a lane that is over, to "
    "its end",
    "N +1h10m": "a job waits in that lane, and is predicted to start there in so long",
    "R 10m00s": "a job's state in that lane, and how long it has waited there",
    "WAIT, waited": "of lanes of a cluster beside those of other schedulers: since the capture",
    "apart": "between its starts, or its ends, whichever are further apart; + : and growing",
    "ahead": "where it ended first, or where it runs and has not ended anywhere: where it started first; "
    "[1] is lane 1",
}
"""What stands in the view, and what it means."""
CONSOLES = {key.id: key for key in KEYS}


def _like(
    id: str,
    help: str = "",
    label: str | None = None,
    group: str = "",
    footer: int | None = None,
    action: str = "",
) -> Key:
    """The key of the console with this id, with other words where it has another meaning here."""
    key = CONSOLES[id]
    return attrs.evolve(
        key,
        action=action or key.action,
        help=help or key.help,
        label=key.label if label is None else label,
        group=group or key.group,
        footer=key.footer if footer is None else footer,
    )


COMPARING: tuple[Key, ...] = (
    _like("forward", "to the next instant at which anything happens in any lane", group=TIME),
    _like("back", "to the instant before", group=TIME),
    _like("forward10", "ten instants forward; any count with :250n"),
    _like("back10", "ten instants back; any count with :250p"),
    _like("next_decision", "to the next instant at which a job starts in any lane", footer=7),
    _like("previous_decision", "to the instant before at which a job started in any lane"),
    _like("play"),
    _like("reverse"),
    _like("slower", group=PLAY),
    _like("faster", footer=12),
    _like("speed_one", "play at x1, one instant a second"),
    Key(
        "next_divergence",
        ("D",),
        "diverge(1)",
        "they part",
        "to the next instant at which the lanes part",
        DIFFERENCES,
        4,
    ),
    Key(
        "previous_divergence",
        ("d",),
        "diverge(-1)",
        "",
        "to the instant before at which they parted",
        DIFFERENCES,
    ),
    Key(
        "next_difference",
        ("J",),
        "differ(1)",
        "differs",
        "to the next start or end that is not the same in all lanes",
        DIFFERENCES,
        6,
    ),
    Key(
        "previous_difference",
        ("j",),
        "differ(-1)",
        "",
        "to the one before",
        DIFFERENCES,
    ),
    _like("goto", "go to a time; an event, a share, a job: of the lane in use", group=GOTO, footer=8),
    _like("first"),
    _like("last"),
    _like("next_panel", "to the next lane", "lane", LANES, 5),
    _like("previous_panel", "to the lane before", group=LANES),
    *(
        _like(f"panel{place}", f"lane {place}", f"lane {place}", LANES, action=f"lane({place})")
        for place in (1, 2, 3, 4)
    ),
    _like("detail", "open the lane in use in the console; Esc comes back here", "open lane", LANES, 9),
    Key("lanes", ("l",), "lanes", "lanes", "choose what is compared", LANES, 10),
    _like("escape", "back to the console, as it was left", group=LANES),
    Key(
        "verdict",
        ("V",),
        "verdict",
        "verdict",
        "what changes, for whom, and how sure that is; the jobs whose wait changes most",
        DIFFERENCES,
        5,
    ),
    _like("filter", "filter the jobs of all lanes: user, class, state, size", footer=15),
    _like("why", "why the job stands as it does, in every lane", group=LOOK, footer=11),
    _like("colouring", "colour the node maps by the next property"),
    Key("bars", ("m",), "bars", "map", "bars over one time axis, or who has which nodes now", BARS, 12),
    Key("bars_shorter", ("*",), "zoom_time(1)", "", "show less time, in more detail", BARS),
    Key("bars_longer", ("_",), "zoom_time(-1)", "", "show more time, in less detail", BARS),
    Key("bars_earlier", ("(",), "pan_time(-1)", "", "pan to earlier", BARS),
    Key("bars_later", (")",), "pan_time(1)", "", "pan to later", BARS),
    Key("bars_fit", ("f",), "fit_time", "", "what is and comes soon; again: everything", BARS),
    _like("clock"),
    _like("copy", "copy what is shown, as text", footer=13),
    _like("command", group=CONSOLE, footer=14),
    _like("help"),
    _like("quit", "back to the console", "back"),
)


def in_force(app: object) -> tuple[Key, ...]:
    """`COMPARING` with the keys that the operator chose."""
    return keyboard_of(app).of(COMPARING)


def footer(app: object) -> list[Key]:
    """The keys of the footer, the most wanted first."""
    return sorted((key for key in in_force(app) if key.footer), key=lambda key: key.footer)


def help_lines(keys: Sequence[Key], width: int) -> Sequence[Line]:
    """Every key of the view under its heading, what its signs mean, and its commands."""
    groups: dict[str, list[Key]] = {}
    for key in keys:
        groups.setdefault(key.group, []).append(key)
    signs = meaning_lines("WHAT THE SIGNS MEAN", SIGNS.items(), width, SHOWN)
    return [*key_lines(groups, width), *signs, [], *command_lines(COMPARE, width)]


def bindings() -> list[Binding]:
    """`COMPARING` as Textual takes them."""
    return [
        Binding(
            ",".join(key.pressed), key.action, key.label, id=key.id, tooltip=key.help, show=key.footer > 0
        )
        for key in COMPARING
    ]
