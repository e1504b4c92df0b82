"""A check of a shift finds what is wrong with it: once with each fault."""

from pathlib import Path

import pytest

from shadowtime.console.session import SessionError, load
from shadowtime.console.session.shift.soundness import RULES, examine_shift, follow
from tests.session.shift.files import INCIDENT, MANUAL, RESPONSE, incident, shift_file
from tests.session.training.test_answers import scenario


def flaws(path: Path) -> str:
    """All that is found, on one line."""
    return " ".join(flaw.text for flaw in examine_shift(load(path)).flaws)


def test_a_sound_shift_has_none(tmp_path: Path) -> None:
    report = examine_shift(load(incident(tmp_path)))
    assert not report.flaws and (report.response, report.reached) == ("drain", 100)
    assert report.rules["doing nothing"] == 0


def test_a_response_that_passes_the_budget(tmp_path: Path) -> None:
    more = "".join(
        f'[[shift.response.action]]\nat = 150\ndo = "drain"\nnodes = "{node}"\n' for node in (1, 2)
    )
    assert "the budget is spent: 2 actions" in flaws(incident(tmp_path, RESPONSE + more))


def test_a_response_that_does_what_is_not_allowed(tmp_path: Path) -> None:
    path = incident(tmp_path, RESPONSE.replace('"drain"\nnodes', '"down"\nnodes'))
    assert "down is not allowed in this shift" in flaws(path)


def test_a_response_that_acts_when_nothing_happens(tmp_path: Path) -> None:
    path = incident(tmp_path, RESPONSE.replace("at = 150", "at = 142"))
    assert "acts at 0d 00:02:22, when nothing happens" in flaws(path)


def test_points_that_nobody_can_reach(tmp_path: Path) -> None:
    """The response is no better than doing nothing."""
    path = shift_file(tmp_path, INCIDENT, RESPONSE)
    assert "no point can be reached: no response is better than nothing done" in flaws(path)


def test_a_shift_in_which_doing_nothing_earns_all(tmp_path: Path) -> None:
    """To start job 1 at once is what costs: the response does nothing to any purpose."""
    shift = MANUAL.replace("1000", "20")
    acts = ((0, "hold"), (5, "release"))
    response = "".join(f'[[shift.response.action]]\nat = {at}\ndo = "{do}"\njob = 1\n' for at, do in acts)
    jobs = ((1, 10, 0, 5000), (2, 10, 5, 100))
    path = shift_file(tmp_path, shift, f'[[shift.response]]\nname = "wait"\n{response}', "sjf", jobs)
    assert "doing nothing earns 100 points; expected 60 at most" in flaws(path)


def test_what_is_no_shift(tmp_path: Path) -> None:
    with pytest.raises(SessionError, match="is no shift"):
        examine_shift(load(scenario(tmp_path)))


def test_the_search_finds_a_response_if_the_file_has_none(tmp_path: Path) -> None:
    """Node 0 fails again and again, and must not be used."""
    report = examine_shift(load(incident(tmp_path, "")))
    assert report.response == "found by the search" and not report.flaws and report.reached == 100


def test_a_rule_acts_at_every_instant(tmp_path: Path) -> None:
    """Also at one that follows an instant with nothing to do; what does not fit is passed."""
    jobs = ((1, 6, 0, 100), (2, 6, 10, 100), (3, 4, 20, 50), (4, 4, 30, 10), (5, 4, 75, 10))
    session = follow(load(shift_file(tmp_path, MANUAL, jobs=jobs)), RULES["the first that fits"])
    simulation = session.fork_simulation()
    simulation.run()
    assert list(simulation.results("start")["start"]) == [0, 100, 20, 70, 80]


def test_a_shift_that_a_simple_rule_wins(tmp_path: Path) -> None:
    """EASY starts here whatever fits, as it comes: nothing has to be decided."""
    jobs = ((1, 6, 0, 200), (2, 6, 10, 100), (3, 4, 20, 50), (4, 4, 75, 10))
    found = flaws(shift_file(tmp_path, MANUAL, jobs=jobs))
    assert "the first that fits earns 100 points" in found and "hindsight" not in found
