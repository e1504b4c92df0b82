"""The Gantt chart as text: bars, letters and ids, what fills them, the present instant, the words."""

import attrs
import pytest
from rich.style import Style

from shadowtime.console.session.jobs.bars import LIKELY
from shadowtime.console.widgets.frame.looks import Depth, Palette
from shadowtime.console.widgets.gantt.scale import Scale
from shadowtime.console.widgets.gantt.subject import OF_A_CLUSTER
from shadowtime.console.widgets.gantt.text import GanttPicture, chance, crowd, fill
from shadowtime.console.widgets.nodemap.cells import Cells, text_of
from tests.widgets.charts import NOW, STORY, lines, row_of, scale, scene
from tests.widgets.machines import approved


def under(picture: GanttPicture, width: int = 78, count: int = 9) -> list[str]:
    return [text_of(line) for line in picture.under(width, count)]


def style_at(cells: Cells, letter: str) -> Style:
    return next(style for text, style in cells if letter in text)


def dump(picture: GanttPicture, width: int) -> str:
    return "\n".join([*lines(picture), *under(picture, width)]) + "\n"


@pytest.mark.parametrize(
    ("name", "of"),
    [
        ("nodes", scale()),
        ("zoomed", scale(rows=3, per=4)),
        ("far", scale(rows=5, per=2, span=300, columns=12, since=-600)),
        ("near", scale(rows=4, top=5, span=5, columns=40, since=500)),
    ],
)
def test_the_chart_looks_as_it_was_approved(name: str, of: object) -> None:
    """One node a row, four, a few long columns, and a window in the middle."""
    assert dump(GanttPicture(scene(of)), 60) == approved(f"gantt_{name}")  # type: ignore[arg-type]


def test_past_present_and_expected_differ_without_any_colour() -> None:
    """`█` ran, `▓` runs to its estimate, `▒` is expected, `/` is down, a state is its letter, `│` is now."""
    rows = lines(GanttPicture(scene(scale())))
    assert rows[1] == "    0 a██ 100 ██b██ 101 ██│▓▓▓▓▓▓▓▓▓e▒▒▒▒▒▒▒ 104 ▒▒▒▒▒▒▒"
    assert rows[5] == "    4 a█████████          │d▓▓▓▓▓▓▓ 103 ▓▓▓▓▓▓"
    assert rows[7] == "    6     c████ 102 ██oo  │                   c▒▒102▒"
    assert rows[9] == "    8                     │  /////////////////////"
    assert [fill("R", 8), fill("R", 6), fill("R", 5), fill(".", 1), fill("~", 8), fill("o", 8)] == [*"██▄▓▒o"]


def test_an_id_stands_once_in_a_block_and_on_the_roomier_side_of_now() -> None:
    text = "\n".join(lines(GanttPicture(scene(scale()))))
    assert [text.count(str(job + 100)) for job in range(5)] == [1, 1, 2, 1, 1]
    long = ((0, 0, 2, 0, 600, "R"), (0, 0, 2, 600, 900, "."))
    assert lines(GanttPicture(scene(scale(), long)))[1].rstrip() == "    0 a███████ 100 ███████│▓▓▓▓▓▓▓▓▓"


def test_an_id_needs_room_for_itself_and_its_fill() -> None:
    for cells, expected in ((4, "a███"), (6, "a█100█"), (9, "a██100███"), (10, "a██ 100 ██")):
        held = ((0, 0, 1, 0, 30 * cells, "R"),)
        assert lines(GanttPicture(scene(scale(), held)))[1][6:26].rstrip() == expected


def test_a_bar_that_begins_now_shows_its_letter_behind_the_line() -> None:
    held = ((7, 0, 1, NOW, NOW + 300, "."),)
    assert lines(GanttPicture(scene(scale(), held)))[1][26:].rstrip() == "│h▓▓▓107▓▓"


def test_a_cell_of_several_nodes_shows_who_has_half_or_a_shade() -> None:
    held = ((0, 0, 3, 0, 600, "R"), (1, 3, 1, 0, 600, "R"), (2, 4, 1, 0, 300, "R"), (3, 5, 1, 0, 300, "R"))
    rows = lines(GanttPicture(scene(scale(rows=3, per=4), (*held, (4, 6, 1, 0, 300, "R")))))
    assert rows[1].startswith("    0 a███████ 100 ███████│") and rows[2].startswith("    4 ⣶⣶⣶⣶⣶⣶⣶⣶⣶⣶ ")
    assert [crowd(eighths) for eighths in (1, 2, 3, 5, 6, 8)] == [*"⣀⣀⣤⣶⣶⣿"]


