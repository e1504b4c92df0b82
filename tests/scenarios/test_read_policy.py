"""[policy], [[variant]], and the policies of the command line, checked against a table."""

from collections.abc import Mapping
from decimal import Decimal

import pytest

from shadowtime.scenarios import (
    PolicyChoice,
    ScenarioError,
    Variant,
    choose_policy,
    parse_policy,
    parse_setting,
)
from tests.scenarios.support import GOOD, JOB, MACHINE, POLICIES, POLICY, Desk


def policy(*lines: str) -> str:
    return "[policy]\n" + "".join(f"{line}\n" for line in lines)


def test_parameters_become_plain_values(desk: Desk) -> None:
    """Durations are seconds, fractions floats; only what the file gives is there."""
    text = policy(
        'name = "gang"', 'quantum = "1h"', "alternate = false", "slots = -1", "share = 0.25", 'label = "x"',
        'candidates = ["easy", {name = "gang", share = 0.5}]',
    )  # fmt: skip
    assert desk.read(MACHINE + text + JOB).policy == PolicyChoice(
        "gang",
        {
            "quantum": 3600,
            "alternate": False,
            "slots": -1,
            "share": 0.25,
            "label": "x",
            "candidates": ["easy", {"name": "gang", "share": 0.5}],
        },
    )
    assert desk.read(GOOD).policy == PolicyChoice("fcfs")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('name = "esay"', '4:8: name is "esay"; did you mean easy?'),
        ('name = "maui"', '4:8: name is "maui"; expected fcfs, easy, conservative, gang or best'),
        ("name = 3", "4:8: name is 3; expected fcfs, easy, conservative, gang or best"),
        ('scan = "shortest"', "3:1: [policy] has no name; expected fcfs, easy, conservative, gang or best"),
        ('name = "fcfs"\nscan = "x"', "5:1: unknown parameter scan; expected none here"),
        ('name = "easy"\nscna = "x"', "5:1: unknown parameter scna; did you mean scan?"),
        ('name = "easy"\nscan = "shortst"', '5:8: scan is "shortst"; did you mean shortest?'),
        ('name = "easy"\nscan = 3', "5:8: scan is 3; expected arrival, shortest or longest"),
        ('name = "gang"\nquantum = "x"',
         '5:11: quantum is "x"; expected a duration: seconds, "D HH:MM:SS" or "1h30m"'),
        ('name = "gang"\nquantum = true',
         '5:11: quantum is true; expected a duration: seconds, "D HH:MM:SS" or "1h30m"'),
        ('name = "gang"\nalternate = 1', "5:13: alternate is 1; expected true or false"),
        ('name = "gang"\nslots = 1.0', "5:9: slots is 1.0; expected a whole number"),
        ('name = "gang"\nslots = 9223372036854775808',
         "5:9: slots is 9223372036854775808; expected a whole number below 2^62"),
        ('name = "gang"\nshare = nan', "5:9: share is nan; expected a number"),
        ('name = "gang"\nshare = 1e400', "5:9: share is 1e+400; expected a number"),
        ('name = "gang"\nlabel = 1', "5:9: label is 1; expected a text"),
        ('name = "gang"\ncandidates = [{a = inf}]',
         "5:14: candidates is an array of 1; expected no inf there"),
        ('name = "gang"\ncandidates = ' + "[" * 100 + "]" * 100,
         "5:14: candidates is an array of 1; expected fewer levels"),
        ('name = "gang"\ncandidates = 2020-01-01',
         "5:14: candidates is 2020-01-01; expected no 2020-01-01 there"),
    ],
)  # fmt: skip
def test_one_mistake_is_one_line(desk: Desk, line: str, fault: str) -> None:
    """Names and parameters are those of the table that is passed in, and of no other."""
    assert desk.faults(MACHINE + policy(line) + JOB) == [f"gang.toml:{fault}"]


