"""Characters that are drawn as shapes: braille, boxes and blocks, which fill their cells in any font."""

from functools import lru_cache

WIDE, HIGH = 8.0, 16.0
"""The size of a cell: its halves, quarters and eighths are whole pixels, which no viewer blurs."""
LINE, HEAVY = 1.0, 2.0
"""The width of a line of a box."""
BRAILLE = 0x2800
DOTS = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3))
"""The column and row of each dot of braille, from the lowest bit."""
DOT = 2.0
EIGHTHS = "▁▂▃▄▅▆▇█"
LEFTS = "▏▎▍▌▋▊▉"
SHADES = {"░": 0.25, "▒": 0.5, "▓": 0.75}
"""Characters that are a whole cell of less ink."""
ARMS = {
    "─": "lr",
    "━": "LR",
    "│": "ud",
    "┃": "UD",
    "┌": "rd",
    "╭": "rd",
    "┐": "ld",
    "╮": "ld",
    "└": "ru",
    "╰": "ru",
    "┘": "lu",
    "╯": "lu",
    "├": "udr",
    "┤": "udl",
    "┬": "lrd",
    "┴": "lru",
    "┼": "lrud",
    "╴": "l",
    "╵": "u",
    "╶": "r",
    "╷": "d",
    "╸": "L",
    "╹": "U",
    "╺": "R",
    "╻": "D",
    "┏": "RD",
    "┓": "LD",
    "┗": "RU",
    "┛": "LU",
    "┣": "UDR",
    "┫": "UDL",
    "┳": "LRD",
    "┻": "LRU",
    "╋": "LRUD",
    "┠": "UDr",
    "┨": "UDl",
}
"""Where the lines of a character of a box lead from its middle: small letters are thin, large ones heavy."""
HALVES = {"▔": (0.0, 0.0, 1.0, 0.125), "▀": (0.0, 0.0, 1.0, 0.5), "▐": (0.5, 0.0, 0.5, 1.0)}
QUARTERS = {
    "▖": "c",
    "▗": "d",
    "▘": "a",
    "▙": "acd",
    "▚": "ad",
    "▛": "abc",
    "▜": "abd",
    "▝": "b",
    "▞": "bc",
    "▟": "bcd",
}

Box = tuple[float, float, float, float]
"""The left, the top, the width and the height of a rectangle, from the corner of the cell."""


@lru_cache(1024)
def boxes(character: str) -> tuple[Box, ...]:
    """The rectangles that a character is drawn as; none if it is text."""
    code = ord(character) - BRAILLE
    if 0 <= code < 256:
        across, down = WIDE / 2, HIGH / 4
        return tuple(
            ((x + 0.5) * across - DOT / 2, (y + 0.5) * down - DOT / 2, DOT, DOT)
            for bit, (x, y) in enumerate(DOTS)
            if code >> bit & 1
        )
    if character in ARMS:
        return tuple(_arm(arm) for arm in ARMS[character])
    return tuple((x * WIDE, y * HIGH, w * WIDE, h * HIGH) for x, y, w, h in _shares(character))


def _shares(character: str) -> tuple[Box, ...]:
    """The parts of a cell that a block fills, as shares of it."""
    if character in SHADES:
        return ((0.0, 0.0, 1.0, 1.0),)
    if character in HALVES:
        return (HALVES[character],)
    if character in EIGHTHS:
        share = (EIGHTHS.index(character) + 1) / 8
        return ((0.0, 1 - share, 1.0, share),)
    if character in LEFTS:
        return ((0.0, 0.0, (LEFTS.index(character) + 1) / 8, 1.0),)
    places = {"a": (0.0, 0.0), "b": (0.5, 0.0), "c": (0.0, 0.5), "d": (0.5, 0.5)}
    return tuple((*places[quarter], 0.5, 0.5) for quarter in QUARTERS.get(character, ""))


def _arm(arm: str) -> Box:
    """The line from the middle of a cell to one of its sides; lines that meet overlap in the middle."""
    thick = HEAVY if arm.isupper() else LINE
    left, top = (WIDE - thick) // 2, (HIGH - thick) // 2
    match arm.lower():
        case "l":
            return (0.0, top, left + thick, thick)
        case "r":
            return (left, top, WIDE - left, thick)
        case "u":
            return (left, 0.0, thick, top + thick)
        case _:
            return (left, top, thick, HIGH - top)
