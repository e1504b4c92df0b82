"""[[action]] and [[outage]], and sets of nodes."""

from collections.abc import Mapping
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.scenarios import Action, Outage, PolicyChoice, format_nodes, parse_nodes
from shadowtime.scenarios.actions import JOB_ACTIONS, NODE_ACTIONS
from shadowtime.scenarios.nodes import joined
from tests.scenarios.support import GOOD, JOB, MACHINE, Desk


def action(*lines: str) -> str:
    return "[[action]]\n" + "".join(f"{line}\n" for line in lines)


def test_actions_on_jobs(desk: Desk) -> None:
    """Each has a job; class and priority say what it becomes."""
    for do in JOB_ACTIONS:
        to = {"class": 'to = "debug"', "priority": "to = -3"}.get(do, "")
        value: str | int | None = {"class": "debug", "priority": -3}.get(do)  # type: ignore[assignment]
        text = GOOD + action('at = "0 00:10:00"', f'do = "{do}"', "job = 1", to)
        assert desk.read(text).actions == (Action(do, at=600, line=12, job=1, to=value),)


def test_actions_on_nodes(desk: Desk) -> None:
    """Each has nodes that the machine has."""
    for do in NODE_ACTIONS:
        text = GOOD + action("at = 0", f'do = "{do}"', 'nodes = "0-15,20"')
        assert desk.read(text).actions == (Action(do, at=0, line=12, nodes=((0, 16), (20, 21))),)


def test_actions_on_the_policy(desk: Desk) -> None:
    """A parameter belongs to the policy that is in force at that instant, whatever the order in the file."""
    text = (
        GOOD
        + action('at = "2h"', 'do = "parameter"', 'key = "quantum"', 'value = "1m"')
        + action('at = "1h"', 'do = "policy"', 'policy = {name = "gang", slots = 2}')
    )
    assert desk.read(text).actions == (
        Action("policy", at=3600, line=17, policy=PolicyChoice("gang", {"slots": 2})),
        Action("parameter", at=7200, line=12, key="quantum", value=60),
    )
    assert desk.faults(text.replace('"2h"', '"30m"', 2)) == [
        'gang.toml:13:7: key is "quantum"; the policy is fcfs; it has none'
    ]
    assert desk.faults(text.replace('"1m"', '"x"')) == [
        'gang.toml:14:9: quantum is "x"; expected a duration: seconds, "D HH:MM:SS" or "1h30m"'
    ]
    assert desk.faults(text.replace('"quantum"', '"quantm"')) == [
        'gang.toml:13:7: key is "quantm"; the policy is gang; did you mean quantum?'
    ]


def test_actions_after_events(desk: Desk) -> None:
    """They follow those at instants, in order of number; those of one number in the order of the file."""
    text = GOOD + "".join(
        action(f"at = {at}", 'do = "priority"', "job = 1", f"to = {to}")
        for to, at in enumerate(['"#12"', '"1h"', '"# 7"', '"#12"', "0", '"#0"'])
    )
    read = desk.read(text).actions
    assert [(each.at, each.after, each.to) for each in read] == [
        (0, None, 4), (3600, None, 1), (None, 0, 5), (None, 7, 2), (None, 12, 0), (None, 12, 3)
    ]  # fmt: skip


def test_a_parameter_may_be_one_of_a_policy_that_comes_the_other_way(desk: Desk) -> None:
    """Only the run decides whether an event comes before an instant: either policy may be in force then."""
    gang = action('at = "1h"', 'do = "policy"', 'policy = {name = "gang"}')
    change = action('at = "#3"', 'do = "parameter"', 'key = "quantum"', 'value = "1m"')
    assert desk.read(GOOD + gang + change).actions[1].value == 60
    assert desk.faults(GOOD + change) == ['gang.toml:13:7: key is "quantum"; the policy is fcfs; it has none']


def test_parameters_out_of_range(desk: Desk) -> None:
    """They are found where they stand, as the policy in force has them by then."""

    def check(name: str, parameters: Mapping[str, object]) -> None:
        if parameters.get("slots") == 1 and parameters.get("alternate"):
            raise ValueError("slots is 1; expected more")

    text = GOOD + action("at = 0", 'do = "policy"', 'policy = {name = "gang", alternate = true}')
    one = action("at = 5", 'do = "parameter"', 'key = "slots"', "value = 1")
    other = action("at = 4", 'do = "parameter"', 'key = "alternate"', "value = false")
    assert desk.faults(text + one, check=check) == ["gang.toml:18:9: slots is 1; expected more"]
    assert len(desk.read(text + one + other, check=check).actions) == 3
    wrong = text.replace("alternate = true", "alternate = true, slots = 1")
    assert desk.faults(wrong, check=check) == ["gang.toml:13:52: slots is 1; expected more"]


