"""Words under the map: the node at the cursor (or the machine in numbers), and what the cells mean."""

import sys
from collections.abc import Iterator

from rich.cells import cell_len
from rich.style import Style

from shadowtime.console.widgets.frame.ink import printable
from shadowtime.console.widgets.frame.looks import (
    DOWN,
    DRAINING,
    IDLE,
    STATES,
    Depth,
    Look,
    late_look,
    look,
    quiet,
    ramp_look,
)
from shadowtime.console.widgets.nodemap.blocks import TWO, Halves, Racks, lettered
from shadowtime.console.widgets.nodemap.cells import Cells, text_of
from shadowtime.console.widgets.nodemap.pictures import PARTLY, NodePicture
from shadowtime.console.widgets.nodemap.scene import LEAVING, NODE_DOWN, STEP_NAMES, Colouring, NodeScene
from shadowtime.console.widgets.nodemap.torus_layout import Torus

_DOWN_BYTES = NODE_DOWN.to_bytes(4, sys.byteorder, signed=True)


def status(scene: NodeScene, width: int, sharing: range | None = None) -> str:
    """One line about the node at the cursor; about the whole machine while there is no cursor.

    `sharing` are the nodes that the cursor's cell stands for. Where the line is narrower, less is said.
    """
    choices = machine(scene) if scene.cursor is None else _node(scene, scene.cursor, sharing)
    return next((choice for choice in choices if cell_len(choice) <= width), choices[-1])


def _node(scene: NodeScene, cursor: int, sharing: range | None) -> list[str]:
    """The node at the cursor in words, from long to short."""
    if scene.torus is not None:
        return _on_torus(scene, scene.torus, cursor, sharing)
    draining = " draining" if cursor in scene.draining else ""
    owner, node = scene.owners[cursor], f"{scene.unit.one} {scene.name(cursor)}{draining}"
    choices = [f"{node}  {owned}" for owned in _owned(scene, owner)]
    if sharing is not None and len(sharing) > 1:
        busy = sum(owner >= 0 for owner in scene.owners[sharing.start : sharing.stop])
        shared = f" of {scene.name(sharing.start)}-{scene.name(sharing.stop - 1)}, {busy} busy"
        choices.insert(0, choices[0].replace(node, node + shared, 1))
    return choices


def _on_torus(scene: NodeScene, torus: Torus, cursor: int, sharing: range | None) -> list[str]:
    """The node at the cursor in words, from long to short: place, processors, and whose they are."""
    units = range(cursor, cursor + 1) if sharing is None or len(sharing) != torus.per else sharing
    place, number, owners = torus.placed(units), torus.numbered(units), scene.row(units)
    if len(set(owners)) == 1:
        brief = _briefly(scene, owners[0])
        long = [f"{place}  {number}  {owned}" for owned in _owned(scene, owners[0])]
        return [*long, f"{place}  {number}  {brief}", f"{place}  {brief}", f"{number}  {brief}"]
    each = [f"{unit} {_briefly(scene, owner)}" for unit, owner in zip(units, owners, strict=True)]
    busy = f"{number}  {sum(owner >= 0 for owner in owners)} busy"
    return [f"{place}  {torus.unit.one} {', '.join(each)}", f"{place}  {busy}", busy]


def _briefly(scene: NodeScene, owner: int) -> str:
    if owner < 0:
        return _owned(scene, owner)[0]
    return f"{_called(scene, owner)} {scene.jobs.state(owner)}"


def _called(scene: NodeScene, job: int) -> str:
    return f"job {printable(scene.jobs.label(job))}"


def _owned(scene: NodeScene, owner: int) -> tuple[str, ...]:
    if owner >= 0:
        return _job(scene, owner)
    return ({NODE_DOWN: "down", LEAVING: "draining"}.get(owner, "idle"),)


def _job(scene: NodeScene, job: int) -> tuple[str, ...]:
    jobs = scene.jobs
    label, user = printable(jobs.label(job)), printable(jobs.user(job))
    state, start, end = jobs.state(job), jobs.start(job), jobs.end(job)
    word = STATES[state].word if state in STATES else "state unknown"
    since = "" if start is None else f" since {jobs.clock.format(start)}"
    until = "" if end is None else f" until {jobs.clock.format(end)}"
    return (
        f"job {label}{user and f' of {user}'}  {state} {word}{since}{until and f',{until} expected'}",
        f"job {label} {user} {state}{since}{until}",
        f"job {label} {state}{until or since}",
    )


def machine(scene: NodeScene) -> list[str]:
    """The machine in numbers, from long to short: nodes, busy, held by jobs about to run, idle, down."""
    raw, nodes = bytes(scene.owners), len(scene.owners)
    # Sign bytes, and four bytes in a row, are counted at the speed of C. No two neighbours make the bytes of
    # -2 across their border: an index is never negative, and -1 and -2 differ only in their lowest byte.
    signs = raw[3::4] if sys.byteorder == "little" else raw[0::4]
    down, owned = raw.count(_DOWN_BYTES), nodes - signs.count(b"\xff")
    about = [job for job, state in scene.jobs.states.items() if state == "W"]
    held = sum(map(scene.owners.tolist().count, about)) if about else 0
    held_text = f"  {held:,} held" if held else ""
    short = f"{owned - held:,} busy{held_text}  {nodes - owned - down:,} idle"
    leaving = f"  {len(scene.draining):,} draining (x)" if scene.draining else ""
    return [
        f"{nodes:,} {scene.unit.several}  {short}  {down:,} down{leaving}",
        f"{short}  {down:,} down{leaving}",
        *([f"{short}{leaving}"] if leaving and not down else []),
        short,
    ]


