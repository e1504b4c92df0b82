"""Pictures: what is drawn is the machine, letter by letter, and what stands out stands out without colour."""

from array import array
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style

from shadowtime.console.widgets.frame.looks import Depth, Palette, look
from shadowtime.console.widgets.nodemap.cells import Cells, blank_alike, joined, percent, restyled, text_of
from shadowtime.console.widgets.nodemap.scene import LEAVING, Colouring, JobFacts, NodeScene, view
from shadowtime.console.widgets.nodemap.words import legend, machine, status
from shadowtime.console.widgets.nodemap.zoom import ZOOMS, cards, halves, jobs, letters, racks
from tests.widgets.machines import DOWN, IDLE, STATES, dump, owners, scene, small

PLAIN = Palette(Depth.NONE)
MACHINES = st.lists(st.integers(-2, 12), min_size=1, max_size=300).map(
    lambda nodes: array("i", nodes).tobytes()
)


def test_letters_are_states() -> None:
    """One letter a node, the number of the first node at the left, a gap every ten."""
    assert dump(letters(100, 58, 12), scene(small())) == (
        " 0 RRRRRRRRRR RRRRRRRRRR\n"
        "20 RRRRRRRRRR RRSSSSSSSi\n"
        "40 .......... RRRRRRRRRR\n"
        "60 RRRRRRRRRR RRRRRRRRRR\n"
        "80 RRRRRRRRRR XX.......o"
    )


def test_half_blocks_are_filled_where_nodes_are_busy() -> None:
    """Two rows of nodes a line; idle pairs are dots, nodes down are X."""
    assert dump(halves(100, 58, 12), scene(small())) == (
        " 0 ██████████ ██▀▀▀▀▀▀▀▀\n40 ▄▄▄▄▄▄▄▄▄▄ ██████████\n80 ▀▀▀▀▀▀▀▀▀▀ XX·······▀"
    )


def test_racks_are_as_high_as_they_are_busy() -> None:
    """Two nodes a cell, and the share of each line in percent; a rack that is down is an X."""
    assert dump(racks(100, 58, 12), scene(small())) == (
        " 0 ██████████ 100%\n20 ██████████ 100%\n40 .....█████  50%\n60 ██████████ 100%\n80 █████X...▄  55%"
    )


def test_cards_show_job_state_user_and_end() -> None:
    """A card a node; idle and down say so."""
    nodes = owners((8, 1), (IDLE, 1), (DOWN, 1), (11, 1))
    assert dump(cards(4, 58, 12), scene(nodes, colouring=Colouring.JOB)) == (
        "     0  i job 408            1  . idle\n"
        "        ozawa, suspended\n"
        "        to 1d 06:12:44\n"
        "\n"
        "     2  X down               3  l job 411\n"
        "                                17, swapping out\n"
    )


@pytest.mark.parametrize(("number", "shown"), [(5, "88888"), (6, "8888\N{HORIZONTAL ELLIPSIS}")])
def test_a_name_that_is_cut_on_a_card_ends_in_a_sign(number: int, shown: str) -> None:
    """What is left of a long number is that of another job."""
    of = scene(owners((8, 1)), colouring=Colouring.JOB)
    of.jobs = JobFacts(label=lambda index: str(index) * number)
    assert dump(jobs(1, 58, 12), of).split()[-1] == shown


@pytest.mark.parametrize(
    ("colouring", "lines"),
    [
        (Colouring.JOB, "hhiiiiiiij XX.......l"),
        (Colouring.USER, "kkooooooor XX.......r"),
        (Colouring.AGE, "0044444442 XX.......1"),
        (Colouring.END, "226666666! XX.......?"),
    ],
)
def test_colourings_change_the_letters_too(colouring: Colouring, lines: str) -> None:
    """A job's letter, a user's initial, a step of time; "!" past its estimate, "?" without one."""
    drawn = dump(letters(100, 58, 12), scene(small(), colouring=colouring)).splitlines()
    assert f"{drawn[1][-10:]} {drawn[4][-10:]}" == lines


def test_colourings_go_round() -> None:
    """`v` reaches every colouring and comes back."""
    seen = [Colouring.STATE]
    while (following := seen[-1].following) not in seen:
        seen.append(following)
    assert set(seen) == set(Colouring)
    assert following is Colouring.STATE


