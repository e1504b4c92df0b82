"""A moving picture of a screen as SVG: what stays is drawn once, what changes is shown while it is there."""

from collections.abc import Iterable, Iterator, Sequence

import attrs
from rich.segment import Segment

from shadowtime.console.widgets.picture.svg import Mark, drawing, drawn, ground_of, marks_of, seen


@attrs.frozen
class FilmFrame:
    """One screen and how many seconds it is shown."""

    seconds: float
    rows: Sequence[Iterable[Segment]]


def film(frames: Sequence[FilmFrame], columns: int, title: str) -> str:
    """Draw frames one after another, without end. A viewer that shows no motion shows the last."""
    drawings = [list(marks_of(frame.rows)) for frame in frames]
    cells = columns * sum(len(frame.rows) for frame in frames)
    ground = ground_of((mark for marks in drawings for mark in marks), cells)
    when: dict[Mark, int] = {}
    for place, marks in enumerate(drawings):
        for mark in seen(marks, ground):
            when[mark] = when.get(mark, 0) | 1 << place
    groups: dict[int, list[Mark]] = {}
    for mark, shown in when.items():
        groups.setdefault(shown, []).append(mark)
    seconds = [frame.seconds for frame in frames]
    content = list(_drawn(groups, len(frames), inked=False)) + list(_drawn(groups, len(frames), inked=True))
    rows = max((len(frame.rows) for frame in frames), default=0)
    return drawing(content, columns, rows, title, ground, _style(groups, seconds))


def _drawn(groups: dict[int, list[Mark]], frames: int, inked: bool) -> Iterator[str]:
    """Yield the ground or the ink of every group: ground never covers the ink of another group."""
    for shown, marks in groups.items():
        elements = list(drawn(mark for mark in marks if bool(mark.text) == inked))
        if elements and shown == (1 << frames) - 1:
            yield from elements
        elif elements:
            hidden = "" if shown >> (frames - 1) & 1 else ' visibility="hidden"'
            yield "\n".join([f'<g class="s s{shown:x}"{hidden}>', *elements, "</g>"])


def _style(groups: Iterable[int], seconds: Sequence[float]) -> str:
    """When each group is seen."""
    total, everywhere = sum(seconds), (1 << len(seconds)) - 1
    rules = [f".s{{animation:{total:g}s step-end infinite}}"]
    for shown in groups:
        if shown == everywhere:
            continue
        steps, before, at = [], None, 0.0
        for place, lasts in enumerate(seconds):
            now = shown >> place & 1
            if now != before:
                steps.append(f"{at / total:.2%}{{visibility:{'visible' if now else 'hidden'}}}")
            before, at = now, at + lasts
        rules.append(f"@keyframes k{shown:x}{{{''.join(steps)}}}.s{shown:x}{{animation-name:k{shown:x}}}")
    return "<style>" + "\n".join(rules) + "</style>"