def legend(scene: NodeScene, picture: NodePicture, width: int, lines: int = 1) -> list[Cells]:
    """What the signs and colours of this picture mean, as far as so many lines of this width go.

    What can be misread comes first; an entry for which there is no room leaves it to those after it.
    """
    faint = scene.base + quiet(scene.palette)
    found: list[Cells] = [[]]
    for words in _entries(scene, picture, faint):
        # Half a meaning is better than a letter that nobody explains.
        halved = [(text.partition(",")[0], style) for text, style in words]
        for entry in (words, halved):
            line = [*found[-1], ("  ", faint), *entry] if found[-1] else entry
            if found[-1] and len(text_of(line)) > width and len(found) < lines:
                found, line = [*found, []], entry
            if len(text_of(line)) <= width:
                found[-1] = line
                break
    return found


def _entries(scene: NodeScene, picture: NodePicture, faint: Style) -> Iterator[Cells]:
    """The entries of a legend, in the order in which they are needed."""
    palette, hues = scene.palette, scene.palette.depth is not Depth.NONE
    blocks = isinstance(picture, Racks | Halves)
    filled = blocks and not lettered(scene)
    down = bytes(scene.owners).count(_DOWN_BYTES)
    for sign in DOWN * bool(down) + DRAINING * bool(scene.draining):
        meaning = look(sign, palette)
        yield [(sign, scene.base + meaning.style), (f" {meaning.word}", faint)]
    if down and _partly_down(scene, picture):
        yield [(PARTLY, scene.ink[NODE_DOWN][1]), (" partly down", faint)]
    if blocks and not filled:
        yield from _together(picture, faint)
    if filled:
        shape = f"height: busy of {picture.per}" if isinstance(picture, Racks) else "filled: busy"
        yield [(shape, faint)]
    selected = scene.selected
    if selected is not None and selected in scene.owners.tolist():
        letter, style = scene.ink[selected]
        sign = letter if not filled else "█" if hues else "▌" if isinstance(picture, Halves) else ""
        style = style if hues or not filled else scene.base
        if sign:
            yield [(sign, style), (f" {_called(scene, selected)}", faint)]
    shown_by = "hue" if filled else "letter and hue" if hues else "letter"
    for meaning in _meanings(scene, shown_by):
        letter = "█" if filled and meaning.letter != IDLE else meaning.letter
        if hues or not filled or meaning.letter == IDLE:
            yield [(letter, scene.base + meaning.style), (f" {meaning.word}", faint)]


def _partly_down(scene: NodeScene, picture: NodePicture) -> bool:
    """Whether a cell of the picture stands for some nodes that are down and some that are not."""
    owners, end = scene.owners.tolist(), 0
    for node in (node for node, owner in enumerate(owners) if owner == NODE_DOWN):
        if isinstance(picture, Halves):
            row, column = picture.layout.where(node)
            other = picture.layout.at(row ^ 1, column)
            if other is not None and owners[other] != NODE_DOWN:
                return True
        elif node >= end:
            group = picture.nodes_with(node)
            end = group.stop
            if any(owner != NODE_DOWN for owner in owners[group.start : end]):
                return True
    return False


def _together(picture: NodePicture, faint: Style) -> Iterator[Cells]:
    """What a letter for several nodes leaves out."""
    if isinstance(picture, Racks):
        yield [(f"one job of {picture.per}", faint)]
    else:
        yield [(f"{TWO} two jobs", faint)]
        yield [("▀▄ one idle", faint)]


def _meanings(scene: NodeScene, shown_by: str) -> list[Look]:
    """The looks of what the map can show; `shown_by` is what a job or a user is shown by."""
    palette = scene.palette
    idle = look(IDLE, palette)
    if scene.colouring is Colouring.STATE:
        shown = {"R", *scene.jobs.states.values()} - {"N", "H", "F", ""}
        return [*(look(state, palette) for state in STATES if state in shown), idle]
    if scene.colouring in (Colouring.JOB, Colouring.USER):
        whose = "job" if scene.colouring is Colouring.JOB else "user"
        return [Look("a", look("R", palette).style, f"{shown_by}: a {whose}"), idle]
    met = {scene.ink[owner][0] for owner in set(scene.owners.tolist()) if owner >= 0}
    steps = [Look(str(step), ramp_look(step, palette).style, name) for step, name in enumerate(STEP_NAMES)]
    late = Look("!", late_look(palette).style, "late")
    unknown = Look("?", Style.null(), "unknown")
    return [*(step for step in (*steps, late, unknown) if step.letter in met), idle]
