"""Labels: texts that are made when they are read."""

from array import array

import pytest

from shadowtime.scenarios.traces.labels import Labels


def test_numbers_are_their_own_text() -> None:
    """Without words a code stands for itself, and -1 for nothing."""
    labels = Labels(array("q", [12, -1, 2**61]))
    assert list(labels) == ["12", "", str(2**61)]


def test_words() -> None:
    """Equal texts have equal codes, in the order in which they first appear."""
    labels = Labels.of(["prod", "", "debug", "prod"])
    assert list(labels.codes) == [0, -1, 1, 0]
    assert labels.words == ("prod", "debug")
    assert list(labels) == ["prod", "", "debug", "prod"]


def test_the_texts_that_occur() -> None:
    """Each once, the empty one too; of a part only those of the part."""
    labels = Labels.of(["prod", "", "debug", "prod"])
    assert labels.distinct() == {"prod", "", "debug"}
    assert labels[2:].distinct() == {"debug", "prod"}
    assert Labels(array("q", [7, 7])).distinct() == {"7"}


def test_a_column_without_texts() -> None:
    """It has its length and nothing in it."""
    assert list(Labels.none(3)) == ["", "", ""]


def test_they_behave_as_a_sequence() -> None:
    """Slices, negative places, equality and a short repr; no hash."""
    labels = Labels.of(["a", "b", "c", "d"])
    assert labels[-1] == "d" and list(labels[1:3]) == ["b", "c"]
    assert labels == Labels.of(["a", "b", "c", "d"]) != Labels.of(["a"])
    assert repr(labels) == "Labels(4: 'a', 'b', 'c', ...)"
    with pytest.raises(IndexError):
        labels[4]
    with pytest.raises(TypeError):
        hash(labels)
