"""Looks: the letter, the attribute and the colour of every state, job, user and step of a scale.

No information is shown by colour alone: a state differs by its letter, a job by letter and colour, a step of
a scale by its digit. The hues are Okabe and Ito's, which colour-blind readers can distinguish; a light screen
takes darker shades of the same hues, a dark one a lighter blue: all can be read on their ground. Sixteen-
colour terminals get a table of their own, since rounding merges several of these hues. Without colour the
attributes of the table take over.
"""

import os
import zlib
from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from typing import Protocol

import attrs
from rich.console import Console
from rich.style import Style

IDLE = "."
DOWN = "X"
DRAINING = "x"


class Depth(Enum):
    """How many colours the terminal shows: many (256 or all), sixteen, or none."""

    MANY = "many"
    SIXTEEN = "sixteen"
    NONE = "none"


HUES_DARK = ("#009e73", "#e69f00", "#56b4e9", "#cc79a7", "#f0e442", "#d55e00", "#0c7ee9")
HUES_LIGHT = ("#008251", "#824517", "#1268c8", "#d7278b", "#8a7300", "#581400", "#0f2f57")
# The ground of sixteen colours is not known: these are read on black and on white.
HUES_SIXTEEN = (
    "bright_blue",
    "red",
    "bright_magenta",
    "bold bright_blue",
    "bright_red",
    "magenta",
    "bold red",
)
HUES_NONE = ("", "italic", "dim")


@attrs.frozen(cache_hash=True)
class Palette:
    """What colours are chosen from: how many there are, and whether the screen is dark."""

    depth: Depth = Depth.MANY
    dark: bool = True
    hues: tuple[str, ...] = attrs.field(init=False, eq=False, repr=False)
    """The hues that set jobs and users apart."""

    @hues.default
    def _hues(self) -> tuple[str, ...]:
        if self.depth is Depth.NONE:
            return HUES_NONE
        if self.depth is Depth.SIXTEEN:
            return HUES_SIXTEEN
        return HUES_DARK if self.dark else HUES_LIGHT


@attrs.frozen(eq=False)
class Look:
    """How a thing is drawn: one letter and its style, and the word for legends.

    The functions below make each look once, so looks are compared (and found in caches) by identity.
    """

    letter: str
    style: Style
    word: str = ""


@attrs.frozen
class _State:
    """One row of the table: shades for dark and light screens, one of sixteen colours, attributes."""

    word: str
    dark: str
    light: str
    sixteen: str
    plain: str


STATES: Mapping[str, _State] = {
    IDLE: _State("idle", "#70777f", "#7c7c7c", "dim", "dim"),
    "R": _State("running", "#009e73", "#008251", "bright_blue", ""),
    "N": _State("queued", "#56b4e9", "#1268c8", "magenta", "bold"),
    "W": _State("assigned, waiting", "#e69f00", "#824517", "bright_red", ""),
    "H": _State("held", "#999999", "#5a5a5a", "bright_black", "dim"),
    "S": _State("suspended", "#0c7ee9", "#0f2f57", "bright_magenta", "underline"),
    "i": _State("swapping in", "#f0e442", "#8a7300", "bold bright_blue", "bold"),
    "o": _State("swapping out", "#cc79a7", "#d7278b", "bold red", "bold"),
    "O": _State("swapped out", "#d55e00", "#581400", "red", "underline"),
    DOWN: _State("down", "reverse", "reverse", "reverse", "reverse"),
    DRAINING: _State("draining", "#d55e00 reverse", "#581400 reverse", "red reverse", "bold reverse"),
    "F": _State("over", "#808080", "#6e6e6e", "dim", "dim"),
    "": _State("not submitted", "#808080", "#6e6e6e", "dim", "dim"),
}
"""Every state a node or a job can be in, by its letter; "F" and "" are jobs before and after their time."""

# X and O are left out: on the map they would be read as a node that is down and a job that is swapped out.
# Fifty letters have no factor in common with seven hues or three attributes, so two jobs share both only
# 350 (150) jobs apart.
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWYZ"

RAMP_DARK = (
    "#4f7cc4",
    "#6d8bb8",
    "#8799ad",
    "#9fa6a2",
    "#b4b395",
    "#c8c085",
    "#dacc73",
    "#ecda5b",
    "#fee838",
)
RAMP_LIGHT = (
    "#857600",
    "#7d7429",
    "#777340",
    "#6a6b4f",
    "#5d615a",
    "#4f5662",
    "#3e4a68",
    "#293a66",
    "#00255e",
)
RAMP_SIXTEEN = ("bright_blue",) * 3 + ("magenta",) * 3 + ("red",) * 3


