"""The map of a cluster's nodes: rows, letters and the ways of the cursor."""

from datetime import UTC
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.widgets.frame.looks import Depth, Palette
from shadowtime.console.widgets.frame.pen import Pen
from shadowtime.console.widgets.slurm.dates import Dates
from shadowtime.console.widgets.slurm.map_text import CARDS, Colouring, MapGrid, MapText, letters_by_name
from shadowtime.console.widgets.slurm.node_text import node_lines
from tests.scenarios.slurm.support import NOW, write
from tests.session.slurm.captures import contents, running, waiting

NAMES = st.lists(st.tuples(st.sampled_from(["n", "gpu", "rack1-"]), st.integers(0, 3000)), max_size=60).map(
    lambda pairs: [f"{stem}{number}" for stem, number in sorted(set(pairs))]
)


@pytest.fixture
def small(tmp_path: Path) -> Board:
    """Four nodes: job 1 of ada on n1 and n2, job 2 of grace on n3 for longer; n4 is idle, job 3 waits."""
    jobs = [running(1, ("n1", "n2"), NOW - 60), running(2, ("n3",), NOW - 10, user="grace"), waiting(3)]
    found = board(Folder(write(tmp_path / "cluster", contents(jobs))).take())
    states = [("ALLOCATED",)] * 3 + [("IDLE",)]
    nodes = [attrs.evolve(node, states=each) for node, each in zip(found.nodes, states, strict=True)]
    return attrs.evolve(found, nodes=tuple(nodes))


def cells(text: MapText) -> str:
    """The letters of the nodes, in the order of the configuration."""
    return "".join(text.cell(node)[0] for node in text.board.nodes)


@given(NAMES, st.integers(1, 200))
def test_every_node_stands_in_one_row_with_others_of_its_kind(names: list[str], width: int) -> None:
    """Rows follow each other, fit the width, and change where the names change but for the number."""
    grid = MapGrid.of(names, width)
    assert [place for row in grid.rows for place in row] == list(range(len(names)))
    for row in grid.rows:
        assert len({name.rstrip("0123456789") for name in names[row.start : row.stop]}) == 1
        assert len(row) <= grid.across
        for place in row:
            assert place in grid.rows[grid.row_of(place)]
    assert grid.across <= 10 or grid.across % 10 == 0
    label = max(map(len, names), default=0)
    for row in grid.rows:
        cells_of_row = len(row) + (len(row) - 1) // 10
        assert len(row) == 1 or label + 1 + cells_of_row <= width


