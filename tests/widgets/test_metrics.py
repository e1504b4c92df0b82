"""The metrics panel and its trends: every value with its unit, readable from 34 columns to 160."""

import asyncio
import math
from functools import partial

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style
from textual.app import App, ComposeResult
from textual.geometry import Size

from shadowtime.console import words
from shadowtime.console.session.facts import Sample
from shadowtime.console.widgets.frame.looks import Depth, Palette
from shadowtime.console.widgets.metrics.panel import MetricsPanel
from shadowtime.console.widgets.metrics.text import (
    MEASURES,
    MOST,
    NARROWEST,
    PREEMPTION,
    Table,
    arranged,
    braille,
    measures,
    ratio,
    resampled,
    status_lines,
    trends,
)
from shadowtime.console.widgets.nodemap.cells import text_of
from shadowtime.console.words import NODES
from tests.widgets.machines import approved, metrics, owners, sample, snapshot

VALUES = st.lists(st.none() | st.floats(-1e9, 1e9), max_size=300)
NOW = metrics(
    utilization_now=0.872,
    utilization=0.7,
    queue_length=1_204,
    running=1,
    mean_wait=764.4,
    mean_response=22_364.0,
    mean_slowdown=22.04,
    mean_bounded_slowdown=3.414,
    backfill_ratio=0.0,
    preempt_ratio=0.103,
    checkpoints_per_node_day=0.41,
    wasted_ratio=0.0046,
    lost_capacity=0.041,
)


def run(count: int) -> list[Sample]:
    """Samples of a run whose utilization swings, whose queue grows, and that has no mean wait at first."""
    return [
        sample(
            number,
            utilization_now=0.5 + 0.5 * math.sin(number / 9),
            queue_length=number,
            mean_wait=None if number < count / 2 else 60.0,
            backfill_ratio=0.0,
        )
        for number in range(1, count + 1)
    ]


def panel(width: int, height: int, samples: list[Sample], preempts: bool = False) -> str:
    """The text of a panel of this size."""
    shown = measures(preempts)
    arrangement = arranged(width, height, len(shown))
    table = Table(NOW, trends(samples, arrangement, shown), arrangement, Palette(), Style(), shown)
    return "\n".join(text_of(table.line(line)).rstrip() for line in range(arrangement.lines))


@pytest.mark.parametrize(("width", "height", "count"), [(34, 6, 100), (118, 4, 20), (160, 12, 40)])
def test_the_panel_looks_as_it_was_approved(width: int, height: int, count: int) -> None:
    """Narrow: one measure a line, the rest scrolls. Wide: columns. Tall: titles written out, tall trends."""
    assert panel(width, height, run(count)) + "\n" == approved(f"metrics_{width}x{height}")


def axes(width: int, height: int, since: int, until: int) -> dict[int, list[str]]:
    """The words that stand below the trends of a panel without a value, by line."""
    arrangement = arranged(width, height)
    table = Table(sample(0, mean_wait=None), trends([], arrangement), arrangement, Palette(), Style())
    words = {at: text_of(line).split() for at, line in enumerate(table.lines(since, until))}
    return {at: found[-3:] for at, found in words.items() if f"{until:,}" in found}


def test_the_axis_has_the_events_of_both_ends_below_each_trend() -> None:
    """That of a column with fewer trends stands where they end."""
    arrangement = arranged(118, 40)
    found = axes(118, 40, 211, 107_599)
    assert arrangement.columns == 2 and arrangement.tall == 6
    assert found == {30: ["event", "211", "107,599"], 36: ["event", "211", "107,599"]}
    assert [line[-2:] for line in axes(80, 9, 211, 107_599).values()] == [["211", "107,599"]] * 2
    assert not axes(80, 9, 107_599, 215_198) and not axes(118, 40, 211, 211)


def test_facts_stand_side_by_side_where_that_saves_lines() -> None:
    """One that is too long for that has a line of its own, and nothing is cut."""
    facts = [
        ("table", "night"),
        ("system", "192 of 576"),
        ("limits", "the same until 0d 07:00:00"),
        ("holds", "1"),
    ]
    lines = [text_of(line) for line in status_lines([*facts, ("stored", "0")], 60, Palette(), Style())]
    assert lines[:-1] == [
        "table       night              system      192 of 576",
        "limits      the same until 0d 07:00:00",
        "holds       1                  stored      0",
    ]


def test_a_policy_that_preempts_shows_what_that_costs() -> None:
    """Its three figures stand among the first, and all fit at the size that the panel has at 120x36."""
    assert panel(34, 14, run(60), preempts=True) + "\n" == approved("metrics_preempting_34x14")
    assert "preempted" not in panel(34, 14, run(60))


