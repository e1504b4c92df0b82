"""Small machines and snapshots of them, for the tests of pictures."""

from array import array
from collections.abc import Iterable, Mapping
from pathlib import Path

import attrs

from shadowtime.console.session.facts import Metrics, Sample, Snapshot
from shadowtime.console.widgets.nodemap.cells import Cells
from shadowtime.console.widgets.nodemap.pictures import NodePicture
from shadowtime.console.widgets.nodemap.scene import JobFacts, NodeScene, view

IDLE, DOWN = -1, -2

DUMPS = Path(__file__).parent / "dumps"

EMPTY = {field.name: None for field in attrs.fields(Metrics)}


def owners(*runs: tuple[int, int]) -> bytes:
    """Owners of nodes, from runs of (owner, nodes)."""
    return array("i", [owner for owner, nodes in runs for _ in range(nodes)]).tobytes()


def small() -> bytes:
    """100 nodes: jobs 7 to 10, an idle stretch, two nodes down, job 11 on one node at the end."""
    return owners((7, 32), (8, 7), (9, 1), (IDLE, 10), (10, 40), (DOWN, 2), (IDLE, 7), (11, 1))


def metrics(**values: float | None) -> Metrics:
    """Metrics with these values and no others."""
    defaults = {
        "utilization_now": 0.0,
        "utilization_slots": 0.0,
        "queue_length": 0,
        "running": 0,
        "free_nodes": 0,
    }
    return Metrics(**{**EMPTY, **defaults, **values})  # type: ignore[arg-type]


def sample(number: int, **values: float | None) -> Sample:
    """The metrics as they were after an event."""
    return Sample(number=number, time=10 * number, **attrs.asdict(metrics(**values)))


def snapshot(
    nodes: bytes,
    *,
    number: int = 1,
    time: int = 22_364,
    changed: Iterable[int] = (),
    total: int | None = 9_310,
) -> Snapshot:
    """A snapshot of a machine with these owners, and of nothing else."""
    count = len(nodes) // 4
    return Snapshot(
        number=number,
        total=total,
        time=time,
        last=None,
        upcoming=None,
        nodes=count,
        free=0,
        waiting=(),
        running=(),
        submitted=0,
        finished=0,
        jobs=0,
        metrics=metrics(),
        changed=frozenset(changed),
        owners=nodes,
    )


STATES = {8: "S", 9: "i", 10: "R", 11: "o"}
USERS = {7: "kim", 8: "ozawa"}
STARTS = {7: 22_364 - 30, 8: 0, 9: 20_000, 10: 1, 11: 22_000}
ENDS = {7: 22_964, 8: 22_364 + 86_400, 9: 20_001, 10: 3_000_000}


def facts() -> Mapping[str, object]:
    """What `NodeMap.show` takes beside a snapshot, for the small machine."""
    return {
        "states": STATES,
        "label": lambda index: str(index + 400),
        "user": lambda index: USERS.get(index, "17"),
        "start": STARTS.get,
        "end": ENDS.get,
    }


def scene(nodes: bytes, **others: object) -> NodeScene:
    """A scene of a machine at 0d 06:12:44 with the jobs of the small machine."""
    jobs = JobFacts(**facts())  # type: ignore[arg-type]
    return NodeScene(view(nodes), time=22_364, jobs=jobs, **others)  # type: ignore[arg-type]


def dump(picture: NodePicture, of: NodeScene) -> str:
    """All lines of a picture as text, blanks at their ends cut."""
    return "\n".join(text(picture.paint(line, of)).rstrip() for line in range(picture.lines))


def approved(name: str) -> str:
    """The text of a picture as somebody looked at it and found it right."""
    return (DUMPS / f"{name}.txt").read_text(encoding="utf-8")


def text(cells: Cells) -> str:
    """The letters of a line."""
    return "".join(letters for letters, _ in cells)
