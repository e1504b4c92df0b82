"""Actions: as they are typed and written, and their moments."""

import attrs
import pytest

from shadowtime.scenarios import Action, PolicyChoice, ScenarioError, format_action, parse_action
from shadowtime.scenarios.text.writing import action_text
from tests.scenarios.support import GOOD, POLICIES, Desk


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("hold 31", Action("hold", job=31)),
        (" cancel  31 ", Action("cancel", job=31)),
        ("class 31 debug", Action("class", job=31, to="debug")),
        ("priority 31 -5", Action("priority", job=31, to=-5)),
        ("drain 0-15,20", Action("drain", nodes=((0, 16), (20, 21)))),
        ("policy easy:scan=shortest", Action("policy", policy=PolicyChoice("easy", {"scan": "shortest"}))),
        ("set quantum=60", Action("parameter", key="quantum", value=60)),
    ],
)
def test_what_is_typed(typed: str, action: Action) -> None:
    """Each action as a line; what it means is typed the same way again."""
    assert parse_action(typed, POLICIES) == action
    assert parse_action(format_action(action), POLICIES) == action


@pytest.mark.parametrize(
    ("typed", "error"),
    [
        ("", "'' is no action; expected one of hold, release, cancel, suspend, resume, class, priority, "
             "start, drain, down, up, policy, set"),
        ("hold", "hold needs more; expected hold JOB"),
        ("hold x", "'x' is no job; expected hold JOB"),
        ("hold 1 2", "hold '1 2' is not understood; expected hold JOB"),
        ("class 1", "class '1' is not understood; expected class JOB NAME"),
        ("priority 1 many", "'many' is no priority; expected a whole number from -2147483648 to 2147483647"),
        ("priority 1 2147483648",
         "'2147483648' is no priority; expected a whole number from -2147483648 to 2147483647"),
        ("drain 5-1", "nodes: 5-1 runs backwards; expected 1-5"),
        ("set quantum", '"quantum" is no setting; expected key=value'),
        ("policy easy:", '"easy:" has nothing behind its colon; expected easy:key=value, or easy alone'),
        ("policy easy:scan=x",
         'scan is "x"; expected arrival, shortest or longest'),
    ],
)  # fmt: skip
def test_what_is_not_understood(typed: str, error: str) -> None:
    """One line says what is expected."""
    with pytest.raises(ScenarioError) as raised:
        parse_action(typed, POLICIES)
    assert str(raised.value) == error


def test_a_policy_that_cannot_be_used() -> None:
    """The line says why it cannot; of a policy that there is not, it says which there are."""
    with pytest.raises(ScenarioError, match=r"^policy easy of x: no class$"):
        parse_action("policy easy", POLICIES, {"easy": "policy easy of x: no class"})
    with pytest.raises(ScenarioError, match=r"^there is no policy 'nosuch'; expected one of fcfs, easy"):
        parse_action("policy nosuch", POLICIES)


def test_the_moment_of_an_action() -> None:
    """An action has a moment or none, and gets one once."""
    typed = Action("hold", job=1)
    assert not typed.has_moment
    action = typed.right_after(7)
    assert (action.at, action.after) == (None, 7)
    assert action == Action("hold", job=1, after=7)
    for other in (action, Action("hold", job=1, at=0)):
        with pytest.raises(
            ValueError, match=r"^hold 1 has a moment already; expected an action without one$"
        ):
            other.right_after(8)
    with pytest.raises(ValueError, match="not both"):
        Action("hold", job=1, at=3, after=7)


def test_a_file_holds_no_action_without_a_moment(desk: Desk) -> None:
    """Neither the text of a file nor a scenario."""
    error = r"^hold 1 has no moment; expected a time or the number of an event$"
    with pytest.raises(ValueError, match=error):
        action_text(Action("hold", job=1))
    with pytest.raises(ValueError, match=error):
        attrs.evolve(desk.read(GOOD), actions=(Action("hold", job=1),))
