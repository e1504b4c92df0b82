"""The time bar: where in the run the cursor is, what is known, and what is not."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style
from textual.app import App, ComposeResult

from shadowtime.console.session.facts import Sample
from shadowtime.console.widgets.frame.looks import Depth, Palette, look, quiet
from shadowtime.console.widgets.frame.timebar import TimeBar
from shadowtime.console.widgets.frame.timebar_text import (
    BarCourse,
    bar,
    bar_line,
    cell_of,
    event_at,
    happened_line,
    queue_line,
    shares,
    sides,
)
from shadowtime.console.widgets.nodemap.cells import text_of
from tests.widgets.machines import owners, sample, snapshot

PLAIN = Palette(Depth.NONE)
BASE = Style()


def ramp(events: int, count: int) -> tuple[Sample, ...]:
    """Samples at equal distances whose utilization rises from 0 to 1."""
    return tuple(
        sample(events * at // count, utilization_now=(at - 1) / (count - 1)) for at in range(1, count + 1)
    )


def line(width: int, course: BarCourse) -> str:
    """The text of the whole line."""
    return text_of(bar_line(width, course, PLAIN, BASE))


def test_the_line_shows_event_place_share_and_clock() -> None:
    """Event number, the bar, percentage, clock."""
    course = BarCourse(400, 800, 22_364, ramp(800, 40), {"a": 100, "V": 799})
    assert line(60, course) == "400/800 |▁▁▁▁a▁▁▂▂▂▂▃▃▃▃▄o▄▅▅▅▅▆▆▆▆▇▇▇▇█V| 50.0% 0d 06:12:44"


def test_the_lane_of_the_queue_has_its_longest_beside_it() -> None:
    samples = tuple(sample(at * 100, queue_length=length) for at, length in enumerate((0, 4, 8, 2), 1))
    course = BarCourse(100, 400, 0, samples, numbers=False)
    lane = text_of(queue_line(30, course, PLAIN, BASE))
    assert lane.startswith("|") and lane.endswith("| top 8")
    assert "█" in lane and lane[1:6].strip() == ""
    assert len(lane) <= 30 and queue_line(30, BarCourse(), PLAIN, BASE) == []


def test_the_lane_of_what_happened_has_each_where_it_was() -> None:
    samples = tuple(sample(at * 100) for at in range(1, 5))
    times = [each.time for each in samples]
    course = BarCourse(
        0, 400, 0, samples, {"m": 399}, numbers=False, incidents=[(times[1] - 1, "X")], events=[(0, "a")]
    )
    lane = text_of(happened_line(30, course, PLAIN, BASE))
    assert (lane[1], lane.rstrip("|")[-1]) == ("a", "m") and "X" in lane
    explained = text_of(happened_line(120, course, PLAIN, BASE))
    assert explained.startswith("events|") and explained.endswith("| X down  a act")
    assert len(explained) == 120 == len(line(120, course))
    assert course.happened and not BarCourse().happened
    assert not BarCourse(0, 400, 0, samples, incidents=[(times[-1], "X")]).happened, "it is to come"


def test_what_is_not_known_is_dotted() -> None:
    """Ahead of the last sample there are dots; while the total is unknown, a question mark ends the bar."""
    assert line(40, BarCourse(100, 800, 0, ramp(400, 40))) == "100/800 |▁o▃▅▆▇······| 12.5% 0d 00:00:00"
    course = BarCourse(100, None, 0, ramp(400, 40))
    assert line(40, course) == "100/? |▁▁▁▂o▃▃▄▄▅▅▆▆▇▇█····? 0d 00:00:00"


def test_nothing_known_yet() -> None:
    """Before the first event of a run that nobody has sampled."""
    assert line(40, BarCourse()) == "0/? |o·····················? 0d 00:00:00"


@given(
    st.integers(0, 200),
    st.integers(0, 10_000),
    st.none() | st.integers(0, 10_000),
    st.integers(0, 60),
    st.data(),
)
def test_the_line_is_as_wide_as_asked_for(
    width: int, number: int, total: int | None, count: int, data: st.DataObject
) -> None:
    """At any width that holds the ends of the bar, with and without numbers beside it."""
    samples = ramp(total or number, count) if count > 1 else ()
    marks = data.draw(st.dictionaries(st.sampled_from("abc"), st.integers(0, 20_000)))
    number = number if total is None else min(number, total)
    course = BarCourse(number, total, 5, samples, marks, data.draw(st.booleans()))
    assert len(line(width, course)) == max(2, width)


def test_numbers_give_way_to_the_bar() -> None:
    """First the percentage, then the event number, then the clock."""
    course = BarCourse(400, 800, 22_364)
    assert sides(46, course) == ("400/800 ", " 50.0% 0d 06:12:44")
    assert sides(36, course) == ("400/800 ", " 0d 06:12:44")
    assert sides(25, course) == ("", " 0d 06:12:44")
    assert sides(15, course) == ("", "")
    assert sides(46, BarCourse(400, 800, 22_364, numbers=False)) == ("", " 50.0%")


def test_what_lies_ahead_is_dimmed() -> None:
    """Up to the cursor in the colour of running nodes, past it quiet; the cursor is bold and in reverse."""
    styles = [style for text, style in bar(20, BarCourse(10, 20, 0, ramp(20, 20)), PLAIN, BASE) for _ in text]
    assert set(styles[:10]) == {look("R", PLAIN).style}
    assert styles[10] == Style(bold=True, reverse=True)
    assert set(styles[11:]) == {quiet(PLAIN)}


def test_a_mark_at_the_cursor_shows_both() -> None:
    """The mark's letter, in the cursor's reverse."""
    cells = bar(20, BarCourse(10, 20, marks={"m": 10}), PLAIN, BASE)
    assert [text for text, style in cells if style.reverse] == ["m"]


@given(st.integers(1, 10_000), st.integers(1, 200), st.data())
def test_cells_and_events_agree(scale: int, width: int, data: st.DataObject) -> None:
    """The first event of a cell stands in that cell, or past it where a cell has no event of its own."""
    cell = data.draw(st.integers(0, width - 1))
    event = event_at(cell, scale, width)
    assert event == scale or event * width // scale == cell or width > scale
    assert cell_of(event, scale, width) >= cell or event == scale
    assert cell == 0 or cell_of(event - 1, scale, width) < cell


@given(st.integers(2, 300), st.integers(1, 100), st.integers(2, 400))
def test_shares_follow_the_samples(count: int, width: int, events: int) -> None:
    """Utilization that only rises is drawn rising, and every cell up to the last sample has a share."""
    drawn = shares(ramp(events, count), events, width)
    assert None not in drawn
    assert drawn == sorted(share for share in drawn if share is not None)


def test_the_widget_draws_its_line_and_shows_where_it_was_clicked() -> None:
    """A click on the bar gives the first event of its cell; one beside it nothing."""

    class BarApp(App[None]):
        pointed: list[int]

        def compose(self) -> ComposeResult:
            yield TimeBar(id="bar")

        def on_time_bar_pointed(self, event: TimeBar.Pointed) -> None:
            assert event.control is self.query_one(TimeBar)
            self.pointed.append(event.number)

    async def steps() -> None:
        app = BarApp()
        app.pointed = []
        async with app.run_test(size=(60, 5)) as pilot:
            widget = app.query_one(TimeBar)
            assert widget.size == (60, 1)
            shot = snapshot(owners((1, 1)), number=400, total=800)
            widget.show(shot, ramp(800, 40), {"a": 100})
            await pilot.pause()
            assert widget.render_line(0).text.startswith("400/800 |▁▁▁▁a")
            assert {widget.render_line(y).cell_length for y in (0, 1)} == {60}
            await pilot.click("#bar", offset=(9, 0))
            await pilot.click("#bar", offset=(9 + 14, 0))
            await pilot.click("#bar", offset=(2, 0))
            widget.numbers = False
            widget.show(shot)
            assert widget.render_line(0).text.startswith("busy  |·")
            await pilot.pause()
            assert app.pointed == [0, 350]

    asyncio.run(steps())


@pytest.mark.parametrize("palette", [Palette(depth) for depth in Depth], ids=str)
def test_every_run_has_a_style(palette: Palette) -> None:
    """On every terminal."""
    for text, style in bar_line(80, BarCourse(3, 9, 0, ramp(9, 9), {"a": 2}), palette, BASE):
        assert text and isinstance(style, Style)
