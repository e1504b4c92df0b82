"""The order of a column."""

from array import array

from hypothesis import given
from hypothesis import strategies as st

from shadowtime.kernels.core.order import order_of


@given(st.lists(st.integers(-3, 3) | st.integers(-(2**62), 2**62), max_size=70))
def test_the_order_of_a_column(values: list[int]) -> None:
    """The least value first; of equal values the first row first."""
    assert list(order_of(array("q", values))) == sorted(range(len(values)), key=values.__getitem__)


def test_a_column_that_ascends_takes_no_memory() -> None:
    """Its order is a range."""
    assert order_of(array("q", [1, 1, 5])) == range(3)