def test_what_a_failure_does(desk: Desk) -> None:
    """Jobs are killed where the file says nothing; a checkpoint is taken every hour."""
    machine = desk.read(GOOD).machine
    assert (machine.on_failure, machine.checkpoint_interval) == ("kill", 3600)
    saved = MACHINE + 'on_failure = "checkpoint"\n'
    machine = desk.read(GOOD.replace(MACHINE, saved + 'checkpoint_interval = "30m"\n')).machine
    assert (machine.on_failure, machine.checkpoint_interval) == ("checkpoint", 1800)
    assert desk.read(GOOD.replace(MACHINE, saved)).machine.checkpoint_interval == 3600


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ('on_failure = "explode"', '3:14: on_failure is "explode"; expected kill, requeue or checkpoint'),
        ('on_failure = "checkpoint"\ncheckpoint_interval = 0',
         "4:23: checkpoint_interval is 0; expected at least 1 second"),
        ("checkpoint_interval = 60",
         '3:23: checkpoint_interval is 60; expected on_failure = "checkpoint" with it'),
    ],
)  # fmt: skip
def test_mistakes_in_what_a_failure_does(desk: Desk, lines: str, fault: str) -> None:
    assert desk.faults(GOOD.replace(MACHINE, f"{MACHINE}{lines}\n")) == [f"gang.toml:{fault}"]


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        ("torus = [2, 2, 2]\ncheckpoint_interval = 60", 1),
        ("torus = [2, 2, 2]\nper_node = 0", 1),
        ("torus = [2, 2, 2]\nweight = 3", 1),
        ("torus = [2, 2]", 1),
        ("nodes = 0", 1),
        ('nodes = "many"\nper_node = 2', 1),
        ("", 1),
        ("per_node = 0", 2),
    ],
)
def test_a_machine_whose_size_is_given_does_not_lack_one(desk: Desk, lines: str, count: int) -> None:
    """Whatever else is wrong with it, or with the size: each mistake is one fault."""
    assert len(desk.faults(GOOD.replace(MACHINE, f'[machine]\nunit = "processor"\n{lines}\n'))) == count


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (["do = \"hold\"", "job = 1"],
         '10:1: this [[action]] has no at; expected a time: seconds, "D HH:MM:SS" or "1h30m", '
         'or an event such as "#1284"'),
        (['at = "#"', 'do = "hold"', "job = 1"],
         '11:6: at is "#"; expected # and the number of an event, as in "#1284"'),
        (['at = "#-1"', 'do = "hold"', "job = 1"],
         '11:6: at is "#-1"; expected # and the number of an event, as in "#1284"'),
        (['at = "noon"', 'do = "hold"', "job = 1"],
         '11:6: at is "noon"; expected a time: seconds, "D HH:MM:SS" or "1h30m"'),
        (["at = 0", 'do = "holdd"', "job = 1"], '12:6: do is "holdd"; did you mean hold?'),
        (["at = 0", 'do = "hold"'], "10:1: this [[action]] has no job; expected a whole number, 0 or more"),
        (["at = 0", 'do = "hold"', "job = 7"], "13:7: job is 7; the workload has no such job"),
        (["at = 0", 'do = "hold"', "job = 1", 'to = "x"'], "14:1: to does not go with hold; expected job"),
        (["at = 0", 'do = "class"', "job = 1"], "10:1: this [[action]] has no to; expected a text"),
        (["at = 0", 'do = "priority"', "job = 1", 'to = "x"'],
         '14:6: to is "x"; expected a whole number from -2147483648 to 2147483647'),
        (["at = 0", 'do = "down"', 'nodes = "0-128"'],
         "13:9: nodes: there is no node 128; the machine has the nodes 0 to 127"),
        (["at = 0", 'do = "down"', "nodes = 3"],
         '13:9: nodes is 3; expected a text, nodes such as "0-15" or "3,8-11"'),
        (["at = 0", 'do = "down"', "job = 1", 'nodes = "1"'],
         "13:1: job does not go with down; expected nodes"),
        (["at = 0", 'do = "policy"', 'policy = {name = "x"}'],
         '13:18: name is "x"; expected fcfs, easy, conservative, gang or best'),
        (["at = 0", 'do = "policy"', 'policy = "easy"'], '13:10: policy is "easy"; expected a table'),
        (["at = 0", 'do = "parameter"', 'key = "x"'],
         "10:1: this [[action]] has no value; expected the parameter's new value"),
        (["at = 0", 'do = "hold"', "job = 1", "note = 1"],
         "14:1: unknown key note; did you mean nodes?"),
    ],
)  # fmt: skip
def test_mistakes_in_actions(desk: Desk, lines: list[str], fault: str) -> None:
    """An action that no operator could take is a fault of the file."""
    assert desk.faults(GOOD + action(*lines)) == [f"gang.toml:{fault}"]


