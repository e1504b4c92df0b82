"""What the schedulers are given of the classes of jobs."""

import pytest

from shadowtime.console.session.operator.steering import INTERACTIVE, PRIORITIES, by_class
from shadowtime.scenarios import Labels

NAMES = ["interactive", "debug", "", "production", "benchmark", "standby", "other"]


def test_a_class_counts_by_its_name() -> None:
    """The five known classes have a priority; another one, and none at all, has 0."""
    priorities, interactive = by_class(NAMES, PRIORITIES), by_class(NAMES, INTERACTIVE)
    assert priorities is not None
    assert interactive is not None
    assert list(priorities) == [4, 4, 0, 3, 2, 1, 0]
    assert list(interactive) == [1, 0, 0, 0, 0, 0, 0]


def test_codes_are_what_counts() -> None:
    """A column made by a reader names its words once; a job without a class has the code -1."""
    labels = Labels([1, -1, 0, 1], ("batch", "interactive"))
    marks = by_class(labels, INTERACTIVE)
    assert marks is not None
    assert list(marks) == [1, 0, 0, 1]


@pytest.mark.parametrize(
    "klass", [[], ["", ""], Labels.none(3), Labels([-1, -1], ("debug",)), Labels([2, 1])]
)
def test_without_classes_nothing_is_given(klass: list[str]) -> None:
    """Where no job has a class that is a word, there is no column."""
    assert by_class(klass, PRIORITIES) is None
