"""The scales of the Gantt chart: fitting, zooming, panning, the clock above the columns."""

import re

import attrs
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.widgets.gantt.scale import SPANS, Scale, span_for

INSTANT = re.compile(r"-?\d+d|\d\d:\d\d(:\d\d)?")


def scales() -> st.SearchStrategy[Scale]:
    return st.builds(
        lambda nodes, rows, columns: Scale(nodes, rows, columns).whole(),
        st.integers(1, 50_000),
        st.integers(1, 90),
        st.integers(1, 290),
    )


@given(scales())
def test_the_whole_machine_is_in_sight_in_as_many_rows_as_there_are(scale: Scale) -> None:
    assert scale.lines <= scale.rows
    assert scale.per == 1 or 2 * scale.lines > scale.rows
    assert scale.nodes_of(scale.lines - 1).stop == scale.nodes


@given(scales(), st.integers(-(10**6), 10**8), st.integers(0, 10**8))
def test_what_is_fitted_is_in_sight(scale: Scale, since: int, long: int) -> None:
    made = scale.fitted(since, since + long)
    assert made.since % made.span == 0 and made.span in SPANS
    if made.span < SPANS[-1] and scale.columns > 1:
        assert made.since <= since and since + long <= made.until


@given(scales(), st.integers(0, 10**7), st.sampled_from((1, -1)))
def test_a_zoom_in_time_keeps_its_instant_in_its_column(scale: Scale, around: int, steps: int) -> None:
    scale = attrs.evolve(scale, span=600).at(around - 600 * (scale.columns // 3))
    zoomed = scale.zoomed(steps, around)
    assert abs(zoomed.column_of(around) - scale.column_of(around)) <= 1
    assert zoomed.span < scale.span if steps > 0 else zoomed.span > scale.span


@given(scales(), st.data())
def test_a_zoom_of_nodes_keeps_its_node_in_sight(scale: Scale, data: st.DataObject) -> None:
    node = data.draw(st.integers(0, scale.nodes - 1))
    made = scale
    for _ in range(data.draw(st.integers(1, 8))):
        made = made.nearer(1, node)
        assert made.top <= node // made.per < made.top + made.rows
        assert 0 <= made.top <= max(0, made.lines - made.rows)
    for _ in range(20):
        made = made.nearer(-1, node)
    assert made == scale, "back to the whole machine"


def test_zooms_end_at_one_second_and_at_years() -> None:
    scale = Scale(8, 8, 40, span=1)
    assert scale.zoomed(1, 5).span == 1
    assert attrs.evolve(scale, span=SPANS[-1]).zoomed(-1, 5).span == SPANS[-1]
    assert span_for(10**12, 10) == SPANS[-1] and span_for(0, 10) == 1


@given(scales(), st.sampled_from(SPANS), st.integers(-(10**6), 10**8))
def test_the_clock_fits_and_its_instants_stand_over_their_columns(
    scale: Scale, span: int, since: int
) -> None:
    scale = attrs.evolve(scale, span=span).at(since)
    text = scale.ruler()
    assert len(text) <= scale.columns
    assert all(INSTANT.fullmatch(word) for word in text.split())


def test_the_clock_shows_the_day_once_and_seconds_only_where_they_differ() -> None:
    assert Scale(8, 8, 50, span=1800, since=79_200).ruler() == "    1d 00:00    06:00       12:00       18:00"
    assert Scale(8, 8, 30, span=1, since=0).ruler() == "0d 00:00:00         00:00:20"
    assert Scale(8, 8, 40, span=3600, since=0).ruler() == "0d 00:00    12:00       1d 00:00"
    assert Scale(8, 8, 30, span=86_400, since=0).ruler() == "0d   5d   10d  15d  20d  25d"
