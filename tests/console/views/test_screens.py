"""The screens as they are drawn, at three sizes, against text dumps that a person has looked at.

`SHADOWTIME_WRITE_GOLDEN=1 pytest tests/console/views/test_screens.py` writes them anew.
"""

import os
import re
from functools import partial
from pathlib import Path

import attrs
import pytest
from textual.widget import Widget

from shadowtime.console import words
from shadowtime.console.session import Case, load, open_session
from shadowtime.console.widgets.frame.ink import plain, texts
from shadowtime.console.widgets.frame.status import event_line, next_up, title_line
from shadowtime.console.widgets.queue.columns import At, Shape, least_reason
from shadowtime.console.widgets.table.columns import layout, widths
from shadowtime.console.words import NODES
from tests.console.operator import Operator, case, operate

SCENARIOS = Path(__file__).parents[3] / "scenarios"
GOLDEN = Path(__file__).parent.parent / "golden"
SIZES = ((80, 24), (120, 36), (200, 50))
SCREENS: dict[str, tuple[Case | None, str, tuple[str, ...]]] = {
    "small": (None, "#8", ()),
    "busy": (case("busy.swf"), "85%", ()),
    "map": (case("busy.swf"), "85%", ("1", "v")),
    "events": (None, "#6", ("4", "up")),
    "metrics": (case("busy.swf"), "85%", ("5",)),
    "job": (None, "#8", ("enter",)),
    "help": (None, "#8", ("question_mark",)),
}
"""Each screen: its case (None: the dilemma under conservative backfilling), its place, the keys to it."""


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", list(SCREENS))
def test_the_screen_is_as_it_was(name: str, size: tuple[int, int]) -> None:
    of, at, keys = SCREENS[name]

    async def story(operator: Operator) -> None:
        await operator.press(*keys)
        compare(operator.text, GOLDEN / f"{name}-{size[0]}x{size[1]}.txt")
        assert all(len(line) <= size[0] for line in operator.lines)

    operate(story, of=of or case(policy="conservative"), size=size, at=at)


def compare(text: str, golden: Path) -> None:
    """Compare with a dump, or write it where that is asked for."""
    if os.environ.get("SHADOWTIME_WRITE_GOLDEN"):
        golden.write_text(text + "\n", encoding="utf-8")
    assert text + "\n" == golden.read_text(encoding="utf-8")


def test_a_machine_of_processors_is_counted_in_them() -> None:
    """Above and under the panels, as on the map of a torus."""

    async def story(operator: Operator) -> None:
        total = operator.console.session.case.nodes
        assert f" {total:,} PE " in operator.title and " nodes" not in operator.title
        row = operator.console.session.row(0)
        (line,) = texts([next_up([row], operator.console.snapshot, 100, operator.console.desk.unit)])
        assert f"job {row.id}, {row.size} PE, " in line and "nodes" not in line

    t3d = Path(__file__).parents[3] / "scenarios" / "fj97" / "large-job.toml"
    operate(story, of=load(t3d), size=(80, 24), at="#23")


def test_what_finds_no_room_below_the_panels_is_left_off_whole() -> None:
    """The reason of the next job, and the instant of an event, which the title has."""
    session = open_session(case())
    session.go("#6")
    shot = session.snapshot()
    row = session.row(shot.waiting[0])
    for make in (partial(next_up, [row], shot), partial(event_line, shot.last)):
        whole = plain(make(200, NODES))
        short = plain(make(len(whole) - 1, NODES))
        assert plain(make(len(whole), NODES)) == whole
        assert "…" not in plain(make(len(short) - 1, NODES)) or "EVENT" in short
        assert "…" not in short and len(short) < len(whole) - 3, short


@pytest.mark.proof
@pytest.mark.parametrize("key", ["1", "2", "4", "5"])
def test_a_small_screen_shows_the_panel_in_use_with_what_comes_next(key: str) -> None:
    """At 80x24 who is next and the event stand under the panels, the event only if its panel is not seen."""

    async def story(operator: Operator) -> None:
        await operator.press(key)
        assert f"[{key}] " in operator.text
        assert "NEXT UP  job 2, 128 nodes, at 0d 08:00:00 exp" in operator.text
        (event,) = operator.console.session.events(6, 1)
        assert " ".join(operator.text.split()).count(f"6 0d 00:20:00 {words.event(event, words.NODES)}") == 1
        assert ("EVENT    6" in operator.text) == ("[4] " not in operator.text)
        for widget in operator.console.walk_children(Widget):
            assert not widget.show_horizontal_scrollbar, widget

    operate(story, size=(80, 24), at="#6")