@given(NAMES, st.integers(20, 90), st.data())
def test_the_cursor_finds_its_way_back_and_the_pointer_its_node(
    names: list[str], width: int, data: st.DataObject
) -> None:
    """Left undoes right; the edge stops up and down; a click finds the cell."""
    grid = MapGrid.of(names, width)
    if not names:
        assert grid.moved(0, 1, 0) == 0
        return
    place = data.draw(st.integers(0, len(names) - 1))
    if place + 1 < len(names):
        assert grid.moved(grid.moved(place, 1, 0), -1, 0) == place
    assert grid.row_of(grid.moved(place, 0, -len(names))) == 0
    assert grid.row_of(grid.moved(place, 0, len(names))) == len(grid.rows) - 1
    row = grid.row_of(place)
    column = place - grid.rows[row].start
    assert grid.at(row, column + column // 10) == place
    assert grid.at(row, 10) is None and grid.at(len(grid.rows), 0) is None


def test_letters_are_those_of_states_jobs_users_and_ends(small: Board) -> None:
    """A node without jobs keeps the letter of its state, whatever the others show."""
    by = {colouring: MapText(small, colouring) for colouring in Colouring}
    idle = "."
    assert cells(by[Colouring.STATE]) == "aaa" + idle
    assert cells(by[Colouring.USER]) == "aag" + idle
    ones, twos = set(cells(by[Colouring.JOB])[:2]), cells(by[Colouring.JOB])[2]
    assert len(ones) == 1 and twos not in ones
    ends = cells(by[Colouring.END])
    assert ends[0] == ends[1] and ends[:3].isdigit() and ends[3] == idle
    assert len(set(cells(by[Colouring.PARTITION]))) == len({node.partitions for node in small.nodes})
    assert "a ada" in by[Colouring.USER].legend() and "g grace" in by[Colouring.USER].legend()


def test_a_node_has_the_letter_of_what_matters_most(small: Board, tmp_path: Path) -> None:
    """That it is drained, before that jobs run; of its jobs the last to end. The legend has no other."""
    states = [("ALLOCATED", "DRAIN"), ("IDLE", "DOWN"), ("MIXED",), ("IDLE", "PLANNED")]
    nodes = [attrs.evolve(node, states=each) for node, each in zip(small.nodes, states, strict=True)]
    text = MapText(attrs.evolve(small, nodes=tuple(nodes)))
    assert cells(text) == "xXm-"
    assert text.legend() == "X down  x drain  m mixed  - idle, planned"
    jobs = [running(1, ("n1",), NOW - 60, user="grace"), running(2, ("n1",), NOW - 90)]
    shared = board(Folder(write(tmp_path / "shared", contents(jobs))).take())
    assert cells(MapText(shared, Colouring.USER))[0] == "g"


def test_the_nodes_of_the_chosen_job_stand_out(small: Board) -> None:
    """And no others, not even a node that is down."""
    down = attrs.evolve(small.nodes[2], states=("DOWN",))
    text = MapText(attrs.evolve(small, nodes=(*small.nodes[:2], down, small.nodes[3])))
    pen = Pen(Palette(Depth.MANY), Style(), {})

    def reversed_in(text: MapText) -> list[bool]:
        return [bool(pen.style(text.cell(node)[1]).reverse) for node in text.board.nodes]

    assert reversed_in(text) == [False, False, True, False]
    assert reversed_in(attrs.evolve(text, chosen=frozenset({"n2", "n4"}))) == [False, True, False, True]


def test_digits_of_users_are_one_a_node(tmp_path: Path) -> None:
    """Several would be read as several nodes; letters have a job's number among them."""
    for user, wide in (("user1", 1), ("ada", 4)):
        jobs = [running(1, ("n1", "n2"), NOW - 60, user=user), running(2, ("n3",), NOW - 10, user="user2")]
        text = MapText(board(Folder(write(tmp_path / user, contents(jobs))).take()), Colouring.USER)
        assert text.users[user].isdigit() == (wide == 1)
        assert (text.grid(40, 1).wide == 1) == (wide == 1)


def test_one_core_is_no_cores(tmp_path: Path) -> None:
    """What a job holds of a node is counted."""
    for cores, words in ((1, "1 core"), (2, "2 cores")):
        folder = write(tmp_path / words, contents([running(1, ("n1",), NOW - 60, cores=cores)]))
        found = board(Folder(folder).take())
        lines = list(node_lines(found, found.nodes[0], Dates(UTC), 200))
        runs = next("".join(text for text, _ in line) for line in lines if line[0][0].strip() == "runs")
        assert f", {words}," in runs


def test_each_colouring_follows_another() -> None:
    """One key goes round all of them."""
    round_trip = [Colouring.STATE]
    while round_trip[-1].following is not Colouring.STATE:
        round_trip.append(round_trip[-1].following)
    assert round_trip == list(Colouring)


@given(st.lists(st.text("abuser0123456789-_", min_size=1, max_size=6), unique=True, max_size=60).map(sorted))
def test_users_have_letters_of_their_own_while_there_are_some(names: list[str]) -> None:
    """Two users share one only where more than sixty are shown."""
    letters = letters_by_name(names)
    assert list(letters) == names
    assert len(set(letters.values())) == min(len(names), 60)
    assert all(len(letter) == 1 for letter in letters.values())


def test_numbered_users_show_their_numbers() -> None:
    """What all names begin with says nothing."""
    assert letters_by_name(["user1", "user2", "user3"]) == {"user1": "1", "user2": "2", "user3": "3"}
    assert letters_by_name(["ada", "alan", "grace"]) == {"ada": "a", "alan": "l", "grace": "g"}
    assert letters_by_name([]) == {}


def drawn(text: MapText, width: int, height: int) -> list[str]:
    """The lines of a map."""
    grid = text.grid(width, height)
    return ["".join(piece for piece, _ in text.line(at, None, grid)).rstrip() for at in range(grid.lines)]


def test_a_map_with_room_has_cards_or_the_numbers_of_jobs(small: Board) -> None:
    """The more there is, the more of a node is said; a letter of it stays."""
    text = MapText(small, dates=Dates(UTC))
    ends = [Dates(UTC).brief(node.free_at or 0, small.now) for node in small.nodes]
    assert drawn(text, 200, 1) == ["n1 a 1 ada        n2 a 1 ada        n3 a 2 grace      n4 . idle"]
    assert drawn(text, 50, 4)[:2] == [
        "n1 a 1 ada            n2 a 1 ada",
        f"   to {ends[0]}           to {ends[1]}",
    ]
    card = [line[:22].rstrip() for line in drawn(text, 200, 4)]
    assert card == ["n1 a 1 ada", "   3/4 CPU 1/4 GPU", f"   to {ends[0]}", "   3 at 22:22:20"]
    assert drawn(text, 20, 1) == ["n1 aa 1 aaa 2 a...."]


@given(NAMES, st.integers(20, 90), st.data())
def test_a_pointer_finds_its_node_on_every_scale(names: list[str], width: int, data: st.DataObject) -> None:
    """Each cell of a node is the node's, on all lines of its row."""
    tall = data.draw(st.sampled_from(sorted(CARDS)))
    wide = data.draw(st.integers(0, 4)) if tall == 1 else 0
    grid = MapGrid.of(names, width, tall, wide)
    for row, places in enumerate(grid.rows):
        for at, place in enumerate(places):
            column = (at + (0 if grid.cards else at // 10)) * grid.wide
            corners = ((line, cell) for line in range(tall) for cell in (0, grid.wide - 1))
            assert {grid.at(row * tall + line, column + cell) for line, cell in corners} == {place}


def test_no_number_of_a_job_stands_among_digits_or_letters_of_others(small: Board) -> None:
    """It would be read as an end, as free GPUs or as a partition."""
    seen = {by: drawn(MapText(small, by), 20, 1)[0].split(maxsplit=1)[1] for by in Colouring}
    assert " 1 " in seen[Colouring.STATE]
    assert not any(" " in seen[by] for by in (Colouring.END, Colouring.GPUS, Colouring.PARTITION))