def test_policies_inside_a_policy(desk: Desk) -> None:
    """Each is a name, a name with settings as on the command line, or a table with plain values."""
    text = policy(
        'name = "best"',
        'of = ["fcfs", "easy:scan=shortest", {name = "gang", quantum = "1h"}]',
        'first = "gang"',
    )
    assert desk.read(MACHINE + text + JOB).policy == PolicyChoice(
        "best",
        {
            "of": ["fcfs", {"name": "easy", "scan": "shortest"}, {"name": "gang", "quantum": 3600}],
            "first": "gang",
        },
    )
    chosen = choose_policy("best", dict([parse_setting("first=gang:quantum=20")]), POLICIES)
    assert chosen.parameters == {"first": {"name": "gang", "quantum": 20}}


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("of = 3", "5:6: of is 3; expected an array of policies, each a name or a table with a name"),
        ("of = []", "5:6: of is []; expected an array of policies, each a name or a table with a name"),
        ('of = ["fcfs", 3]', "5:15: of, number 2, is 3; expected a policy: a name, or a table with a name"),
        ('of = ["fcsf"]', '5:7: of, number 1, is "fcsf"; did you mean fcfs?'),
        ('of = ["easy:scan=x"]',
         '5:7: of, number 1, is "easy:scan=x": scan is "x"; expected arrival, shortest or longest'),
        ('of = [{scan = "x"}]',
         "5:7: of, number 1, has no name; expected fcfs, easy, conservative or gang"),
        ('of = ["x"]', '5:7: of, number 1, is "x"; expected fcfs, easy, conservative or gang'),
        ('of = [{name = ["best"]}]',
         '5:15: name is ["best"]; expected fcfs, easy, conservative or gang'),
        ('of = [{name = "best"}]',
         "5:7: of, number 1, is best; expected a scheduler that does not choose among others"),
        ('of = [{name = "easy", scan = "x"}]', '5:30: scan is "x"; expected arrival, shortest or longest'),
        ('first = "best"', "5:9: first is best; expected a scheduler that does not choose among others"),
        ("first = true", "5:9: first is true; expected a policy: a name, or a table with a name"),
    ],
)  # fmt: skip
def test_mistakes_inside_a_policy(desk: Desk, line: str, fault: str) -> None:
    """The fault names the place, down to the key of a table in an array."""
    assert desk.faults(MACHINE + policy('name = "best"', line) + JOB) == [f"gang.toml:{fault}"]


def test_what_is_out_of_range_is_reported_at_its_place(desk: Desk) -> None:
    """The check that is passed in decides; its message is put at the parameter it begins with."""

    def check(name: str, parameters: Mapping[str, object]) -> None:
        if parameters.get("slots", 0) != 0:
            raise ValueError("slots is 7; expected none")
        if "label" in parameters:
            raise ValueError("quantum is 10 for this label; expected more")

    text = (
        MACHINE
        + policy('name = "gang"', "slots = 7")
        + JOB
        + '[[variant]]\nname = "d"\npolicy = { name = "gang", label = "a" }\n'
    )
    assert len(desk.read(text).variants) == 1
    with pytest.raises(ScenarioError) as raised:
        desk.read(text, check=check)
    assert [str(fault).partition(":")[2] for fault in raised.value.faults] == [
        "5:9: slots is 7; expected none",
        "13:10: quantum is 10 for this label; expected more",
    ]


def test_a_file_without_a_policy(desk: Desk) -> None:
    """It needs one."""
    assert desk.faults(MACHINE + JOB) == ["gang.toml: the file has no [policy]; expected one with a name"]


def test_variants(desk: Desk) -> None:
    """The same workload under other policies, in the order of the file."""
    scenario = desk.read(
        GOOD + '[[variant]]\nname = "short"\npolicy = {name = "gang", quantum = 10}\n'
        '[[variant]]\nname = "b"\n[variant.policy]\nname = "easy"\n'
    )
    expected = Variant("short", PolicyChoice("gang", {"quantum": 10})), Variant("b", PolicyChoice("easy"))
    assert scenario.variants == expected
    assert scenario.variant("b") == expected[1]
    assert scenario.variant("c") is None


