"""Themes: the colours of the ground and of what is not a job or a state, dark and light.

The hues are Okabe and Ito's, which stay apart for colour-blind eyes, in shades that are read on their
ground: text has a contrast of 4.5 or more (WCAG 2, level AA). Terminals of sixteen colours or none keep
their own colours and their own ground, whether that is dark or light: there a theme changes nothing, and
what is used of the sixteen is read on both.
"""

from collections.abc import Mapping

from textual.theme import Theme

DARK = Theme(
    name="shadowtime-dark",
    primary="#56b4e9",
    secondary="#8fb8d8",
    accent="#e69f00",
    warning="#e69f00",
    error="#ee7733",
    success="#009e73",
    foreground="#d5dbe1",
    background="#0d1117",
    surface="#131a22",
    panel="#1b242e",
    boost="#18212b",
    dark=True,
    variables={"border-blurred": "#33404d", "scrollbar": "#33404d", "scrollbar-background": "#0d1117"},
)
LIGHT = Theme(
    name="shadowtime-light",
    primary="#0f6ab4",
    secondary="#1c5a82",
    accent="#85560a",
    warning="#85560a",
    error="#b04200",
    success="#00704f",
    foreground="#1b242e",
    background="#ffffff",
    surface="#f6f8fa",
    panel="#e6ebf0",
    boost="#f0f3f6",
    dark=False,
    variables={"border-blurred": "#b4bec8", "scrollbar": "#b4bec8", "scrollbar-background": "#ffffff"},
)
FEW = Theme(
    name="shadowtime-few",
    ansi=True,
    primary="ansi_bright_blue",
    secondary="ansi_magenta",
    accent="ansi_magenta",
    warning="ansi_magenta",
    error="ansi_red",
    success="ansi_bright_blue",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    boost="ansi_default",
    # Nothing is painted black or white: on one ground or the other that would be no colour, or a blot.
    variables={
        "ansi-background": "ansi_default",
        "ansi-foreground": "ansi_default",
        "border-blurred": "ansi_bright_black",
        "block-cursor-text-style": "bold underline",
        "scrollbar-background": "ansi_default",
        "scrollbar-background-hover": "ansi_default",
        "scrollbar-background-active": "ansi_default",
    },
)
"""That of terminals of few colours."""
THEMES: Mapping[str, Theme] = {"dark": DARK, "light": LIGHT}
"""The themes by the names that `:theme` and `--theme` take; the first is the usual one."""
