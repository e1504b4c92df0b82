"""The columns of an impact where the rows do not fit."""

import pytest

from shadowtime.console.screens.impact.impact_text import impact_head, impact_rows
from shadowtime.console.session.impact.impact import Impact
from shadowtime.console.session.impact.rows import END, START, JobChange
from shadowtime.console.widgets.frame.ink import plain, width_of


@pytest.mark.parametrize(("width", "size"), [(200, True), (60, True), (59, False), (55, False)])
def test_the_size_gives_way_before_the_change_is_cut(width: int, size: bool) -> None:
    """The rows take 60 columns behind their cursor, and 54 without the size."""
    rows = (
        JobChange(0, 43, "user5", 2, START, 72000, 93600),
        JobChange(1, 56, "user5", 30, END, 72000, 70200),
    )
    impact = Impact(0, 0, ("limit 56 30m",), frozenset((56,)), rows, 0)
    lines = impact_rows(impact, width)
    assert all(width_of(line) <= width for line in lines)
    assert [plain(line).split()[-1] for line in lines] == ["later", "(end)"]
    assert ("SIZE" in plain(impact_head(impact, width + 2)[-1])) == size
