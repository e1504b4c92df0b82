"""Letters and digits of three lines, to be read from the last row of a lecture room."""

HEIGHT = 3
GLYPHS = {
    "0": ("█▀█", "█ █", "▀▀▀"),
    "1": ("▀█ ", " █ ", "▀▀▀"),
    "2": ("▀▀█", "█▀▀", "▀▀▀"),
    "3": ("▀▀█", " ▀█", "▀▀▀"),
    "4": ("█ █", "▀▀█", "  ▀"),
    "5": ("█▀▀", "▀▀█", "▀▀▀"),
    "6": ("█▀▀", "█▀█", "▀▀▀"),
    "7": ("▀▀█", "  █", "  ▀"),
    "8": ("█▀█", "█▀█", "▀▀▀"),
    "9": ("█▀█", "▀▀█", "▀▀▀"),
    "a": ("█▀█", "█▀█", "▀ ▀"),
    "b": ("█▀▄", "█▀▄", "▀▀ "),
    "c": ("█▀▀", "█  ", "▀▀▀"),
    "d": ("█▀▄", "█ █", "▀▀ "),
}
NONE = ("   ", "   ", "   ")


def large(text: str) -> tuple[str, ...]:
    """Return a text as `HEIGHT` lines; what has no glyph is a gap."""
    glyphs = [GLYPHS.get(sign, NONE) for sign in text]
    return tuple(" ".join(glyph[line] for glyph in glyphs) for line in range(HEIGHT))
