"""The [shift] of a file: what is read, and each fault in one line."""

from pathlib import Path

import pytest

from shadowtime.console.session import ScenarioError, load
from shadowtime.scenarios import read_head
from shadowtime.scenarios.shift import ALLOWED, Shift
from tests.session.shift.files import INCIDENT, MANUAL, RESPONSE, shift_file


def read(folder: Path, shift: str, rest: str = "") -> Shift:
    """The shift of a file with this table."""
    found = load(shift_file(folder, shift, rest)).scenario.shift
    assert found is not None
    return found


def faults(folder: Path, shift: str, rest: str = "") -> str:
    """What is wrong, on one line."""
    with pytest.raises(ScenarioError) as caught:
        read(folder, shift, rest)
    return " | ".join(fault.message for fault in caught.value.faults)


def test_everything(tmp_path: Path) -> None:
    text = INCIDENT + 'until = "10m"\nfairness = 0.2\ndebrief = "Notes."\n'
    found = read(tmp_path, text, RESPONSE)
    assert (found.kind, found.goal, found.until, found.budget) == ("incident", "Lose no work.", 600, 2)
    assert (found.allow, found.fairness, found.wide) == (("drain", "up", "suspend"), 0.2, 8)
    assert found.debrief == "Notes."
    (response,) = found.responses
    assert response.name == "drain" and [(it.at, it.do) for it in response.actions] == [(150, "drain")]


def test_what_need_not_be_said(tmp_path: Path) -> None:
    """The usual actions, half of the index for fairness, and half of the machine is wide."""
    found = read(tmp_path, 'kind = "incident"\ngoal = "x"\n')
    assert (found.until, found.budget, found.fairness, found.wide) == (None, None, 0.5, 5)
    assert found.allow == ALLOWED["incident"]
    assert read(tmp_path, MANUAL).allow == ALLOWED["manual"]


def test_the_head_of_a_file_says_that_it_is_a_shift(tmp_path: Path) -> None:
    assert read_head(shift_file(tmp_path, MANUAL)).shift == "manual"
    assert read_head(shift_file(tmp_path, 'kind = 3\ngoal = "x"\n')).shift == ""


@pytest.mark.parametrize(
    ("shift", "fault"),
    [
        ('goal = "x"\n', "[shift] has no kind"),
        ('kind = "incident"\n', "[shift] has no goal"),
        ('kind = "hand"\ngoal = "x"\n', 'kind is "hand"; expected'),
        ('kind = "incident"\ngoal = " "\n', "expected a text that is not empty"),
        ('kind = "manual"\ngoal = "x"\n', "has no until; expected the instant at which the policy"),
        (MANUAL.replace("1000", "0"), "until is 0"),
        (INCIDENT.replace("budget = 2", "budget = 0"), "budget is 0"),
        (INCIDENT.replace("wide = 8", "wide = 11"), "wide is 11; expected a whole number from 1 to 10"),
        (INCIDENT + "fairness = 2\n", "fairness is 2; expected a number from 0 to 1"),
        (INCIDENT.replace('"drain", "up", "suspend"', '"dran"'), "did you mean drain?"),
        (INCIDENT.replace('["drain", "up", "suspend"]', "[]"), "expected a list of actions"),
        (MANUAL + 'allow = ["hold"]\n', "no job starts without start"),
        (INCIDENT + "gaol = 1\n", "unknown key gaol; did you mean goal?"),
    ],
)
def test_a_fault_is_one_line(tmp_path: Path, shift: str, fault: str) -> None:
    assert fault in faults(tmp_path, shift)


@pytest.mark.parametrize(
    ("response", "fault"),
    [
        (RESPONSE.replace('name = "drain"\n', ""), "this [[shift.response]] has no name"),
        (RESPONSE.replace("at = 150", 'at = "#7"'), "has an action after an event; expected an instant"),
        (RESPONSE.replace('nodes = "0"', 'nodes = "10"'), "there is no node 10"),
        (RESPONSE.replace('do = "drain"', 'do = "dran"'), "did you mean drain?"),
        (RESPONSE + "note = 3\n", "unknown key note"),
    ],
)
def test_a_fault_of_a_response_is_one_line(tmp_path: Path, response: str, fault: str) -> None:
    assert fault in faults(tmp_path, INCIDENT, response)


def test_the_actions_of_the_file_have_instants(tmp_path: Path) -> None:
    """The events of a shift depend on what the operator does."""
    action = '[[action]]\nat = "#3"\ndo = "hold"\njob = 2\n'
    assert "a shift takes instants only" in faults(tmp_path, INCIDENT, action)
