"""The keys that move in the lines of a page and in a list, beside the arrows."""

from textual.binding import Binding

LIST_KEYS: tuple[Binding, ...] = (
    Binding("j", "focused.move(1)", show=False, id="row_down"),
    Binding("k", "focused.move(-1)", show=False, id="row_up"),
    Binding("ctrl+d", "focused.half(1)", show=False, id="half_down"),
    Binding("ctrl+u", "focused.half(-1)", show=False, id="half_up"),
    Binding("g", "focused.far(-1)", show=False, id="first_row"),
    Binding("G", "focused.far(1)", show=False, id="last_row"),
)
"""`g` alone leads to the first line, so that `gg` does too."""
LETTERS = "asdfghjklqwertyuiopzxcvbnmASDFGHJKLQWERTYUIOPZXCVBNM"
"""The letters that `;` puts in front of rows, those under the fingers first."""
HELP = (
    ("Up Down, j k", "move"),
    ("PageUp PageDown", "a screen up or down; Ctrl+U Ctrl+D: half of one"),
    ("Home End, g G", "to the first, to the last"),
)
"""What they do, for a page of help."""
