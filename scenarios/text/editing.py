"""Editing the text of a scenario file: its actions, and the path of its log. The rest stays as it is."""

import tomllib
from collections.abc import Collection, Iterator, Sequence

import tree_sitter

from shadowtime.scenarios.text.positions import PARSER
from shadowtime.scenarios.text.writing import MARK, quoted


def with_actions(text: str, kept: Collection[int], added: Sequence[str]) -> str | None:
    """A text with other numbered actions: of its own those on the lines `kept`, then those added, at the end.

    Its expectations are left out: they are of a run without these actions. None where they, or the actions,
    are not written as tables of their own, or the text would not be the same otherwise.
    """
    lines = text.split("\n")
    gone = [span for span in _numbered(text) if not any(span[0] < line <= span[1] + 1 for line in kept)]
    for first, last in sorted([*gone, *_tables(text, "expect")], reverse=True):
        # The empty line before a table goes with it.
        del lines[first - 1 if first and not lines[first - 1].strip() else first : last + 1]
    if not kept:
        lines = [line for line in lines if line.strip() != MARK]
    blocks = [line.rstrip() for line in added]
    if blocks and MARK not in (line.strip() for line in lines):
        blocks[0] = f"{MARK}\n{blocks[0]}"
    made = "\n\n".join(["\n".join(lines).rstrip("\n"), *blocks]) + "\n"
    return made if _agree(text, made, len(kept) + len(added)) else None


def _agree(old: str, new: str, count: int) -> bool:
    """Whether two texts say the same but for expectations and numbered actions; the new one has so many."""
    try:
        before, after = tomllib.loads(old), tomllib.loads(new)
    except tomllib.TOMLDecodeError:
        return False
    was, now = before.pop("action", []), after.pop("action", [])
    if after.get("expect"):
        return False
    before.pop("expect", None)
    plain = [action for action in was if not _follows(action)], [each for each in now if not _follows(each)]
    return before == after and plain[0] == plain[1] and len(now) - len(plain[1]) == count


def _follows(action: object) -> bool:
    """Whether an action follows an event."""
    return isinstance(action, dict) and str(action.get("at", "")).strip().startswith("#")


def _numbered(text: str) -> Iterator[tuple[int, int]]:
    """The first and the last row, counted from 0, of each [[action]] that follows an event."""
    actions = tomllib.loads(text).get("action", [])
    for (first, last), action in zip(_tables(text, "action"), actions, strict=False):
        if _follows(action):
            yield first, last


def _tables(text: str, key: str) -> list[tuple[int, int]]:
    """The first and the last row of each table of an array of tables, with the tables inside it."""
    spans = list[list[int]]()
    for node in PARSER.parse(text.encode()).root_node.named_children:
        header = node.named_children[0].text if node.named_children else None
        name = (header or b"").decode().replace(" ", "")
        if node.type == "table_array_element" and name == key:
            spans.append([node.start_point.row, _end(node)])
        elif node.type == "table" and name.startswith(f"{key}.") and spans:
            spans[-1][1] = _end(node)
    return [(first, last) for first, last in spans]


def _end(node: tree_sitter.Node) -> int:
    """The row in which the last key of a table ends: comments after it are the next table's."""
    pairs = [child for child in node.named_children if child.type == "pair"]
    return (pairs[-1] if pairs else node.named_children[0]).end_point.row


def with_log(text: str, path: str) -> str | None:
    """A text whose [workload] names its log by another path; None where the log is written in another way."""
    for node in PARSER.parse(text.encode()).root_node.named_children:
        if node.type == "table" and (node.named_children[0].text or b"").strip() == b"workload":
            for pair in node.named_children:
                if pair.type == "pair" and pair.named_children[0].text == b"log":
                    value = pair.named_children[1]
                    content = text.encode()
                    return (
                        content[: value.start_byte] + quoted(path).encode() + content[value.end_byte :]
                    ).decode()
    return None