@pytest.mark.parametrize(("width", "height"), [(34, 44), (160, 12)])
def test_the_top_of_a_trend_is_the_largest_value_at_any_size(width: int, height: int) -> None:
    """However many samples stand behind a dot, and also if the newest value has not been drawn."""
    samples = [sample(number, queue_length=376 if number == 50 else 1, running=1) for number in range(1, 900)]
    arrangement = arranged(width, height)
    metrics = sample(900, queue_length=2, running=7)
    table = Table(metrics, trends(samples, arrangement), arrangement, Palette(), Style())
    text = "\n".join(text_of(table.line(line)) for line in range(arrangement.lines))
    assert f"{MOST} 376 jobs" in text and f"{MOST} 7 jobs" in text


def test_the_status_of_the_policy_is_reported_fact_by_fact() -> None:
    """A fact a line under a rule of its own; a long name gets a line for itself, and nothing is cut."""
    facts = [
        ("in force", "maui:windows=widest"),
        ("flex:slack=7200 (reconstruction)", "85.10 %"),
        ("maui:windows=widest", "87.20 %"),
        ("next review", "0d 03:00:00 (2h00m)"),
    ]
    lines = [text_of(line) for line in status_lines(facts, 34, Palette(), Style())]
    assert lines == [
        "in force    maui:windows=widest",
        "flex:slack=7200 (reconstruction)",
        "            85.10 %",
        "maui:windows=widest 87.20 %",
        "next review 0d 03:00:00 (2h00m)",
        "─" * 34,
    ]
    assert status_lines([], 34, Palette(), Style()) == []


def test_the_values_of_the_status_stand_under_one_another() -> None:
    """A name that is a little longer than most makes room for itself in all lines."""
    facts = [("one holds", "2 jobs"), ("one released", "1 job")]
    lines = [text_of(line) for line in status_lines(facts, 34, Palette(), Style())]
    assert lines[:2] == ["one holds    2 jobs", "one released 1 job"]


@given(st.integers(NARROWEST, 160), st.integers(1, 40), st.integers(0, 50))
def test_every_measure_is_whole_at_any_size(width: int, height: int, count: int) -> None:
    """No line is wider than the panel; each title, value and unit stands there in full."""
    text = panel(width, height, run(count), preempts=True)
    assert all(len(line) <= width for line in text.splitlines())
    for measure in (*MEASURES, *PREEMPTION):
        assert measure.text(NOW, NODES) in text
        assert measure.short in text or NODES.fill(measure.long) in text


@given(st.integers(NARROWEST, 160), st.integers(1, 40))
def test_all_measures_are_in_sight_where_there_is_room(width: int, height: int) -> None:
    """As many columns as stay readable are taken before anything has to be scrolled."""
    arrangement = arranged(width, height)
    assert arrangement.width >= NARROWEST
    most = (width + 2) // (NARROWEST + 2)
    if most * height >= len(MEASURES):
        assert arrangement.lines <= height


def test_ratios_keep_the_digits_that_matter() -> None:
    """Three digits, thousands with commas."""
    assert [ratio(value) for value in (0.0, 3.414, 22.04, 999.94, 12_345.6)] == [
        "0.00",
        "3.41",
        "22.0",
        "999.9",
        "12,346",
    ]


def test_braille_rises_from_left_to_right() -> None:
    """Two values a cell, four heights a line but three in the first; no value is a blank, zero is a dot."""
    assert braille([0, 1, 2, 3], 2) == ["⣠⣴"]
    assert braille([None, 0, 0, None], 2) == ["⢀⡀"]
    assert braille([0, 6], 1, lines=2) == ["⢰", "⣸"]


def test_few_values_fill_the_room() -> None:
    """The newest value is always in the last column."""
    assert braille([1], 3) == ["⣶⣶⣶"]
    assert braille([0, 1], 3) == ["⣀⣰⣶"]
    assert resampled([], 2) == [None, None]


def test_a_fixed_top_keeps_the_height() -> None:
    """Half of a share of one is half the height, whatever else was seen."""
    assert braille([0.5, 0.5], 1, lines=2, high=1.0)[0] in (" ", "⣀")
    assert braille([0.5, 0.5], 1, lines=2)[0] == "⣶"


@given(VALUES, st.integers(0, 60), st.integers(0, 5))
def test_braille_has_the_size_asked_for(values: list[float | None], width: int, lines: int) -> None:
    """So many lines of so many cells, each braille or blank."""
    drawn = braille(values, width, lines)
    assert [len(line) for line in drawn] == [width] * lines
    assert all(letter == " " or 0x2800 < ord(letter) <= 0x28FF for line in drawn for letter in line)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=300), st.integers(1, 60))