_DIGITS = 10
"""Names of fewer digits are taken as numbers; a longer one would be slow to read as one."""


class _Screen(Protocol):
    """The part of a Textual app that says what its terminal can show."""

    no_color: bool
    console: Console

    @property
    def current_theme(self) -> "_Theme": ...


class _Theme(Protocol):
    @property
    def dark(self) -> bool: ...


def depth_of(environ: Mapping[str, str] | None = None) -> Depth:
    """The depth that the environment promises; below MANY an app must be made with `ansi_color=True`."""
    environ = os.environ if environ is None else environ
    if "NO_COLOR" in environ:
        return Depth.NONE
    return _depth(Console(_environ=environ, force_terminal=True, legacy_windows=False))


def palette_of(app: _Screen) -> Palette:
    depth = Depth.NONE if app.no_color else _depth(app.console)
    return _palette(depth, app.current_theme.dark)


@lru_cache
def _palette(depth: Depth, dark: bool) -> Palette:
    return Palette(depth, dark)


def _depth(console: Console) -> Depth:
    return {"truecolor": Depth.MANY, "256": Depth.MANY, None: Depth.NONE}.get(
        console.color_system, Depth.SIXTEEN
    )


@lru_cache
def look(state: str, palette: Palette) -> Look:
    """The look of a state of the table; a state that is not in it keeps its own first letter, in reverse."""
    row = STATES.get(state)
    if row is None:
        return Look(state[:1] or "?", Style(reverse=True), "state unknown")
    return Look(state or "-", _parse(_shade(row, palette)), row.word)


def _shade(row: _State, palette: Palette) -> str:
    if palette.depth is Depth.NONE:
        return row.plain
    if palette.depth is Depth.SIXTEEN:
        return row.sixteen
    return row.dark if palette.dark else row.light


@lru_cache(256)
def _parse(definition: str) -> Style:
    return Style.parse(definition) if definition else Style.null()


def job_letter(index: int) -> str:
    """The letter of a job by its index alone: neighbours in the queue never share one."""
    return LETTERS[index % len(LETTERS)]


def job_look(index: int, palette: Palette, letter: str = "") -> Look:
    """The hue of a job, with a letter, by default that of its index.

    Two jobs share both of these only when they are 350 apart (150 without colour).
    """
    place = LETTERS.index(letter) if letter else index % len(LETTERS)
    return _lettered(place, index % len(palette.hues), palette)


@lru_cache
def chosen_look(palette: Palette) -> Look:
    """The look of what is filled of the job looked at: white on dark, black on light.

    In sixteen colours the ground is not known: there it is the colour in which the terminal writes.
    """
    found = {Depth.NONE: "bold underline", Depth.SIXTEEN: "default"}
    return Look("", _parse(found.get(palette.depth, "bright_white" if palette.dark else "black")))


def user_look(user: str, palette: Palette) -> Look:
    """The letter and hue of a user: the initial of a name, a letter for a number; always the same."""
    number = zlib.crc32(user.encode(errors="surrogatepass"))
    if user.isascii() and user.isdigit() and len(user) < _DIGITS:
        number = int(user)
    initial = LETTERS.find(user[0]) if user else -1
    letter = number % len(LETTERS) if initial < 0 else initial
    return _lettered(letter, number % len(palette.hues), palette)


@lru_cache(4096)
def _lettered(letter: int, hue: int, palette: Palette) -> Look:
    return Look(LETTERS[letter], _parse(palette.hues[hue]))


@lru_cache
def ramp_look(step: int, palette: Palette) -> Look:
    """The digit and shade of one step (0 to 8) of a scale of durations; the longer, the further from grey."""
    if palette.depth is Depth.NONE:
        return Look(str(step), Style.null())
    if palette.depth is Depth.SIXTEEN:
        return Look(str(step), _parse(RAMP_SIXTEEN[step]))
    return Look(str(step), _parse((RAMP_DARK if palette.dark else RAMP_LIGHT)[step]))


@lru_cache
def late_look(palette: Palette) -> Look:
    """The look of a job that is past the end of its estimate."""
    plain = palette.depth is Depth.NONE
    return Look("!", _parse("bold") if plain else look("O", palette).style, "late")


def quiet(palette: Palette) -> Style:
    """The style of what stands back: labels of rows, units, what lies ahead."""
    if palette.depth is not Depth.MANY:
        return _parse("dim")
    return _parse("#8a8a8a" if palette.dark else "#5a5a5a")
