"""Lists of nodes: what they name, how names are written as a list, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.scenarios.slurm import format_hosts, parse_hosts


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ()),
        ("(null)", ()),
        ("n1", ("n1",)),
        ("n[1-3,7],login", ("n1", "n2", "n3", "n7", "login")),
        ("n[08-11]", ("n08", "n09", "n10", "n11")),
        ("r[1-2]c[1-2]", ("r1c1", "r1c2", "r2c1", "r2c2")),
    ],
)
def test_a_list_names_nodes(text: str, names: tuple[str, ...]) -> None:
    """Ranges, leading zeros, several brackets."""
    assert parse_hosts(text) == names


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("n9", "n10", "n11"), "n[9-11]"),
        (("n09", "n10", "n12"), "n[09-10,12]"),
        (("n1", "n01"), "n[1,01]"),
        (("a1", "b2"), "a1,b2"),
    ],
)
def test_names_are_written_as_a_list(names: tuple[str, ...], text: str) -> None:
    """Neighbours become a range."""
    assert format_hosts(names) == text


@pytest.mark.parametrize(
    "text",
    ["n[", "n]", "n[1-", "n[2-1]", "n[a]", "n[[1]]", "a,,b", "n[1-9999999]", "a b", "n[1-1000][1-1001]"],
)
def test_what_is_no_list_is_refused(text: str) -> None:
    """Also one that would name more nodes than any machine has."""
    with pytest.raises(ValueError, match=r"list|names more"):
        parse_hosts(text)


@given(
    st.lists(st.from_regex(r"[a-z]{1,3}(0{0,2}[1-9][0-9]{0,3})?", fullmatch=True), unique=True, max_size=30)
)
def test_a_written_list_names_the_same_nodes(names: list[str]) -> None:
    """In the same order."""
    assert parse_hosts(format_hosts(names)) == tuple(names)
