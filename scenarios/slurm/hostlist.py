"""Lists of nodes as Slurm writes them, such as `n[1-4,07-12],login` (the manual of scontrol, hostlists)."""

import re
from collections.abc import Iterable, Iterator

MOST_NODES = 1_000_000
"""No list names more nodes."""
EMPTY = frozenset(("", "(null)", "None"))
_RANGE = re.compile(r"(\d{1,12})(?:-(\d{1,12}))?", re.ASCII)
_NAME = re.compile(r"[^\s\[\],]+")
_DIGITS = "0123456789"
_MOST_DIGITS = 12


def parse_hosts(text: str) -> tuple[str, ...]:
    """Return the names in their order; a number keeps its leading zeros. ValueError says what is wrong."""
    if text in EMPTY:
        return ()
    names: list[str] = []
    for part in _parts(text):
        names += _expanded(part, text, MOST_NODES - len(names))
    return tuple(names)


def format_hosts(names: Iterable[str]) -> str:
    """Return the list of these names, neighbours with one prefix as ranges: `n[1-4,7],login`."""
    groups: list[tuple[str, list[tuple[str, str]]]] = []
    for name in names:
        begin = max(len(name.rstrip(_DIGITS)), len(name) - _MOST_DIGITS)
        prefix, digits = name[:begin], name[begin:]
        if not groups or groups[-1][0] != prefix or not digits or not groups[-1][1]:
            groups.append((prefix, [(digits, digits)] if digits else []))
            continue
        first, last = groups[-1][1][-1]
        if f"{int(last) + 1:0{len(last)}}" == digits:
            groups[-1][1][-1] = first, digits
        else:
            groups[-1][1].append((digits, digits))
    return ",".join(_written(prefix, ranges) for prefix, ranges in groups)


def _written(prefix: str, ranges: list[tuple[str, str]]) -> str:
    texts = [first if first == last else f"{first}-{last}" for first, last in ranges]
    if len(texts) == 1 and "-" not in texts[0]:
        return prefix + texts[0]
    return f"{prefix}[{','.join(texts)}]" if texts else prefix


def _parts(text: str) -> Iterator[str]:
    """Split at the commas outside brackets."""
    begin = depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if depth not in (0, 1):
            raise ValueError(f"{_cut(text)} is no list of nodes; expected one such as n[1-4,7]")
        if letter == "," and not depth:
            yield text[begin:place]
            begin = place + 1
    if depth:
        raise ValueError(f"{_cut(text)} is no list of nodes; a bracket is not closed")
    yield text[begin:]


def _expanded(part: str, text: str, room: int) -> list[str]:
    names = [""]
    for piece in re.split(r"(\[[^\]]*\])", part):
        if piece.startswith("["):
            numbers = [number for word in piece[1:-1].split(",") for number in _numbers(word, text, room)]
            if len(names) * len(numbers) > room:
                raise ValueError(f"{_cut(text)} names more than {MOST_NODES:,} nodes")
            names = [name + number for name in names for number in numbers]
        elif piece:
            if not _NAME.fullmatch(piece):
                raise ValueError(f"{_cut(text)} is no list of nodes; expected one such as n[1-4,7]")
            names = [name + piece for name in names]
    if names == [""] or room < len(names):
        raise ValueError(f"{_cut(text)} is no list of at most {MOST_NODES:,} nodes")
    return names


def _numbers(word: str, text: str, room: int) -> list[str]:
    found = _RANGE.fullmatch(word)
    if found is None:
        raise ValueError(f"{_cut(text)} is no list of nodes; expected one such as n[1-4,7]")
    first, last = found[1], found[2] or found[1]
    if int(last) < int(first) or int(last) - int(first) >= room:
        raise ValueError(f"{_cut(text)} is no list of nodes; {_cut(word)} is no range of them")
    return [str(number).zfill(len(first)) for number in range(int(first), int(last) + 1)]


def _cut(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