@pytest.mark.proof
@pytest.mark.parametrize(("key", "panel"), [("slash", 2), ("s", 2), ("S", 2), ("v", 1), ("z", 1), ("e", 4)])
def test_a_key_brings_the_panel_that_it_changes_into_sight(key: str, panel: int) -> None:
    """Where one panel is seen at a time, nothing happens behind the operator's back."""

    async def story(operator: Operator) -> None:
        await operator.press("5", key)
        assert f"[{panel}] " in operator.text

    operate(story, size=(80, 24), at="#6")


@pytest.mark.proof
def test_the_screen_follows_the_size_of_the_terminal() -> None:
    async def story(operator: Operator) -> None:
        assert all(f"[{number}] " in operator.text for number in (1, 2, 4, 5))
        await operator.resize(80, 24)
        assert "[2] " in operator.text and "[1] " not in operator.text
        await operator.resize(200, 50)
        assert all(f"[{number}] " in operator.text for number in (1, 2, 4, 5))
        await operator.resize(60, 18)
        await operator.press("n", "p", "1", "4", "5", "2", "question_mark", "escape", "enter", "escape")
        assert "[2] " in operator.text

    operate(story, at="#6")


@pytest.mark.proof
def test_the_note_of_the_moment_is_told_and_taken_back() -> None:
    """A note stands from its instant to the next one's, and covers no panel."""

    async def story(operator: Operator) -> None:
        assert "NOTE  Job 1 takes 64" in operator.text
        await operator.press("n", "n", "n")
        assert "NOTE  Job 2 needs all 128 nodes" in operator.text
        note, panels = operator.console.query_one("#note").region, operator.console.panels
        assert not any(panels.panels[number].region.overlaps(note) for number in panels.shown)
        await operator.press("p")
        assert "NOTE  Job 1 takes 64" in operator.text

    operate(story)


@pytest.mark.proof
@pytest.mark.parametrize("size", [(80, 24), (200, 50)])
def test_every_panel_of_a_machine_of_processors_says_pe(size: tuple[int, int]) -> None:
    """Panels, detail, actions, compare view: nowhere are nodes counted."""

    async def story(operator: Operator) -> None:
        for keys in (["1"], ["2"], ["3"], ["4"], ["5"], ["2", "enter"], ["escape", "e"], ["="]):
            await operator.press(*keys)
            counted = re.findall(r"\d+ nodes?\b|\bnodes? a |PEs|processors", operator.text)
            assert not counted, (keys, operator.text)

    t3d = Path(__file__).parents[3] / "scenarios" / "fj97" / "t3d-day.toml"
    operate(story, of=load(t3d), size=size, at="#186")


def test_the_policy_keeps_its_place_beside_a_long_name() -> None:
    """On a narrow screen the end of the file's name goes first."""
    snapshot = open_session(case()).snapshot()
    names = ("KTH-SP2-1996-2.1-cln-with-a-long-name.swf.xz", "easy", "100 nodes")
    line = plain(title_line(names, "", "|| PAUSED", snapshot, "x1", 72))
    assert " easy " in line and line.startswith(" KTH-SP2") and "nodes" not in line
    long = plain(title_line((names[0], "conservative"), "", "|| PAUSED", snapshot, "x1", 72))
    assert " conservative " in long and long.startswith(" KTH-SP2")
    far = attrs.evolve(snapshot, number=107_599, total=215_198)
    for width, parts in ((72, ("/215,198 ", " x1 ")), (60, ("/215,198 ",)), (56, ())):
        short = plain(title_line(names, "", "|| PAUSED", far, "x1", width))
        assert short.startswith(" KTH-SP2") and " event 107,599" in short and len(short) <= width
        assert [part for part in ("/215,198 ", " x1 ") if part in short] == list(parts)


def test_a_job_that_nothing_leads_to_is_said_never_to_start() -> None:
    """Nothing runs any more, and fewer nodes are in service than job 2 asks for."""

    async def story(operator: Operator) -> None:
        chain = operator.console.desk.session.forecasts.chain
        await operator.until(lambda: chain(1) is not None)
        await operator.rest()
        assert "it never starts" in operator.panel(4)

    too_large = load(SCENARIOS / "courses" / "failures" / "06-too-large.toml")
    operate(story, too_large, at="#19")


def test_a_sorted_column_keeps_its_title() -> None:
    columns = At(Shape(id=4, user=2, klass=0, size=4, clock=11), NODES).columns
    for key, title in (("user", "USER↑ "), ("state", "S↑ "), ("size", "SIZE↓ "), ("wait", "WAIT↓ ")):
        shown = layout(columns, widths(columns, ()), 120, least_reason(120), key)
        assert title in plain(shown.heading())