def test_resampling_keeps_the_order_and_the_bounds(values: list[float], count: int) -> None:
    """Means of neighbours lie between the least and the largest; few values come through in their order."""
    points = resampled(values, count)
    known = [point for point in points if point is not None]
    assert len(points) == count
    assert all(min(values) - 1e-6 <= point <= max(values) + 1e-6 for point in known)
    if len(values) <= count:
        assert sorted(set(known), key=known.index) == sorted(set(values), key=values.index)


@pytest.mark.parametrize("size", [(34, 6), (80, 24), (160, 50), (1, 1)], ids=str)
def test_the_widget_shows_what_the_text_says(size: tuple[int, int]) -> None:
    """At any size, before and after the first snapshot; scrolled down it shows the rest."""

    class PanelApp(App[None]):
        def compose(self) -> ComposeResult:
            yield MetricsPanel(NODES, id="metrics")

    async def steps() -> None:
        app = PanelApp()
        async with app.run_test(size=size) as pilot:
            widget = app.query_one(MetricsPanel)
            assert widget.render_line(0).text.strip() == ""
            shot = snapshot(owners((1, 1)))
            widget.show(shot.metrics, run(30), MEASURES)
            await pilot.pause()
            shown = "\n".join(widget.render_line(y).text.rstrip() for y in range(widget.size.height))
            assert ("0.0 %" in shown) or size == (1, 1)
            widget.scroll_end(animate=False)
            await pilot.pause()
            last = widget.render_line(widget.size.height - 1)
            assert last.cell_length == widget.size.width
            assert all(segment.style is not None for segment in last)
            if size == (34, 6):
                assert last.text.startswith("pred. error            -")

    asyncio.run(steps())


def test_the_widget_gives_the_status_its_room() -> None:
    """The status comes, grows and goes with the policy; the metrics below it move, and none is lost."""

    class PanelApp(App[None]):
        def compose(self) -> ComposeResult:
            yield MetricsPanel(NODES, id="metrics")

    def text(widget: MetricsPanel) -> list[str]:
        return [widget.render_line(y).text.rstrip() for y in range(widget.size.height)]

    async def steps() -> None:
        app = PanelApp()
        async with app.run_test(size=(34, 15)) as pilot:
            widget = app.query_one(MetricsPanel)
            plain = snapshot(owners((1, 1)))
            for shot, first, rows in (
                (plain, "util now", 0),
                (attrs.evolve(plain, status={"head": 31, "reserve_time": 7200}), "reserve time", 3),
                (attrs.evolve(plain, status={"lucky": 7}), "lucky       7", 2),
                (plain, "util now", 0),
            ):
                facts = partial(words.status, shot.status, shot.time, shot.nodes, NODES)
                widget.show(shot.metrics, run(30), measures(True), facts)
                await pilot.pause()
                shown = text(widget)
                assert shown[0].startswith(first)
                assert shown[rows].startswith("util now") and shown[rows + 5].startswith("preempted")
                assert widget.virtual_size.height == rows + len(MEASURES) + len(PREEMPTION)

    asyncio.run(steps())


def test_a_panel_that_comes_back_has_every_measure() -> None:
    """It was hidden when the first job was preempted, and is painted before it hears of its size."""

    class Hidden(MetricsPanel):
        hidden = False

        @property
        def size(self) -> Size:
            return Size(0, 0) if self.hidden else super().size

    class PanelApp(App[None]):
        def compose(self) -> ComposeResult:
            yield Hidden(NODES, id="metrics")

    async def steps() -> None:
        app = PanelApp()
        async with app.run_test(size=(34, 20)) as pilot:
            widget = app.query_one(Hidden)
            shot, samples = snapshot(owners((1, 1))), run(30)
            widget.show(shot.metrics, samples, MEASURES)
            await pilot.pause()
            widget.hidden = True
            widget.show(shot.metrics, samples, measures(True))
            widget.hidden = False
            assert len(widget._cells()) >= len(MEASURES)

    asyncio.run(steps())


def test_no_value_is_not_emphasised() -> None:
    """A "-" is plain, a value bold."""
    arrangement = arranged(34, 11)
    table = Table(NOW, trends([], arrangement), arrangement, Palette(Depth.NONE), Style())
    assert [bool(table.line(line)[1][1].bold) for line in (0, 10)] == [True, False]


def test_a_large_panel_is_filled_with_tall_trends() -> None:
    """At 200x50 alone on the screen there are fewer, broader columns than where lines are scarce."""
    large, flat = arranged(198, 44), arranged(198, 12)
    assert (large.columns, large.tall) == (2, 7) and flat.columns > large.columns
    assert large.lines <= 44


@pytest.mark.parametrize("drawn", [False, True])
def test_metrics_without_room_have_a_column(drawn: bool) -> None:
    """A small screen is laid out while there is no room for them."""
    for width in range(-2, 40):
        made = arranged(width, 1 << 20, drawn=drawn)
        assert made.columns == 1 and made.tall >= 1
