"""Themes: whatever is to be read has a contrast of 4.5 or more on the ground that it stands on."""

import pytest
from rich.color import Color
from rich.style import Style
from textual.theme import Theme

from shadowtime.console.themes import DARK, LIGHT, THEMES
from shadowtime.console.widgets.frame.looks import (
    STATES,
    Depth,
    Palette,
    job_look,
    late_look,
    look,
    quiet,
    ramp_look,
)
from shadowtime.console.widgets.frame.pen import ink
from tests.widgets.test_looks import contrast

READ = 4.5
"""WCAG 2, level AA, for text of the usual size."""
SEEN = 1.3
"""The contrast of a line or a faint mark: enough to differ from the ground."""
FAINT = {"faint"}
"""Roles of rules and marks that say nothing by themselves."""
BOTH = pytest.mark.parametrize("theme", [DARK, LIGHT], ids=["dark", "light"])


def palette_of(theme: Theme) -> Palette:
    """The palette of a theme on a terminal of many colours."""
    return Palette(Depth.MANY, theme.dark)


def hexed(color: Color | None, otherwise: str | None) -> str:
    """A colour as #rrggbb."""
    found = otherwise if color is None else color.get_truecolor().hex
    assert found is not None
    return found


def ratio(theme: Theme, style: Style, ground: str | None) -> float:
    """The contrast of a style's text on the ground, or on the style's own."""
    text, paper = hexed(style.color, theme.foreground), hexed(style.bgcolor, ground)
    return contrast(paper, text) if style.reverse else contrast(text, paper)


@BOTH
def test_every_role_is_read_on_panels_titles_and_pages(theme: Theme) -> None:
    """Roles of text on the grounds of panels and of the lines of titles and keys, the cursor on its own."""
    for role, style in ink(palette_of(theme)).items():
        for ground in (theme.background, theme.boost):
            assert ratio(theme, style, ground) >= (SEEN if role in FAINT else READ), (role, ground)


@BOTH
def test_every_letter_is_read_on_the_map_and_in_the_queue(theme: Theme) -> None:
    """States, jobs, steps of a scale; only the mark of an idle node may be faint: it says that nothing is."""
    palette = palette_of(theme)
    looks = [job_look(index, palette) for index in range(7)] + [ramp_look(step, palette) for step in range(9)]
    looks += [look(state, palette) for state in STATES if state != "."] + [late_look(palette)]
    for one in looks:
        assert ratio(theme, one.style, theme.background) >= READ, (one.letter, str(one.style))
    assert ratio(theme, quiet(palette), theme.background) >= READ
    assert ratio(theme, look(".", palette).style, theme.background) >= SEEN


@BOTH
def test_the_colours_of_the_theme_are_read(theme: Theme) -> None:
    """Those that borders, labels and questions are written in."""
    for shade in (theme.foreground, theme.primary, theme.accent, theme.warning, theme.error, theme.success):
        assert shade is not None
        for ground in (theme.background, theme.surface, theme.boost):
            assert ground is not None and contrast(shade, ground) >= READ, (shade, ground)


def test_there_is_a_dark_and_a_light_one() -> None:
    """By these names."""
    assert {name: theme.dark for name, theme in THEMES.items()} == {"dark": True, "light": False}


@pytest.mark.parametrize("depth", [Depth.SIXTEEN, Depth.NONE], ids=str)
def test_few_colours_are_the_same_in_every_theme(depth: Depth) -> None:
    """A terminal of sixteen colours or none keeps its own: nothing that is read changes with the theme."""
    dark, light = Palette(depth, True), Palette(depth, False)
    assert ink(dark) == ink(light)
    assert [look(state, dark).style for state in STATES] == [look(state, light).style for state in STATES]
    assert [job_look(at, dark).style for at in range(7)] == [job_look(at, light).style for at in range(7)]
    assert [ramp_look(at, dark).style for at in range(9)] == [ramp_look(at, light).style for at in range(9)]
    assert quiet(dark) == quiet(light)
