"""[nqs] and the classes of the T3D in a scenario file."""

import pytest

from shadowtime.scenarios import ScenarioError, read_scenario
from shadowtime.scenarios.workload import Request
from tests.scenarios.support import GOOD, JOB, MACHINE, POLICY, Desk, Parameter, Policy

POLICIES = {"t3d": Policy((Parameter("classes", "classes", {}, ("interactive", "debug")),))}
TORUS = (
    'title = "T"\n[machine]\ntorus = [8, 4, 8]\nunit = "processor"\nper_node = 2\n[policy]\nname = "fcfs"\n'
)
T3D = '[policy]\nname = "t3d"\n'


def test_the_front_end_and_its_limits(desk: Desk) -> None:
    """None where the file does not speak of it."""
    assert desk.read(GOOD).nqs is None
    assert desk.read(GOOD + '[nqs]\nlimits = "after"\n').nqs == "after"


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ("", "10:1: [nqs] has no limits; expected before or after"),
        ('limits = "now"\n', '11:10: limits is "now"; expected before or after'),
        ('limits = "before"\nlimit = 3\n', "12:1: unknown key limit; did you mean limits?"),
    ],
)
def test_a_front_end_without_limits_is_a_fault(desk: Desk, lines: str, fault: str) -> None:
    assert desk.faults(f"{GOOD}[nqs]\n{lines}") == [f"gang.toml:{fault}"]


def test_what_differs_in_a_class(desk: Desk) -> None:
    """Durations are seconds; only what the file gives is there."""
    classes = (
        '[policy.classes.debug]\nmax_wait = "5m"\ndo_not_disturb = 10\n'
        "[policy.classes.interactive]\npriority = 2\nlimit = 128\n"
    )
    assert read_scenario(desk.write(MACHINE + T3D + classes + JOB), policies=POLICIES).policy.parameters == {
        "classes": {
            "interactive": {"priority": 2, "limit": 128},
            "debug": {"max_wait": 300, "do_not_disturb": 10},
        }
    }


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ("classes = 3\n", "5:11: classes is 3; expected a table of classes: interactive, debug"),
        ("classes = {debug = 3}\n", "5:20: debug is 3; expected a table"),
        ("[policy.classes.batch]\n", "5:1: unknown class batch; expected interactive or debug"),
        ("[policy.classes.debug]\nwait = 3\n", "6:1: unknown key wait; did you mean max_wait?"),
        ("[policy.classes.debug]\npriority = 1.5\n",
         "6:12: priority is 1.5; expected a whole number, 0 or more"),
        ("[policy.classes.debug]\ndo_not_disturb = 0\n",
         "6:18: do_not_disturb is 0; expected at least 1 second"),
    ],
)  # fmt: skip
def test_a_bad_class_is_a_fault(desk: Desk, lines: str, fault: str) -> None:
    """With its line, and what was expected there."""
    with pytest.raises(ScenarioError) as caught:
        read_scenario(desk.write(MACHINE + T3D + lines + JOB), policies=POLICIES)
    assert str(caught.value) == f"{desk.folder}/gang.toml:{fault}"


def test_what_a_job_asks_for(desk: Desk) -> None:
    """A wire, the lowest processor of a block, a lock; a job that asks for nothing has no entry."""
    jobs = JOB.replace("id = 1", "id = 2") + JOB + 'wire = 3\nbase = "020"\nlocked = true\n'
    assert desk.read(TORUS + jobs).workload.requests == {1: Request(3, 16, True)}


@pytest.mark.parametrize(
    ("machine", "line", "fault"),
    [
        ("torus", "wire = 4", "wire is 4; expected a whole number from 0 to 3"),
        ("torus", 'base = "040"', 'base is "040"; expected Z, Y and X of a processor, such as "020"'),
        ("torus", 'base = "20"', 'base is "20"; expected Z, Y and X of a processor, such as "020"'),
        ("torus", "base = 20", "base is 20; expected a text"),
        ("torus", "locked = 1", "locked is 1; expected true or false"),
        ("nodes", "wire = 1", "wire is 1; expected it on a torus only"),
        ("nodes", "locked = false", "locked is false; expected it on a torus only"),
    ],
)
def test_a_request_that_is_none_is_a_fault(desk: Desk, machine: str, line: str, fault: str) -> None:
    """With what was expected."""
    text = (TORUS if machine == "torus" else MACHINE + POLICY) + JOB + line
    assert [each.split(": ", 1)[1] for each in desk.faults(text)] == [fault]
