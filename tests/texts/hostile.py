"""Two thousand hostile texts, and what is wrong with a text that a terminal or a file was given."""

from collections.abc import Iterator
from itertools import cycle
from random import Random
from unicodedata import category

COUNT = 2_000
LONG = 1_000_000
"""Characters of a text that is long and nothing else."""
MARKS = 4

PIECES = (
    "\x1b]52;c;aGk=\x07", "\x1b]0;owned\x07", "\x1b]8;;http://x\x1b\\", "\x1b[31m", "\x1b[2J",
    "\x1bP0;1|\x1b\\",
    "\x1bc", "\x9b31m", "\x9d0;owned\x9c", "\x90q\x9c", *map(chr, range(32)), *map(chr, range(0x7F, 0xA1)),
    "\u202e", "\u202a", "\u2066", "\u2069", "\u200f", "\u061c", "\u200b", "\u200d", "\ufeff", "\u00ad",
    "\r\n", "\u2028", "\u2029", "\n99 0 0 3600 4 -1 -1 4 3600 -1 1 1 1 1 1 1 -1 -1\n", "\n; MaxProcs: 9\n",
    "[red]", "[@click=app.quit]x[/]", "[/]", "[[", "\\[b]", "[link=http://x]y[/link]", "$\\frac{", "`",
    "|", "**",
    "=1+1", "+1", "-2+3", "@SUM(A1)", "\t=1", " =1", ";=1+1", ",=1+1", '","=1+1', "'=1", "''", "'", '"',
    '"=1', "\uff1d1",
    "=cmd|' /C calc'!A0", "-7", "1e5", "007",
    '"}', '"""\n[[job]]\nid = 99', "'''", "<script>alert(1)</script>", "]]>", "<!-- end -->", "&amp;",
    "%s{0}{}",
    "\\", "\\x1b", "\\x5c", "\\x3b", "\\u202e", "\\U0010ffff", "\\Uffffffff", "\\ud800",
    "\ud800", "\udfff", "\udc80", "\ude00\ud83d", "\U0001f469\u200d\U0001f4bb", "\U000e0001",
    "\U0010ffff", "\uffff", "\ue000",
    "a" + "\u0301" * 60, "\u0488" * 9, "\u0e47" * 200, "\u1160", "\u3000", "中文", "é", "مرحبا",
)  # fmt: skip


def texts(count: int = COUNT, seed: int = 1) -> list[str]:
    """Return distinct texts: each piece alone, then pieces behind one another around a few letters."""
    random = Random(seed)
    found = dict.fromkeys(PIECES)
    while len(found) < count:
        some = random.choices(PIECES, k=random.randint(1, 4))
        some.insert(random.randint(0, len(some)), f"t{len(found)}")
        text = "".join(some)
        # Two halves of a pair in their order are one character to JSON.
        if text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass") == text:
            found[text] = None
    return list(found)[:count] if count >= len(PIECES) else random.sample(list(found), count)


def toml_texts(count: int = COUNT, seed: int = 1) -> list[str]:
    """Return the texts that a TOML file can hold: no half of a pair of surrogates."""
    kept = [text.encode("utf-8", "ignore").decode() for text in texts(count, seed)]
    return [text or "x" for text in dict.fromkeys(kept)]


def file_names(count: int, seed: int = 1) -> list[str]:
    """Return names of files, among them names that are no text."""
    names = dict[str, None]()
    for text in texts(COUNT, seed):
        raw = text.replace("/", "").replace("\0", "").encode("utf-8", "surrogatepass")[:120]
        if raw.strip() and raw not in (b".", b".."):
            names[raw.decode("utf-8", "surrogateescape")] = None
    return Random(seed).sample(list(names), count)


class Supply:
    """Gives the texts one after another, each at least once if it is asked often enough."""

    def __init__(self, some: list[str]) -> None:
        self._next: Iterator[str] = cycle(some)
        self.given = 0

    def __call__(self) -> str:
        self.given += 1
        return next(self._next)

    def word(self) -> str:
        """A text that is no other one: a key of something."""
        return f"{self()}#{self.given}"


def flaws(text: str) -> list[str]:
    """Return the lines that are no text for a terminal: with what it obeys, or a flood of marks."""
    return [ascii(line)[:200] for line in text.split("\n") if not line.isprintable() or _flooded(line)]


def _flooded(line: str) -> bool:
    run = 0
    for character in line if not line.isascii() else "":
        run = run + 1 if category(character) in ("Mn", "Me") else 0
        if run > MARKS:
            return True
    return False