@given(MACHINES, st.integers(20, 120), st.integers(2, 40))
def test_letters_read_in_order_are_the_nodes(nodes: bytes, columns: int, rows: int) -> None:
    """Without labels and gaps the picture is the machine."""
    picture, machine_scene = letters(len(nodes) // 4, columns, rows), scene(nodes)
    lines = (text_of(picture.paint(line, machine_scene))[picture.label :] for line in range(picture.lines))
    expected = {IDLE: ".", DOWN: "X"}
    wanted = "".join(expected.get(owner) or STATES.get(owner, "R") for owner in view(nodes))
    assert "".join(lines).replace(" ", "") == wanted


@given(MACHINES, st.integers(20, 120), st.integers(2, 40))
def test_percentages_at_the_racks_count_the_owned_nodes(nodes: bytes, columns: int, rows: int) -> None:
    """The share of a line is that of its own nodes."""
    picture, machine_scene = racks(len(nodes) // 4, columns, rows), scene(nodes)
    for line in range(picture.lines):
        among = [view(nodes)[node] for drawn in picture.nodes_on(line) for node in drawn]
        owned = sum(owner >= 0 for owner in among)
        assert text_of(picture.paint(line, machine_scene)).endswith(f" {percent(owned, len(among)):>4}")


@given(MACHINES, st.sampled_from(ZOOMS), st.sampled_from(Colouring), st.integers(25, 120), st.data())
def test_no_line_is_wider_than_the_panel(
    nodes: bytes, zoom: object, colouring: Colouring, columns: int, data: st.DataObject
) -> None:
    """In every zoom, under every colouring, with the cursor anywhere; and every run has a style."""
    count = len(nodes) // 4
    picture = zoom(count, columns, 12)  # type: ignore[operator]
    cursor = data.draw(st.integers(0, count - 1))
    machine_scene = scene(nodes, colouring=colouring, cursor=cursor, selected=3, changed=frozenset({5}))
    for line in range(picture.lines):
        cells = picture.paint(line, machine_scene)
        assert len(text_of(cells)) <= columns
        assert all(isinstance(style, Style) for _, style in cells)


@pytest.mark.parametrize(("palette", "how"), [(Palette(), "bold"), (PLAIN, "reverse")])
def test_the_selected_job_stands_out(palette: Palette, how: str) -> None:
    """Every node of it and none else, but those that are down: bold and white, without colours in reverse."""
    of = letters(100, 58, 12)
    plain = marked(of, scene(small(), palette=palette), how)
    assert marked(of, scene(small(), palette=palette, selected=8), how) - plain == set(range(32, 39))


def test_the_last_event_is_bold_and_underlined() -> None:
    """The nodes of the jobs it touched, and those it freed."""
    before = view(owners((7, 32), (8, 7), (9, 1), (10, 50), (DOWN, 2), (IDLE, 7), (11, 1)))
    of = scene(small(), changed=frozenset({9}), before=before)
    assert marked(letters(100, 58, 12), of, "underline") == set(range(39, 50))
    assert marked(letters(100, 58, 12), scene(small()), "underline") == set()


def test_the_cursor_differs_from_the_selected_job_without_colour() -> None:
    """Reverse is turned round under the cursor, and it is underlined."""
    of = scene(small(), selected=7, cursor=3, palette=PLAIN)
    assert marked(letters(100, 58, 12), of, "reverse") == set(range(32)) - {3} | {90, 91}
    assert 3 in marked(letters(100, 58, 12), of, "underline")


def test_half_blocks_show_the_selected_job_without_colour() -> None:
    """Its nodes are half as wide."""
    of = scene(owners((1, 10), (2, 10), (2, 10), (3, 10), (IDLE, 10), (2, 10)), selected=2, palette=PLAIN)
    assert dump(halves(60, 13, 9), of) == " 0 ▛▛▛▛▛▛▛▛▛▛\n20 ▙▙▙▙▙▙▙▙▙▙\n40 ▖▖▖▖▖▖▖▖▖▖"


def test_without_hues_cells_of_several_nodes_are_letters() -> None:
    """Otherwise a map by job, user or time would be one block."""
    of = scene(
        owners((1, 10), (2, 10), (2, 5), (3, 5), (IDLE, 10), (3, 10), (3, 9), (DOWN, 1)),
        palette=PLAIN,
        colouring=Colouring.JOB,
    )
    assert dump(halves(60, 13, 9), of) == " 0 ::::::::::\n20 ▀▀▀▀▀▀▀▀▀▀\n40 ddddddddd%"
    of = scene(
        owners((1, 8), (2, 8), (2, 3), (IDLE, 5), (IDLE, 8)),
        palette=PLAIN,
        colouring=Colouring.JOB,
        selected=2,
    )
    assert dump(racks(32, 15, 1), of) == " 0 bcc.  59%"


def test_half_blocks_show_nodes_that_drain() -> None:
    """A node that is about to leave is still there."""
    of = scene(owners((1, 10), (2, 10)), draining=frozenset(range(5)))
    assert dump(halves(20, 13, 9), of) == " 0 xxxxx█████"


def test_the_selected_job_is_found_on_nodes_that_drain() -> None:
    """Under every colouring, and as one that the last event changed."""
    nodes, changed = owners((10, 5), (8, 5)), frozenset({10})
    for colouring in Colouring:
        stays, drains = (
            scene(nodes, colouring=colouring, selected=10, changed=changed, draining=frozenset(range(count)))
            for count in (0, 10)
        )
        assert drains.row(range(10)) == [10] * 5 + [LEAVING] * 5
        drawn = [text_of(letters(10, 20, 9).paint(0, of)) for of in (stays, drains)]
        assert drawn[0][2:7] == drawn[1][2:7]
    beside = scene(owners((10, 10), (8, 10)), selected=10, draining=frozenset(range(20)))
    assert dump(halves(20, 13, 9), beside) == " 0 ▀▀▀▀▀▀▀▀▀▀"


@pytest.mark.parametrize(("jobs", "shape"), [((2, 1), "▀"), ((1, 2), "▄")])
def test_half_blocks_have_no_ground_of_the_selected_job_in_sixteen_colours(
    jobs: tuple[int, int], shape: str
) -> None:
    """It has the colour of the terminal's text, which behind a shape would be that of the ground."""
    of = scene(owners(*((job, 10) for job in jobs)), selected=2, palette=Palette(Depth.SIXTEEN))
    _label, (text, style), *_ = halves(20, 13, 9).paint(0, of)
    assert text[0] == shape and style.color is not None and style.color.is_default
    assert style.bgcolor is not None and not style.bgcolor.is_default


def test_half_blocks_have_two_hues_where_two_jobs_meet() -> None:
    """The upper node is the ink, the lower one the ground."""
    of = scene(owners((1, 10), (8, 10)))
    _label, (block, style), *_ = halves(20, 13, 9).paint(0, of)
    assert block == "▀" * 10
    assert (style.color, style.bgcolor) == tuple(look(state, of.palette).style.color for state in "RS")


def test_racks_with_some_nodes_down_are_marked() -> None:
    """A sign of its own: not all of it is down."""
    of = scene(owners((1, 7), (DOWN, 1), (DOWN, 8), (1, 3), (IDLE, 5), (IDLE, 8)))
    assert dump(racks(32, 14, 1), of).split()[1] == "%X▃."
    assert "% partly down" in seen(legend(of, racks(32, 14, 1), 80))
    of = scene(owners((DOWN, 1), (IDLE, 9)))
    assert "%" in dump(halves(10, 8, 1), of) and "% partly down" in seen(legend(of, halves(10, 8, 1), 80))


@pytest.mark.parametrize(
    ("cursor", "words"),
    [
        (None, "100 nodes  81 busy  17 idle  2 down"),
        (33, "node 33  job 408 of ozawa  S suspended since 0d 00:00:00, until 1d 06:12:44 expected"),
        (45, "node 45  idle"),
        (90, "node 90  down"),
        (99, "node 99  job 411 of 17  o swapping out since 0d 06:06:40"),
    ],
)
def test_the_status_shows_the_node_at_the_cursor(cursor: int | None, words: str) -> None:
    """Node, job, state, since when, until when expected; without a cursor the machine in numbers."""
    assert status(scene(small(), cursor=cursor), 100) == words


def test_the_status_says_less_where_it_is_narrow() -> None:
    """First the words go, then the user and the start."""
    of = scene(small(), cursor=33)
    assert status(of, 70) == "node 33  job 408 ozawa S since 0d 00:00:00 until 1d 06:12:44"
    assert status(of, 50) == "node 33  job 408 S until 1d 06:12:44"
    assert status(scene(small()), 30) == "81 busy  17 idle  2 down"
    draining = scene(owners((1, 9), (IDLE, 9)), draining=frozenset(range(4)))
    assert status(draining, 34) == "9 busy  9 idle  4 draining (x)"
    assert status(of, 90, range(32, 34)) == status(of, 90)
    assert status(of, 120, range(32, 34)).startswith("node 33 of 32-33, 2 busy  job 408")


def test_nodes_that_are_held_for_a_job_are_distinguished() -> None:
    """A job that has its nodes and does not run yet is drawn as W, and its nodes are not counted as busy."""
    jobs = JobFacts({7: "W", 8: "R"})
    shot = NodeScene(view(owners((7, 3), (8, 2), (-1, 4))), jobs=jobs)
    assert status(shot, 80) == "9 nodes  2 busy  3 held  4 idle  0 down"
    picture = letters(9, 20, 3)
    assert dump(picture, shot).endswith("WWWRR....")
    assert "W assigned, waiting" in seen(legend(shot, picture, 80))
    assert seen(legend(shot, picture, 28)) == "R running  W assigned", "half of it where there is less room"
    assert [text_of(line) for line in legend(shot, picture, 30, 2)] == [
        "R running  W assigned, waiting",
        ". idle",
    ]


@given(MACHINES)
def test_the_machine_is_counted_right(nodes: bytes) -> None:
    """Counting bytes gives what counting nodes gives."""
    owned = view(nodes).tolist()
    busy = sum(owner >= 0 for owner in owned)
    idle, down = owned.count(IDLE), owned.count(DOWN)
    assert machine(scene(nodes))[0] == f"{len(owned)} nodes  {busy} busy  {idle} idle  {down} down"


@pytest.mark.parametrize(
    ("zoom", "colouring", "palette", "words"),
    [
        (
            letters,
            Colouring.STATE,
            PLAIN,
            "X down  R running  S suspended  i swapping in  o swapping out  . idle",
        ),
        (letters, Colouring.JOB, PLAIN, "X down  a letter: a job  . idle"),
        (
            halves,
            Colouring.JOB,
            PLAIN,
            "X down  : two jobs  ▀▄ one idle  a letter: a job  . idle",
        ),
        (racks, Colouring.USER, PLAIN, "X down  one job of 2  a letter: a user  . idle"),
        (
            racks,
            Colouring.JOB,
            Palette(),
            "X down  height: busy of 2  █ hue: a job  . idle",
        ),
        (letters, Colouring.AGE, PLAIN, "X down  0 <1m  1 <10m  2 <1h  4 <12h  . idle"),
        (halves, Colouring.STATE, PLAIN, "X down  filled: busy  . idle"),
        (
            racks,
            Colouring.STATE,
            Palette(),
            "X down  height: busy of 2  █ running  █ suspended  █ swapping in  . idle",
        ),
    ],
)
def test_the_legend_says_what_is_seen(
    zoom: object, colouring: Colouring, palette: Palette, words: str
) -> None:
    """Only what this machine shows, only as much as fits, and no hues where there are none."""
    of = scene(small(), colouring=colouring, palette=palette)
    assert seen(legend(of, zoom(100, 58, 12), 78)) == words  # type: ignore[operator]


def test_a_narrow_legend_still_explains_the_mark_of_two_jobs() -> None:
    """Without hues a cell of two jobs is no letter of its own."""
    of = scene(small(), colouring=Colouring.JOB, palette=PLAIN)
    words = seen(legend(of, halves(100, 58, 12), 45))
    assert words == "X down  : two jobs  ▀▄ one idle  . idle"


@given(st.lists(st.tuples(st.text(" ab", min_size=1, max_size=4), st.sampled_from("xyz"))), st.integers(0, 9))
def test_joining_and_restyling_keep_every_letter(runs: list[tuple[str, str]], column: int) -> None:
    """Neighbours of one style become one run, and only the letter at the column changes its style."""
    styles = {"x": Style(), "y": Style(color="red"), "z": Style(underline=True)}
    cells: Cells = [(text, styles[name]) for text, name in runs]
    tight = joined(cells, styles["x"])
    assert text_of(tight) == text_of(cells)
    assert all(one[1] is not other[1] for one, other in pairwise(tight))
    inked = [(letter, style) for text, style in cells for letter in text]
    for (letter, was), (_, now) in zip(
        inked, [(x, style) for text, style in tight for x in text], strict=True
    ):
        assert was is now or (letter == " " and blank_alike(was, now))
    marked_cells = restyled(tight, column, lambda style: Style(bold=True))
    bold = [style.bold for text, style in marked_cells for _ in text]
    assert text_of(marked_cells) == text_of(cells)
    assert [at for at, is_bold in enumerate(bold) if is_bold] == [column][: column < len(bold)]


def test_percentages_are_whole_only_where_they_are() -> None:
    """100% is all, 0% is none; one node of a million is 1%."""
    assert [percent(part, 1_000_000) for part in (0, 1, 500_000, 999_999, 1_000_000)] == [
        "0%",
        "1%",
        "50%",
        "99%",
        "100%",
    ]


def marked(picture: object, of: object, attribute: str) -> set[int]:
    """The nodes that are drawn with an attribute."""
    found = set()
    for line in range(picture.lines):  # type: ignore[attr-defined]
        column = 0
        for letters_of_run, style in picture.paint(line, of):  # type: ignore[attr-defined]
            for at in range(column, column + len(letters_of_run)):
                nodes = picture.nodes_at(at, line)  # type: ignore[attr-defined]
                if nodes is not None and getattr(style, attribute):
                    found.update(nodes)
            column += len(letters_of_run)
    return found


def seen(words: list[Cells]) -> str:
    """The words of a legend of one line."""
    (line,) = words
    return text_of(line)
