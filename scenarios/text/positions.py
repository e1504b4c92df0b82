"""Where things stand in a TOML text: line and column of every key and value, found with tree-sitter.

Asked only when a place is needed: for a fault, or for an expectation. The values themselves come from
tomllib; what the grammar does not understand is left out, and its place is then that of the table around it.
"""

import tomllib
from collections.abc import Iterator, Mapping

import attrs
import tree_sitter
import tree_sitter_toml

from shadowtime.scenarios.text.paths import Path

# Arrays inside arrays are faults at the second level already; deeper places are never asked for.
_DEEPEST = 12
PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_toml.language()))


@attrs.frozen
class Spot:
    """Where the key and the value of a pair begin: line and column, counted from 1, columns in characters.

    For a table both are its header; for an element of an array both are the element.
    """

    key: tuple[int, int]
    value: tuple[int, int]


def positions(text: str) -> Mapping[Path, Spot]:
    """The place of every key, table and element of an array in a valid TOML text."""
    return _Walk(text).spots


def longest_key(text: str, most: int) -> tuple[int, int] | None:
    """Where a dotted key of more parts begins; None if there is none."""
    cursor = PARSER.parse(text.encode()).walk()
    depth = 0
    while True:
        node = cursor.node
        assert node is not None
        depth += node.type == "dotted_key"
        if depth >= most:
            row, column = node.start_point
            return row + 1, len(text.split("\n")[row].encode()[:column].decode(errors="replace")) + 1
        if cursor.goto_first_child():
            continue
        while True:
            node = cursor.node
            assert node is not None
            depth -= node.type == "dotted_key"
            if cursor.goto_next_sibling():
                break
            if not cursor.goto_parent():
                return None


class _Walk:
    def __init__(self, text: str) -> None:
        self.lines = [line.encode() for line in text.split("\n")]
        self.spots: dict[Path, Spot] = {}
        self.arrays: dict[Path, int] = {}
        for node in PARSER.parse(text.encode()).root_node.named_children:
            if node.type == "pair":
                self.pair(node, ())
            elif node.type in ("table", "table_array_element"):
                self.table(node)

    def place(self, node: tree_sitter.Node) -> tuple[int, int]:
        row, column = node.start_point
        return row + 1, len(self.lines[row][:column].decode(errors="replace")) + 1

    def table(self, node: tree_sitter.Node) -> None:
        header, *rest = node.named_children
        path: Path = ()
        *outer, last = _keys(header)
        for key in outer:
            path = (*path, key)
            # Inside an array of tables a header means the last of them.
            if path in self.arrays:
                path = (*path, self.arrays[path])
        path = (*path, last)
        if node.type == "table_array_element":
            self.arrays[path] = self.arrays.get(path, -1) + 1
            self.add(path, node, node)
            path = (*path, self.arrays[path])
        self.add(path, node, node)
        for pair in rest:
            if pair.type == "pair":
                self.pair(pair, path)

    def pair(self, node: tree_sitter.Node, path: Path) -> None:
        named = [child for child in node.named_children if child.type != "comment"]
        if len(named) != 2:
            return
        key, value = named
        for part in _keys(key):
            path = (*path, part)
            self.add(path, key, value)
        self.inside(value, path)

    def inside(self, value: tree_sitter.Node, path: Path) -> None:
        if len(path) > _DEEPEST:
            return
        children = [child for child in value.named_children if child.type != "comment"]
        if value.type == "inline_table":
            for child in children:
                if child.type == "pair":
                    self.pair(child, path)
        elif value.type == "array":
            for index, child in enumerate(children):
                self.add((*path, index), child, child)
                self.inside(child, (*path, index))

    def add(self, path: Path, key: tree_sitter.Node, value: tree_sitter.Node) -> None:
        # The first place counts: that of `a` in `a.b = 1` is not moved by `a.c = 2`.
        if path not in self.spots:
            self.spots[path] = Spot(self.place(key), self.place(value))


def _keys(node: tree_sitter.Node) -> list[str]:
    """The parts of a bare, quoted or dotted key."""
    return [_key(part) for part in _parts(node)]


def _parts(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    if node.type != "dotted_key":
        yield node
        return
    for child in node.named_children:
        yield from _parts(child)


def _key(node: tree_sitter.Node) -> str:
    text = (node.text or b"").decode(errors="replace")
    if node.type != "quoted_key":
        return text
    try:
        return next(iter(tomllib.loads(f"{text} = 0")))
    except tomllib.TOMLDecodeError:
        return text