def test_what_is_not_known_yet_is_reported() -> None:
    picture = GanttPicture(scene(scale(), (), unknown=((60, 150),), cursor=(0, 3)))
    assert lines(picture)[1][6:] == "  ?+?               │"
    assert "not known yet" in under(picture)[0]


@pytest.mark.parametrize(
    ("cursor", "line"),
    [
        (
            (0, 12),
            "node 0, 0d 00:06:00 + 30s  job 101  0d 00:05:00 to 00:10:00  by its estimate  4 nodes of kim",
        ),
        ((0, 2), "node 0, 0d 00:01:00 + 30s  job 100  0d 00:00:00 to 00:05:00  4 nodes of kim"),
        ((0, 35), "node 0, 0d 00:17:30 + 30s  job 104  expected 0d 00:15:00 to 00:25:00  4 nodes of kim"),
        ((6, 16), "node 6, 0d 00:08:00 + 30s  job 102  swapping out  4 nodes of kim"),
        ((8, 1), "node 8, 0d 00:00:30 + 30s  idle"),
        ((8, 30), "node 8, 0d 00:15:00 + 30s  down"),
    ],
)
def test_the_cursor_shows_node_time_and_job(cursor: tuple[int, int], line: str) -> None:
    picture = GanttPicture(scene(scale(), cursor=cursor))
    assert under(picture, 120)[0] == line
    marked = picture.line(cursor[0])
    assert any(style.reverse for text, style in marked if len(text) == 1)


def test_the_cursor_shows_the_nodes_of_a_row_and_how_much_several_jobs_take() -> None:
    held = tuple((job, job, 1, 0, 300, "R") for job in range(3))
    picture = GanttPicture(scene(scale(rows=3, per=4, span=1), held, cursor=(0, 5)))
    assert under(picture, 120)[0] == "nodes 0-3, 0d 00:00:05  several jobs, 75 % taken"


def test_without_a_cursor_the_job_looked_at_is_reported_and_what_is_not_as_it_seems() -> None:
    assert under(GanttPicture(scene(scale(), selected=1)))[0].startswith("█ job 101  0d 00:05:00 to")
    assert under(GanttPicture(scene(scale())))[0] == "now 0d 00:10:00"
    away = GanttPicture(scene(scale(since=3000), selected=1, stale=True, unplaced=2))
    assert under(away, 90)[0] == ("now, 0d 00:10:00, is out of sight  f fits  job 101 is before the chart")
    assert under(GanttPicture(scene(scale(), stale=True, unplaced=2)), 120)[0] == (
        "▒ as of an earlier event  2 expected jobs not drawn: too few nodes idle"
    )
    unheard = GanttPicture(scene(scale(), selected=1, row=lambda job: None))
    assert under(unheard)[0] == "job 101"


@pytest.mark.parametrize(
    ("of", "others", "off"),
    [
        (scale(columns=25), {}, "is after the chart"),
        (scale(rows=3, top=7), {}, "is not in these rows"),
        (scale(), {"unplaced": 1}, "not drawn: too few nodes idle"),
        (scale(), {"likely": True}, "is nowhere likely enough"),
        (scale(), {}, "is among several jobs"),
    ],
)
def test_where_a_selected_job_without_a_cell_is(of: Scale, others: dict[str, object], off: str) -> None:
    """Which is counted no more among those that are not drawn."""
    picture = GanttPicture(scene(of, STORY[:3], selected=4, **others))
    assert under(picture, 78)[0].startswith(f"job 104 {off}")
    assert "1 expected job" not in " ".join(under(picture, 78))


def test_with_two_lines_one_is_for_the_signs() -> None:
    """Beside what is asked for with a cursor."""
    said = under(GanttPicture(scene(scale(), selected=1)), 39, 2)
    assert said == ["█ job 101  0d 00:05:00 to 00:10:00", "█ ran  ▓ to its estimate  ▒ expected"]
    assert "job 101" in under(GanttPicture(scene(scale(), cursor=(0, 12))), 78, 2)[0]


