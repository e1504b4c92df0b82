"""Letters of jobs: no two in sight share one, and who has one keeps it."""

from hypothesis import given
from hypothesis import strategies as st
from textual.widget import Widget

from shadowtime.console.widgets.frame.letters import Letters, letter, letters_of
from shadowtime.console.widgets.frame.looks import LETTERS, job_letter

JOBS = st.lists(st.integers(0, 400), max_size=120)


@given(st.lists(JOBS, max_size=8))
def test_jobs_in_sight_have_letters_of_their_own_and_keep_them(moments: list[list[int]]) -> None:
    """As many of the first ones as there are letters; a letter changes hands when its job has gone."""
    letters = Letters()
    for jobs in moments:
        before = letters.held
        letters.give(jobs)
        seen = list(dict.fromkeys(jobs))[: len(LETTERS)]
        assert len({letter(letters.held, index) for index in seen}) == len(seen)
        assert all(letters.held[index] == before[index] for index in seen if index in before)
        assert len(letters.held) <= len(LETTERS)


def test_a_job_has_the_letter_of_its_index_if_that_is_free() -> None:
    """And keeps it when it is over, until another job needs it."""
    letters = Letters()
    letters.give([1, 51, 2])
    assert [letter(letters.held, index) for index in (1, 2)] == ["b", "c"]
    assert letters.held[51] not in "bc"
    letters.give([101])
    assert letters.held[1] == "b" != letters.held[101]
    assert letter(letters.held, 60) == job_letter(60)


def test_a_panel_whose_screen_is_gone_has_the_letters_of_the_index() -> None:
    """It may be shown once more while its screen is being closed."""
    assert letters_of(Widget()).held == {}