def test_mistakes_in_variants(desk: Desk) -> None:
    """Names are unique and not the base policy's; policies are checked as the base is."""
    text = (
        GOOD + "[[variant]]\n"
        '[[variant]]\nname = "fcfs"\npolicy = {name = "easy"}\n'
        '[[variant]]\nname = "a"\npolicy = {name = "easy"}\n'
        '[[variant]]\nname = "a"\npolicy = {name = "easy", scan = "x"}\n'
        '[[variant]]\nname = ""\npolicy = "easy"\nnote = 1\n'
    )
    assert desk.faults(text) == [
        "gang.toml:10:1: this [[variant]] has no name; expected a text",
        "gang.toml:10:1: this [[variant]] has no policy; expected a table",
        'gang.toml:12:8: name is "fcfs"; that is the name of the base policy; expected another name',
        'gang.toml:18:8: name is "a"; that is a variant before it; expected another name',
        'gang.toml:19:33: scan is "x"; expected arrival, shortest or longest',
        'gang.toml:21:8: name is ""; expected a text that is not empty',
        'gang.toml:22:10: policy is "easy"; expected a table',
        "gang.toml:23:1: unknown key note; expected name or policy",
    ]


@pytest.mark.parametrize(
    ("text", "setting"),
    [
        ("alternate=false", ("alternate", False)),
        ("frame=7d", ("frame", "7d")),
        ("slots = 3", ("slots", 3)),
        ("share=0.50", ("share", Decimal("0.50"))),
        ("scan=shortest", ("scan", "shortest")),
        ('scan="shortest"', ("scan", "shortest")),
        ('candidates=["easy","conservative"]', ("candidates", ["easy", "conservative"])),
        ("a=b=c", ("a", "b=c")),
        ("a=", ("a", "")),
        ("a=1\nb=2", ("a", "1\nb=2")),
        ("a=[[[", ("a", "[[[")),
        ("a=" + "9" * 5000, ("a", "9" * 5000)),
    ],
)
def test_settings(text: str, setting: tuple[str, object]) -> None:
    """The value is a TOML value, and what is none is a text."""
    assert parse_setting(text) == setting


@pytest.mark.parametrize("text", ["", "scan", "=3", " = 3"])
def test_what_is_no_setting(text: str) -> None:
    """A key and a `=` are needed."""
    with pytest.raises(ScenarioError, match="is no setting; expected key=value"):
        parse_setting(text)


@pytest.mark.parametrize("text", ["easy:", "easy: ", "easy:,", " easy : , "])
def test_a_colon_needs_a_setting_behind_it(text: str) -> None:
    """One line says what is missing, and that the name alone would do."""
    with pytest.raises(ScenarioError) as raised:
        parse_policy(text)
    message = f'"{text}" has nothing behind its colon; expected easy:key=value, or easy alone'
    assert [fault.message for fault in raised.value.faults] == [message]


def test_policies_of_the_command_line() -> None:
    """A name alone, or with settings between commas; a comma in brackets or quotes separates nothing."""
    assert parse_policy("easy") == ("easy", {})
    assert parse_policy("easy:scan=shortest") == ("easy", {"scan": "shortest"})
    assert parse_policy('gang:candidates=["easy","b"],label="a,b",quantum=10') == (
        "gang",
        {"candidates": ["easy", "b"], "label": "a,b", "quantum": 10},
    )


def test_choosing_a_policy() -> None:
    """Checked as in a file; every fault is reported, without a place."""
    settings = {"quantum": "1h", "share": Decimal("0.5")}
    assert choose_policy("gang", settings, POLICIES) == PolicyChoice("gang", {"quantum": 3600, "share": 0.5})
    with pytest.raises(ScenarioError) as caught:
        choose_policy("gang", {"quantum": -1, "shar": 1}, POLICIES)
    assert [str(fault) for fault in caught.value.faults] == [
        'quantum is -1; expected a duration: seconds, "D HH:MM:SS" or "1h30m"',
        "unknown parameter shar; did you mean share?",
    ]
    with pytest.raises(ScenarioError, match='name is "fcsf"; did you mean fcfs'):
        choose_policy("fcsf", {}, POLICIES)


def test_good_is_good(desk: Desk) -> None:
    """The text that the tests start from has no fault."""
    assert POLICY in GOOD and desk.read(GOOD)