@pytest.mark.parametrize("depth", list(Depth))
def test_selected_and_changed_jobs_stand_out_on_every_terminal(depth: Depth) -> None:
    palette = Palette(depth)
    plain = GanttPicture(scene(scale(), palette=palette)).line(0)
    chosen = style_at(GanttPicture(scene(scale(), palette=palette, selected=1)).line(0), "b")
    assert chosen.color != style_at(plain, "b").color or (chosen.bold and chosen.underline)
    assert not chosen.reverse and not style_at(plain, "b").underline
    changed = style_at(GanttPicture(scene(scale(), palette=palette, changed=frozenset((1,)))).line(0), "b")
    assert changed.bold and changed.underline


def test_a_bar_to_come_is_as_dark_as_it_is_likely() -> None:
    assert [chance(eighths) for eighths in range(1, 9)] == [" ", *"░░░▒▒▒▓"]
    held = (*STORY[:2], (1, 0, 4, 600, 900, LIKELY))
    picture = GanttPicture(scene(scale(), held, likely=True))
    row = lines(picture)[1]
    assert "▓" in row
    said = " ".join(under(picture))
    assert all(sign in said for sign in ("█ ran", "▓ sure", "▒ likely", "░ possible"))
    assert "expected" not in said


def test_without_colour_the_job_looked_at_is_filled_with_its_letter() -> None:
    held = ((1, 0, 4, 630, 900, LIKELY), (2, 4, 1, 0, 600, "R"))
    of = scene(scale(), held, palette=Palette(Depth.NONE), selected=1, likely=True)
    assert "bbb" in lines(GanttPicture(of))[1] and "bbb" not in lines(GanttPicture(scene(scale(), held)))[1]


@pytest.mark.proof
def test_a_second_picture_takes_only_rows_from_the_first_that_come_out_the_same() -> None:
    """Whatever changes between two frames, the second one is what it would be alone."""
    of = scale()
    other = ((1, 0, 4, 300, 700, "R"), *STORY[2:])
    for changes in (
        {},
        {"selected": 1},
        {"changed": frozenset((2,))},
        {"time": NOW + 30},
        {"unknown": ((0, 90),)},
        {"cursor": (3, 3)},
        {"palette": Palette(Depth.NONE)},
    ):
        for held in (STORY, other):
            before = GanttPicture(scene(of, changed=frozenset((0,))))
            drawn = [before.line(row) for row in range(10)]
            values = {"changed": frozenset((0,)), **changes}
            again = GanttPicture(scene(of, held, **values), before)
            alone = GanttPicture(scene(of, held, **values))
            assert [again.line(row) for row in range(10)] == [alone.line(row) for row in range(10)], changes
            if not changes and held is STORY:
                assert all(again.line(row) is drawn[row] for row in range(10))


def test_every_line_fits_its_width() -> None:
    for width in (20, 33, 78):
        picture = GanttPicture(scene(scale(columns=width), cursor=(0, 5), row=row_of))
        assert all(len(line) <= width + picture.gutter for line in lines(picture))
        assert all(len(line) <= width for line in under(picture, width))


class Named:
    """Nodes with names of a cluster."""

    width = 5

    def label(self, nodes: range) -> str:
        return f"gpu{nodes.start:02}"

    def named(self, nodes: range) -> str:
        return f"gpu[{nodes.start}-{nodes.stop - 1}]"


def test_nodes_have_names_and_reservations_a_sign_of_their_own() -> None:
    """The label of a row, the names at the cursor, what is reserved, and the words of a cluster."""
    held = ((0, 0, 2, 0, 900, "."), (-5, 2, 2, 900, 1200, ":"), (-2, 4, 1, 0, 1500, "X"))
    made = attrs.evolve(
        scene(scale(), held),
        axis=Named(),
        terms=OF_A_CLUSTER,
        label=lambda index: "maint" if index == -5 else str(index),
        cursor=(2, 35),
    )
    picture = GanttPicture(made)
    rows = lines(picture)
    assert [row[:7].split()[0] for row in rows[:3]] == ["node", "gpu00", "gpu01"]
    assert ":::::+::::" in rows[3] and "/" in rows[5]
    words = "  ".join(under(picture))
    assert "node gpu[2-2], " in words and "reserved: maint" in words
    assert "▓ to its limit" in words and ": reserved" in words
