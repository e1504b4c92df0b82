"""The order of a column."""

from array import array
from math import inf

from hypothesis import given
from hypothesis import strategies as st

from shadowtime.kernels.core.order import least, order_of


@given(st.lists(st.integers(-3, 3) | st.integers(-(2**62), 2**62), max_size=70))
def test_the_order_of_a_column(values: list[int]) -> None:
    """The least value first; of equal values the first row first."""
    assert list(order_of(array("q", values))) == sorted(range(len(values)), key=values.__getitem__)


def test_a_column_that_ascends_takes_no_memory() -> None:
    """Its order is a range."""
    assert order_of(array("q", [1, 1, 5])) == range(3)


@given(st.lists(st.none() | st.integers(0, 5) | st.floats(0, 5) | st.just(inf)), st.integers(0, 8))
def test_the_least_values_come_as_a_sort_has_them(values: list[float | None], count: int) -> None:
    """Of equal values the first place comes first; None has no place."""
    ordered = sorted((value, place) for place, value in enumerate(values) if value is not None)
    assert least(values, count) == [place for _, place in ordered[:count]]
