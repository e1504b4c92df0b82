"""The sentences of a report: kinds of reasons, and numbers only of an instant that is named."""

import string

import pytest

from shadowtime.console import words
from shadowtime.console.session.facts import Reason
from shadowtime.console.words.report.machine import EXAMPLES, KINDS, example_of, kind_of
from shadowtime.kernels.core.decisions import REASONS
from tests.console.words.test_words import reason


def test_every_reason_to_wait_has_a_kind() -> None:
    assert set(KINDS) == set(words.WAITING)


@pytest.mark.parametrize("code", sorted(KINDS))
def test_a_kind_has_no_number(code: str) -> None:
    """What holds for a share of a wait names no job, no instant and no number of nodes."""
    text = kind_of(Reason(code, {}), words.NODES)
    assert "{" not in text
    assert not set(string.digits) & set(text)


def test_examples_ask_only_for_numbers_that_the_kernels_give() -> None:
    given = {code: set(names) for code, names in REASONS}
    for code, sentence in EXAMPLES.items():
        asked = {field for _, field, _, _ in string.Formatter().parse(sentence) if field}
        assert asked <= given[code], code


def test_an_example_has_the_numbers_of_its_instant() -> None:
    found = Reason("no_room", {"needs": 912, "free": 16, "head": 42687, "shadow": None})
    assert example_of(found, 0, words.NODES) == "it needs 912 nodes, 16 are free, and job 42687 is before it"
    assert example_of(None, 0, words.NODES) == example_of(Reason("own", {}), 0, words.NODES) == ""
    late = example_of(reason("would_delay_head"), 0, words.NODES)
    assert "shadow" not in late and "extra" not in late


def test_a_reservation_says_when_its_nodes_are_short() -> None:
    """What is free now may be enough: the number is that of the instant at which it is not."""
    found = Reason("reserved", {"needs": 16, "free": 40, "short_free": 3, "short_at": 7200, "reserved": 9000})
    assert example_of(found, 0, words.NODES) == "it needs 16 nodes, and only 3 are free at 0d 02:00:00"
    assert example_of(found, 7200, words.NODES) == "it needs 16 nodes, 3 are free"
