"""Scenario files that are written: values as TOML, and a text that is edited and not made anew."""

import tomllib
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.scenarios import Action, PolicyChoice
from shadowtime.scenarios.text.document import fraction
from shadowtime.scenarios.text.editing import with_actions, with_log
from shadowtime.scenarios.text.writing import (
    MARK,
    action_table,
    action_text,
    is_saved,
    standing_at,
    stood_at,
    written,
)
from tests.scenarios.support import GOOD, Desk

plain = (
    st.text()
    | st.integers(-(2**60), 2**60)
    | st.booleans()
    | st.decimals(allow_nan=False)
    | st.datetimes()
    | st.dates()
)
values = st.recursive(
    plain, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
)


@pytest.mark.proof
@given(st.dictionaries(st.text(), values, max_size=5))
def test_what_is_written_is_read_again(table: dict[str, object]) -> None:
    """Texts of any letters, numbers with their digits, tables in arrays in tables."""
    assert tomllib.loads(written(table), parse_float=fraction) == table


def test_a_file_reads_well() -> None:
    """What is plain stands first, then the tables."""
    table = {
        "policy": {"name": "gang", "quantum": 60, "candidates": ["easy", {"name": "maui"}]},
        "title": 'a "gang"',
        "share": Decimal("0.50"),
        "about": "two\nlines",
        "job": [{"id": 1}, {"id": 2}],
    }
    assert written(table) == (
        'title = "a \\"gang\\""\nshare = 0.50\nabout = """\ntwo\nlines"""\n\n'
        '[policy]\nname = "gang"\nquantum = 60\ncandidates = ["easy", {name = "maui"}]\n\n'
        "[[job]]\nid = 1\n\n[[job]]\nid = 2\n"
    )


@pytest.mark.parametrize(
    "action",
    [
        Action("hold", at=600, job=1),
        Action("class", job=1, to="debug", after=12),
        Action("priority", job=1, to=-3, after=0),
        Action("drain", at=0, nodes=((0, 16), (20, 21))),
        Action("policy", policy=PolicyChoice("gang", {"quantum": 60, "label": "x"}), after=7),
    ],
)
def test_an_action_is_read_as_it_was(desk: Desk, action: Action) -> None:
    """Whatever it does, with a comment or without."""
    for comment in ("", "0 00:10:00"):
        read = desk.read(GOOD + action_text(action, comment)).actions[0]
        assert action_table(read) == action_table(action)
        assert read.line > 0


BEFORE = f"""# A comment of the author.
{GOOD}
[[action]]  # an hour later
at = "1h"
do = "hold"
job = 1

[[action]]
at = "#7"    # 0 00:10:00
do = "release"
job = 1
# the operator's own thoughts

[[action]]
at = "# 9"
do = "policy"
[action.policy]  # a table of its own
name = "gang"

[[note]]  # the end
at = 0
text = "here"
"""


def test_actions_are_put_at_the_end_of_the_text() -> None:
    """What was there stays letter for letter, but for the numbered actions, of which the kept ones stay."""
    added = action_text(Action("hold", job=1, after=8), "0 00:20:00")
    without_last = BEFORE.replace(
        '\n[[action]]\nat = "# 9"\ndo = "policy"\n[action.policy]  # a table of its own\nname = "gang"\n', ""
    )
    line = BEFORE.split("\n").index('at = "#7"    # 0 00:10:00') + 2
    assert with_actions(BEFORE, [line], [added]) == f"{without_last}\n{MARK}\n{added}"
    without = without_last.replace('\n[[action]]\nat = "#7"    # 0 00:10:00\ndo = "release"\njob = 1\n', "")
    assert with_actions(BEFORE, [], []) == without
    again = with_actions(with_actions(GOOD, [], [added]) or "", [], [added, added])
    assert again == f"{GOOD}\n{MARK}\n{added}\n{added}"
    assert is_saved(again)
    assert not is_saved(BEFORE)


def test_actions_that_are_written_otherwise_are_left_alone() -> None:
    """An array in a line takes no table after it."""
    text = 'action = [{at = "#7", do = "hold", job = 1}]\n' + GOOD
    assert with_actions(text, [], [action_text(Action("hold", job=1, after=8))]) is None


def test_the_log_of_a_text() -> None:
    """Its path is another, whatever stands around it."""
    text = '[workload]  # KTH\nmonth = "1996-10"\nlog = "KTH.swf" # beside\n'
    assert with_log(text, "/logs/ä.swf") == text.replace("KTH.swf", "/logs/ä.swf")
    assert with_log('workload = {log = "a.swf"}\n', "b") is None


def test_a_saved_text_says_once_where_it_stood() -> None:
    """Of another text nothing is known."""
    text = standing_at(f'title = "a"\n\n{MARK}\n', 5)
    assert stood_at(text) == 5 and is_saved(text)
    again = standing_at(text, 12)
    assert stood_at(again) == 12 and again.count("stood after") == 1
    assert stood_at(again.replace(MARK, "")) is None
