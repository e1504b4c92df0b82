"""The text of the scenario browser: the shelf of titles, and what one scenario is about."""

from collections.abc import Sequence
from pathlib import Path

from shadowtime.console.session import Entry
from shadowtime.console.widgets.frame.ink import Line, Piece, cell, printable, wrap


def shelf_lines(entries: Sequence[Entry], cursor: int, width: int) -> tuple[list[Line], int]:
    """The titles under their folders, and the line on which the cursor stands."""
    lines: list[Line] = []
    place = 0
    folder = None
    for number, entry in enumerate(entries):
        if entry.path.parent != folder:
            folder = entry.path.parent
            heading: Line = [(folder.name, "head"), (f"  {_paper(entries, folder)}", "dim")]
            lines += [[], heading] if lines else [heading]
        here = number == cursor
        if here:
            place = len(lines)
        role = "bad" if entry.fault else "text"
        line: list[Piece] = [
            ("> " if here else "  ", "key"),
            (printable(entry.title or entry.path.name), role),
        ]
        lines.append([(cell("".join(text for text, _ in line), width), "cursor")] if here else line)
    return lines or [[("no scenario is found", "dim")]], place


def matches(entry: Entry, words: str) -> bool:
    """Whether an entry has every one of some words, in its title, its story, its paper or its path."""
    text = " ".join((entry.title, entry.about, entry.paper, str(entry.path))).casefold()
    return all(word in text for word in words.casefold().split())


def _paper(entries: Sequence[Entry], folder: Path) -> str:
    """The paper that all scenarios of a folder are about, without the place in it; else empty."""
    papers = {entry.paper.split(",")[0] for entry in entries if entry.path.parent == folder}
    return printable(papers.pop()) if len(papers) == 1 else ""


def about_lines(entry: Entry | None, faults: Sequence[str], width: int) -> list[Line]:
    """One scenario: its title, its paper, its story; or its faults, which come first."""
    if entry is None:
        return []
    shown = list(faults) or ([entry.fault] if entry.fault else [])
    lines: list[Line] = []
    for fault in shown:
        lines += wrap(fault, width, "bad", [("! ", "bad")], 2)
    if shown:
        lines.append([])
    lines += wrap(entry.title, width, "strong") if entry.title else []
    lines += wrap(entry.paper, width, "head") if entry.paper else []
    for paragraph in paragraphs(entry.about):
        lines += [[], *wrap(paragraph, width)]
    return [*lines, [], *wrap(str(entry.path), width, "dim")]


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, each on one line."""
    return [" ".join(part.split()) for part in text.strip().split("\n\n") if part.strip()]
