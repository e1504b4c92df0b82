"""The text of the scenario browser: the shelf of titles, and what one scenario is about."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from shadowtime.console.session import Entry
from shadowtime.console.widgets.frame.ink import Line, Piece, cell, printable, wrap

HEADINGS: Mapping[str, str] = {
    "fj97": "Backfilling or time slots",
    "fw98": "What backfilling costs",
    "generated": "Generated workloads",
    "logs": "Real logs",
    "n12": "Jobs stopped and gone on with",
    "s02": "Shortest or longest first",
    "shifts": "Shifts",
    "small": "A handful of jobs, a rule each",
    "tf05": "Priorities and promises",
    "clusters": "Captured Slurm clusters",
}
"""Folders of the shipped scenarios -> what stands above their titles; another folder has its own name."""
SCENARIO = "A scenario: {detail} opens it, {forward} steps it event by event, {why} shows why a job waits."
NOTHING = "Nothing has all these words in its title, story, paper or path. Esc lists all again."
KINDS: Mapping[str, str] = {
    "logs": "A month of a real log: {detail} reads the log, which `shadowtime fetch` gets if it is not here.",
    "shifts": "A shift: {train} opens it with its tasks and a score; {detail} opens its machine alone.",
    "clusters": "A captured Slurm cluster: {detail} shows the plan of its next cycle. Nothing is done on it.",
    "courses": "A lesson: {train} opens it with its questions; {detail} opens its machine alone.",
}
"""Folders, of lessons that above theirs -> what a thing in them is, and which key does what with it."""


def kind_of(path: Path) -> str:
    """What kind of thing a path is, and what can be done with it; keys stand in braces by what they do."""
    return KINDS.get(path.parent.name) or KINDS.get(path.parent.parent.name, SCENARIO)


def shelf_lines(entries: Sequence[Entry], cursor: int, width: int) -> tuple[list[Line], int]:
    """The titles under their folders, and the line on which the cursor stands."""
    lines: list[Line] = []
    place = 0
    folder = None
    for number, entry in enumerate(entries):
        if entry.path.parent != folder:
            folder = entry.path.parent
            heading: Line = [(_heading(folder), "head"), (f"  {_paper(entries, folder)}", "dim")]
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
    return lines or list(wrap(NOTHING, width, "dim")), place


def _heading(folder: Path) -> str:
    if folder.parent.name == "courses":
        return f"Lessons: {printable(folder.name)}"
    return HEADINGS.get(folder.name, printable(folder.name))


def matches(entry: Entry, words: str) -> bool:
    """Whether an entry has every one of some words, in its title, its story, its paper or its path."""
    text = " ".join((entry.title, entry.about, entry.paper, str(entry.path))).casefold()
    return all(word in text for word in words.casefold().split())


def _paper(entries: Sequence[Entry], folder: Path) -> str:
    """The paper that all scenarios of a folder are about, without the place in it; else empty."""
    papers = {entry.paper.split(",")[0] for entry in entries if entry.path.parent == folder}
    return printable(papers.pop()) if len(papers) == 1 else ""


def about_lines(
    entry: Entry | None, faults: Sequence[str], width: int, first: Callable[[str], str]
) -> list[Line]:
    """One scenario: its title, its paper, what can be done with it, its story; its faults come first.

    `first` gives the key of an action by its id.
    """
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
    keys = {id: first(id) for id in ("detail", "forward", "why", "train")}
    lines += wrap(kind_of(entry.path).format_map(keys), width, "dim")
    for paragraph in paragraphs(entry.about):
        lines += [[], *wrap(paragraph, width)]
    return [*lines, [], *wrap(str(entry.path), width, "dim")]


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text, each on one line."""
    return [" ".join(part.split()) for part in text.strip().split("\n\n") if part.strip()]
