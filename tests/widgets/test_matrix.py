"""The matrix of time slots as text: letters, who runs and who waits, shares, and how it is scaled."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.facts import Matrix
from shadowtime.console.widgets.frame.looks import Depth, Palette
from shadowtime.console.widgets.matrix.text import (
    NO_JOB,
    MatrixJobs,
    MatrixPicture,
    MatrixScene,
    Scale,
    under,
)
from shadowtime.console.widgets.nodemap.cells import text_of
from shadowtime.console.widgets.nodemap.scene import view
from tests.widgets.machines import IDLE, approved, owners

COLUMNS = {
    0: [(0, 64)],
    1: [(0, 128)],
    2: [(64, 32)],
    3: [(96, 1), (100, 4)],
    4: [(97, 3)],
}
"""Five jobs on 128 nodes: the first, third and fourth share a row, the last two have columns in one cell."""
ROWS = ((0, 2), (1,), (3, 4))
ALONE = owners((0, 64), (2, 32), (3, 1), (4, 3), (3, 4), (IDLE, 24))
"""Row 0 has the machine; the jobs of row 2 run beside it."""


def matrix(current: int | None = 0, rows: Sequence[tuple[int, ...]] = ROWS) -> Matrix:
    return Matrix(
        current=current,
        rows=tuple(rows),
        utilizations=(104 / 128, 1.0, 104 / 128)[: len(rows)] + (0.5,) * (len(rows) - 3),
        utilization=(104 + 128 + 104) / 384,
        next_switch=2400,
        quantum=600,
        switches=1,
    )


def scene(of: Matrix | None = None, **others: object) -> MatrixScene:
    values: dict[str, object] = {"time": 1800, "running": frozenset((0, 2, 3, 4)), **others}
    jobs = MatrixJobs(lambda job: COLUMNS[job % 5], lambda job: str(job + 1), lambda job: "kim")
    return MatrixScene(of or matrix(), view(ALONE), jobs=jobs, **values)  # type: ignore[arg-type]


def dump(of: MatrixScene, width: int) -> str:
    """All of a picture: heading, who runs, the rows, the words."""
    picture = MatrixPicture(of, width)
    lines = [picture.heading(), picture.now(104 / 128)]
    lines += [picture.row(number) for number in range(len(of.matrix.rows))]
    lines += under(picture, 99)
    assert all(len(text_of(line)) <= width for line in lines[: 2 + len(of.matrix.rows)])
    return "\n".join(text_of(line).rstrip() for line in lines)


@pytest.mark.parametrize("width", [34, 52, 78, 160])
def test_the_matrix_looks_as_it_was_approved(width: int) -> None:
    """From eight nodes a cell to one: letters over columns, running, beside another row, waiting, shares."""
    assert dump(scene(selected=1), width) + "\n" == approved(f"matrix_{width}")


def rows(of: MatrixScene, width: int) -> list[str]:
    picture = MatrixPicture(of, width)
    return [text_of(picture.row(number)) for number in range(len(of.matrix.rows))]


def test_signs_show_without_any_colour_who_runs_and_who_waits() -> None:
    """The letter again: in its own row. A plus: beside another row. A minus: it waits for its turn."""
    first, second, third = rows(scene(), 160)
    assert first.split()[:2] == [">", "0"] and first.split()[2] == "a" * 64 + "c" * 32 + "." * 32
    assert second.split()[1] == "b" + "-" * 127
    assert third.split()[1] == "." * 96 + "de++d+++" + "." * 24
    turned = scene(matrix(1), running=frozenset((1,)))
    assert rows(turned, 160)[1].split()[2] == "b" * 128
    assert rows(turned, 160)[0].split()[1] == "a" + "-" * 63 + "c" + "-" * 31 + "." * 32


def test_a_cell_of_several_jobs_says_so() -> None:
    """At two nodes a cell node 96 of job 4 and node 97 of job 5 share one, at eight all that they have."""
    assert rows(scene(), 100)[2].split()[1] == "." * 48 + "*ed+" + "." * 12
    assert rows(scene(), 34)[2].split()[1] == "." * 12 + "*" + "." * 3


def test_a_small_machine_takes_more_cells_a_node() -> None:
    few = Matrix(0, ((0,), (1,)), (0.5, 1.0), 0.75, 1200, 600, 0)
    jobs = MatrixJobs({0: [(0, 4)], 1: [(0, 8)]}.__getitem__)
    of = MatrixScene(few, view(owners((0, 4), (IDLE, 4))), jobs=jobs, running=frozenset((0,)))
    assert rows(of, 60)[0].split()[2] == "a" * 16 + "." * 16
    assert text_of(MatrixPicture(of, 60).heading()).split()[:9] == ["row", *map(str, range(8))]


@given(st.integers(1, 50_000), st.integers(1, 300))
def test_every_node_has_a_cell_and_the_machine_fits(nodes: int, room: int) -> None:
    scale = Scale.of(nodes, room)
    assert scale.cells <= room and 1 in (scale.per, scale.wide)
    assert scale.covered(0, nodes) == range(scale.cells)
    for node in {0, nodes // 3, nodes - 1}:
        cells = scale.covered(node, 1)
        assert len(cells) == scale.wide and {scale.node(cell) for cell in cells} == {
            node // scale.per * scale.per
        }
    assert len(scale.ruler()) <= scale.cells + len(str(nodes))


@pytest.mark.parametrize("depth", Depth)
def test_looks_differ_at_every_depth(depth: Depth) -> None:
    """Who runs, who waits, and the job looked at have looks of their own, without colours too."""
    of = scene(matrix(), palette=Palette(depth), selected=2, changed=frozenset((3,)))
    found = [of.style(owner) for owner in (0, 1, 2, 3, NO_JOB)]
    assert len(set(found)) == len(found)
    assert of.style(2).reverse and of.style(3).underline and not of.style(1).bold
    if depth is Depth.NONE:
        assert all(style.color is None for style in found)


def words_of(of: MatrixScene) -> list[str]:
    return [text_of(line) for line in under(MatrixPicture(of, 120), 99)]


@pytest.mark.parametrize(
    ("selected", "sentence"),
    [
        (0, "job 1 of kim  row 0, nodes 0-63  runs in its row"),
        (1, "job 2 of kim  row 1, nodes 0-127  waits, its turn is at 0d 00:40:00"),
        (3, "job 4 of kim  row 2, nodes 96, 100-103  runs beside row 0"),
        (9, "job 10 of kim  is in no row"),
    ],
)
def test_the_job_looked_at_is_reported_in_words(selected: int, sentence: str) -> None:
    assert sentence in words_of(scene(selected=selected))


def test_a_turn_further_off_is_reported_by_its_instant() -> None:
    """Two switches away: the next, and a quantum."""
    waiting = scene(matrix(1), running=frozenset((1,)), selected=0)
    assert "waits, its turn is at 0d 00:50:00" in words_of(waiting)[1]


def test_the_turns_are_reported() -> None:
    assert words_of(scene())[0] == (
        "mean of 3 rows 87.5 %  next switch 0d 00:40:00, in 10m00s  quantum 10m  1 switch  2 nodes a cell"
    )
    single = Matrix(0, ((0,),), (0.5,), 0.5, None, 600, 1_284)
    assert words_of(scene(single))[0].startswith("mean of 1 row 50.0 %  a single row: no switch")
    assert "1,284 switches" in words_of(scene(single))[0]
    assert "the pass of this instant comes first" in words_of(scene(single, pending=True))[0]
    assert words_of(scene(Matrix(None, (), (), 0.0, None, 600, 0)))[0].startswith("no rows  quantum")
