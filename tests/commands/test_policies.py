"""`shadowtime policies`: what there is, and what of it is a choice or a reconstruction."""

import json

from shadowtime.console.session import policies_table
from shadowtime.kernels.policies import POLICIES
from shadowtime.scenarios import choose_policy, parse_setting
from tests.commandline import Shadowtime


def entries(text: str) -> dict[str, list[str]]:
    """The lines of each policy, by its name: only names begin a line."""
    found: dict[str, list[str]] = {}
    for line in filter(None, text.splitlines()):
        if not line.startswith(" "):
            found[line.split()[0]] = []
        found[list(found)[-1]].append(line)
    return found


def test_every_policy_is_listed_with_its_parameters(shadowtime: Shadowtime) -> None:
    """The name, the paper, the parameters with their defaults, what is a choice; nothing is wide."""
    ended = shadowtime("policies")
    assert (ended.code, ended.err) == (0, "")
    listed = entries(ended.out)
    assert list(listed) == [*(entry.name for entry in policies_table()), "slurm"]
    assert "    scan = arrival (one of arrival, shortest, longest, widest, narrowest)" in listed["easy"]
    assert "    paper: Feitelson & Weil 1998, Figure 2" in listed["easy"]
    assert "    CHOICE: the paper leaves this open" in listed["easy"]
    assert max(map(len, ended.out.splitlines())) <= 120


def test_some_are_listed_by_name(shadowtime: Shadowtime) -> None:
    """A wrong name is one line."""
    assert list(entries(shadowtime("policies", "slurm", "easy").out)) == ["easy", "slurm"]
    assert [each["name"] for each in json.loads(shadowtime("policies", "sjf", "--json").out)] == ["sjf"]
    wrong = shadowtime("policies", "esay")
    assert (wrong.code, wrong.out, wrong.err.count("\n")) == (2, "", 1)


def test_defaults_are_spelled_as_they_are_typed(shadowtime: Shadowtime) -> None:
    """Durations are durations, truths are true or false, policies inside a policy stand in TOML."""
    listed = entries(shadowtime("policies").out)
    assert {"    slack = 1h", "    slack_factor = not set", "    heavy = false"} <= set(listed["flex"])
    assert {"    frame = 7d", "    phase = 0s"} <= set(listed["pbas"])
    assert '    candidates = ["flex", {name = "maui", windows = "widest"}]' in listed["pbas"]
    assert '    narrow = {name = "maui", windows = "widest"}' in listed["wbas"]
    assert {"    lower = 2h", "    upper = 2h30m", "    threshold = 5"} <= set(listed["dynp"])


def test_every_default_that_is_shown_can_be_typed(shadowtime: Shadowtime) -> None:
    """What stands behind the `=` gives the default back, as --set takes it."""
    listed = {
        name: dict(line.strip().split(" = ", 1) for line in lines if line[4:5].strip() and " = " in line)
        for name, lines in entries(shadowtime("policies").out).items()
    }
    for entry in policies_table():
        for parameter in entry.parameters:
            spelled = listed[entry.name][parameter.name].partition(" (one of ")[0]
            if parameter.default is None:
                assert spelled == "not set"
                continue
            key, value = parse_setting(f"{parameter.name}={spelled}")
            typed = choose_policy(entry.name, {key: value}, POLICIES).parameters[parameter.name]
            assert plain(typed) == plain(parameter.default), (entry.name, parameter.name)


def plain(value: object) -> object:
    """A value with every list a list."""
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def test_a_reconstruction_is_marked(shadowtime: Shadowtime) -> None:
    """Where the authors' definition was not found, the name says so and the reason stands under a heading."""
    listed = entries(shadowtime("policies").out)
    assert listed["flex"][0].startswith("flex (reconstruction)  Flex")
    heading = "    RECONSTRUCTION: this is not the authors' own definition"
    assert {name for name, lines in listed.items() if heading in lines} == {"flex", "pbas", "wbas"}
    assert "(reconstruction)" not in listed["pbas"][0]


def test_json_shows_the_same(shadowtime: Shadowtime) -> None:
    """--json prints a list of objects; every default can be given back with --set."""
    found = json.loads(shadowtime("policies", "--json").out)
    easy = next(entry for entry in found if entry["name"] == "easy")
    assert easy["parameters"][0]["name"] == "scan"
    assert easy["parameters"][0]["default"] in easy["parameters"][0]["choices"]
    assert all(entry["summary"] and entry["paper"] for entry in found)
    pbas = next(entry for entry in found if entry["name"] == "pbas")
    assert pbas["parameters"][0]["default"] == ["flex", {"name": "maui", "windows": "widest"}]