def test_outages(desk: Desk) -> None:
    """Nodes, an instant, and, where they come back, another."""
    text = GOOD + (
        '[[outage]]\nnodes = "0-15"\nfrom = "1h"\nuntil = "3h"\nkill = true\n'
        '[[outage]]\nnodes = "3"\nfrom = 0\n'
    )
    assert desk.read(text).outages == (
        Outage(((0, 16),), 3600, 10_800, True, 10),
        Outage(((3, 4),), 0, None, False, 15),
    )


def test_mistakes_in_outages(desk: Desk) -> None:
    """Times run forwards, nodes exist."""
    text = GOOD + (
        '[[outage]]\nnodes = "5-1"\nfrom = "2h"\nuntil = "1h"\nkill = 1\n[[outage]]\nnodes = ""\nto = 3\n'
    )
    assert desk.faults(text) == [
        "gang.toml:11:9: nodes: 5-1 runs backwards; expected 1-5",
        'gang.toml:13:9: until is "1h"; expected a time after from',
        "gang.toml:14:8: kill is 1; expected true or false",
        'gang.toml:15:1: this [[outage]] has no from; expected a time: seconds, "D HH:MM:SS" or "1h30m"',
        'gang.toml:16:9: nodes: "" names no nodes; expected nodes such as "0-15" or "3,8-11"',
        "gang.toml:17:1: unknown key to; expected nodes, from, until or kill",
    ]


def test_nodes_are_checked_against_the_machine_that_is_meant(desk: Desk) -> None:
    """That of the command line, where it gives one; of a torus, its nodes."""
    text = GOOD + action("at = 0", 'do = "down"', 'nodes = "127"')
    assert desk.read(text).actions[0].nodes == ((127, 128),)
    assert len(desk.faults(text, nodes=127)) == 1
    torus = MACHINE.replace("nodes = 128", 'torus = [8, 4, 8]\nunit = "processor"\nper_node = 2')
    assert desk.read(text.replace(MACHINE, torus)).actions[0].nodes == ((127, 128),)
    assert len(desk.faults(text.replace(MACHINE, torus).replace('"127"', '"128"'))) == 1
    assert JOB in text


@pytest.mark.parametrize("text", ["", ",", "1,", "a", "1-", "-1", "1--2", "1.5", "9999999999", "0x1", "1 2"])
def test_what_names_no_nodes(text: str) -> None:
    """Whole numbers and ranges between commas, nothing else."""
    with pytest.raises(ValueError, match="names no nodes; expected nodes such as"):
        parse_nodes(text)


@given(st.sets(st.integers(0, 40), min_size=1))
def test_nodes_round_trip(nodes: set[int]) -> None:
    """Ranges ascend, do not touch, and are written as they are read."""
    ranges = parse_nodes(",".join(map(str, nodes)))
    assert {node for first, stop in ranges for node in range(first, stop)} == nodes
    assert all(stop < first for (_, stop), (first, _) in pairwise(ranges))
    assert parse_nodes(format_nodes(ranges)) == ranges


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 6)), max_size=8))
def test_joined_spans_cover_the_same_instants(found: list[tuple[int, int]]) -> None:
    """Half-open: two that touch are one, two with an instant between them are two."""
    spans = [(begin, begin + length) for begin, length in found]
    whole = joined(spans)
    assert {t for a, b in spans for t in range(a, b)} == {t for a, b in whole for t in range(a, b)}
    assert all(before[1] < after[0] for before, after in pairwise(whole))
