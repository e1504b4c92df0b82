"""The loads that explain a place in the matrix: by hand, and of every question of the courses."""

from shadowtime.console.session import load
from shadowtime.console.session.training import Packed, answers_of, read_course
from shadowtime.scenarios import course_folders

(MATRIX,) = (read_course(folder) for folder in course_folders() if folder.name == "matrix")
PLACES = [
    it for path in MATRIX.lessons for it in answers_of(load(path)) if it.question.ask in ("row", "nodes")
]


def test_the_loads_by_hand() -> None:
    """Job 6 at 0:15: nodes 0 to 3 have two jobs over all rows, nodes 4 to 7 one."""
    found = {it for made in PLACES for it in made.because if isinstance(it, Packed)}
    assert Packed(6, "buddy", 4, ((0, 0, 2), (1, 4, 1), (2, 4, 1)), new=False) in found
    assert Packed(7, "first", 3, ((0, 0, 0), (1, 12, 0)), new=False) in found


def test_nearly_every_place_is_explained_by_its_rule() -> None:
    """All but the job of united rows, which no packing has placed; the rule gives the right row."""
    shown = [(made, it) for made in PLACES for it in made.because if isinstance(it, Packed)]
    assert len(shown) == len(PLACES) - 1 and len(shown) >= 13
    for made, part in shown:
        if made.question.ask != "row":
            continue
        if part.packing == "buddy":
            row = min((load, row, at) for row, at, load in part.rows)[1]
        else:
            row = min((row for row, free, _ in part.rows if free >= part.needs), default=len(part.rows))
        assert made.right == (row,)
