"""Looks: no information is shown by colour alone, and colours differ for every eye and on every terminal."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from shadowtime.console.widgets.frame.looks import (
    DOWN,
    IDLE,
    LETTERS,
    STATES,
    Depth,
    Palette,
    depth_of,
    job_look,
    late_look,
    look,
    palette_of,
    quiet,
    ramp_look,
    user_look,
)
from shadowtime.console.widgets.frame.pen import ink

PALETTES = [Palette(depth, dark) for depth in Depth for dark in (True, False)]
DARK, LIGHT = Palette(Depth.MANY, dark=True), Palette(Depth.MANY, dark=False)
PLAIN = Palette(Depth.NONE)
ON_MAP = ".RNWHSioOX"

# Machado, Oliveira and Fernandes (2009): linear red, green and blue where one kind of cone is missing.
EYES = {
    "all cones": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


@pytest.mark.parametrize("palette", PALETTES, ids=str)
def test_every_state_has_a_letter_of_its_own(palette: Palette) -> None:
    """A state is read by its letter, whatever the colours."""
    letters = [look(state, palette).letter for state in STATES]
    assert letters == [*ON_MAP, "x", "F", "-"]


def test_without_colour_attributes_stand_for_states() -> None:
    """The table of states: dim, plain, bold, underline and reverse, and no colour at all."""
    styles = {state: look(state, PLAIN).style for state in ON_MAP}
    assert {state: str(style) for state, style in styles.items()} == {
        IDLE: "dim",
        "R": "none",
        "N": "bold",
        "W": "none",
        "H": "dim",
        "S": "underline",
        "i": "bold",
        "o": "bold",
        "O": "underline",
        DOWN: "reverse",
    }


XTERM = {
    "default": "",
    "red": "#cd0000",
    "magenta": "#cd00cd",
    "bright_black": "#7f7f7f",
    "bright_red": "#ff0000",
    "bright_blue": "#5c5cff",
    "bright_magenta": "#ff00ff",
}
"""Those of the sixteen colours of xterm that are read on both grounds."""


def test_sixteen_colours_are_read_on_black_and_on_white() -> None:
    """Contrast of at least 3:1 on both; no two states share a style, and the hues of neighbours differ."""
    palette = Palette(Depth.SIXTEEN)
    styles = [look(state, palette).style for state in "RNWHSioO"]
    assert len(set(map(str, styles))) == len(styles)
    jobs = [job_look(index, palette).style for index in range(8)]
    ramp = [ramp_look(step, palette).style for step in range(9)]
    for style in (*styles, *jobs, *ramp, late_look(palette).style, *ink(palette).values()):
        shade = XTERM[style.color.name] if style.color is not None else ""
        assert not shade or min(contrast(shade, ground) for ground in ("#000000", "#ffffff")) >= 3, shade
    for one, other in itertools.pairwise(jobs):
        assert distance(XTERM[colour(one)], XTERM[colour(other)], "all cones") > 13, (one, other)


def test_colours_are_those_of_okabe_and_ito_on_a_dark_screen() -> None:
    """The colours that the table of states fixes, but for the blue, which is lightened until it is read."""
    shades = {state: look(state, DARK).style.color for state in ".RNWHSioO"}
    assert {state: shade.name for state, shade in shades.items() if shade is not None} == {
        ".": "#70777f",
        "R": "#009e73",
        "N": "#56b4e9",
        "W": "#e69f00",
        "H": "#999999",
        "S": "#0c7ee9",
        "i": "#f0e442",
        "o": "#cc79a7",
        "O": "#d55e00",
    }


@pytest.mark.parametrize(("palette", "ground"), [(DARK, "#1e1e1e"), (LIGHT, "#e0e0e0")])
def test_letters_stand_out_from_the_ground(palette: Palette, ground: str) -> None:
    """Contrast of at least 3:1 for whatever is to be read, idle nodes too."""
    looks = [look(state, palette) for state in ".RNWHSioO"]
    looks += [job_look(index, palette) for index in range(7)] + [
        ramp_look(step, palette) for step in range(9)
    ]
    looks.append(late_look(palette))
    for one in looks:
        assert contrast(colour(one.style), ground) >= 3, (one.letter, colour(one.style))
    assert contrast(colour(quiet(palette)), ground) >= 3


@pytest.mark.parametrize("palette", [DARK, LIGHT], ids=["dark", "light"])
@pytest.mark.parametrize("eye", EYES)
def test_hues_of_neighbours_stay_apart_for_every_eye(palette: Palette, eye: str) -> None:
    """The hues of jobs differ visibly (13 in CIE Lab) for eyes with all cones and without any one of them."""
    hues = [colour(job_look(index, palette).style) for index in range(7)]
    for one, other in itertools.combinations(hues, 2):
        assert distance(one, other, eye) > 13, (one, other)


@pytest.mark.parametrize("palette", PALETTES, ids=str)
def test_jobs_near_each_other_differ(palette: Palette) -> None:
    """Two jobs share letter and style only when they are letters times hues apart: at least 150."""
    period = len(LETTERS) * len(palette.hues)
    looks = [(one.letter, str(one.style)) for one in (job_look(index, palette) for index in range(period))]
    assert len(set(looks)) == period >= 150
    assert job_look(period, palette) is job_look(0, palette)


def test_no_job_is_lettered_like_a_node_that_is_down() -> None:
    """X and O belong to states, and no letter comes twice."""
    assert not {"X", "O", IDLE} & set(LETTERS)
    assert len(set(LETTERS)) == len(LETTERS)


def test_users_keep_their_initial() -> None:
    """A name gives its initial; a number, or a name in another script, a letter that is always the same."""
    assert user_look("kim", DARK).letter == "k"
    assert user_look("17", DARK).letter == LETTERS[17]
    assert user_look("k\udc80", DARK).letter == "k", "half of a pair of surrogates has a hue, too"
    assert user_look("18", DARK).letter != user_look("17", DARK).letter
    assert user_look("Ωmega", DARK).letter == "x"


@given(st.text())
def test_any_user_has_a_look(user: str) -> None:
    """Names come from files: empty, long, of digits without end."""
    assert user_look(user * 2_000, PLAIN).letter in LETTERS


def test_a_state_unknown_is_still_drawn() -> None:
    """A policy of somebody else may use a state that the table does not have."""
    assert look("Q", DARK).letter == "Q"
    assert look("Q", DARK).word == "state unknown"


@pytest.mark.parametrize(
    ("environ", "depth"),
    [
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, Depth.NONE),
        ({"TERM": "xterm-256color"}, Depth.MANY),
        ({"TERM": "xterm", "COLORTERM": "truecolor"}, Depth.MANY),
        ({"TERM": "xterm-16color"}, Depth.SIXTEEN),
        ({"TERM": "xterm"}, Depth.SIXTEEN),
        ({"TERM": "dumb"}, Depth.NONE),
    ],
    ids=str,
)
def test_the_environment_shows_how_many_colours_there_are(environ: dict[str, str], depth: Depth) -> None:
    """NO_COLOR, COLORTERM and TERM, in this order."""
    assert depth_of(environ) is depth


@pytest.mark.parametrize("dark", [True, False])
def test_the_palette_of_an_app_is_that_of_its_terminal_and_theme(dark: bool) -> None:
    """NO_COLOR beats what the terminal can show."""

    class Theme:
        def __init__(self) -> None:
            self.dark = dark

    class Screen:
        def __init__(self, no_color: bool, system: str) -> None:
            self.no_color = no_color
            self.console = Console(color_system=system, force_terminal=True, _environ={})  # type: ignore[arg-type]
            self.current_theme = Theme()

    assert palette_of(Screen(False, "truecolor")) == Palette(Depth.MANY, dark)
    assert palette_of(Screen(False, "standard")) == Palette(Depth.SIXTEEN, dark)
    assert palette_of(Screen(True, "truecolor")) == Palette(Depth.NONE, dark)


def colour(style: object) -> str:
    """The colour of a style, as #rrggbb."""
    return style.color.name  # type: ignore[attr-defined, no-any-return]


def linear(shade: str) -> list[float]:
    """A colour as linear red, green and blue."""
    parts = [int(shade[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours as WCAG defines it."""
    light = [0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in map(linear, (one, other))]
    return (max(light) + 0.05) / (min(light) + 0.05)


def distance(one: str, other: str, eye: str) -> float:
    """How far apart two colours are in CIE Lab for an eye."""
    return math.dist(lab(one, eye), lab(other, eye))


def lab(shade: str, eye: str) -> tuple[float, float, float]:
    """A colour in CIE Lab (D65) as an eye sees it."""
    seen = [sum(w * part for w, part in zip(row, linear(shade), strict=True)) for row in EYES[eye]]
    red, green, blue = (min(1.0, max(0.0, part)) for part in seen)
    x = bent((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047)
    y = bent(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    z = bent((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def bent(part: float) -> float:
    """The curve of CIE Lab."""
    return float(part ** (1 / 3)) if part > 0.008856 else 7.787 * part + 16 / 116
