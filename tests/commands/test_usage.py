"""Usage: help, the list of commands, and mistakes on the command line."""

import importlib

import pytest

from shadowtime.console.commands.group import COMMANDS
from shadowtime.scenarios import scenario_files
from tests.commandline import ROOT, Shadowtime, loaded_by, process


def test_help_lists_every_command(shadowtime: Shadowtime) -> None:
    """The commands that exist are shown, and no others."""
    ended = shadowtime("--help")
    listed = ended.out.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()
    assert (ended.code, ended.err) == (0, "")
    names = [line.split()[0] for line in listed]
    assert names == list(COMMANDS)
    assert {"open", "run", "compare", "check", "policies", "generate", "import", "fetch", "reproduce"} <= set(
        names
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_help(name: str, shadowtime: Shadowtime) -> None:
    """Each command of the table exists under its name and explains itself."""
    ended = shadowtime(name, "--help")
    assert ended.code == 0
    assert ended.out.startswith(f"Usage: shadowtime {name} ")
    assert importlib.import_module(COMMANDS[name][0]).command.name == name


def test_help_loads_nothing_heavy() -> None:
    """`--help` starts fast because neither the session nor the screens are imported for it."""
    loaded = loaded_by("--help")
    assert "shadowtime.console.commands.group" in loaded
    for heavy in (
        "shadowtime.console.session",
        "textual",
        "rich",
        "attrs",
        "shadowtime.kernels",
        "shadowtime.scenarios",
    ):
        assert heavy not in loaded


def test_lines_of_a_cluster_load_no_screen() -> None:
    """What is printed of a cluster is drawn without Textual."""
    loaded = loaded_by("run", "two-tiers")
    assert "shadowtime.console.session.slurm.forecasting" in loaded and "textual" not in loaded


DILEMMA = ROOT / "scenarios/fj97/dilemma.toml"
HEAVY = {
    "asyncio",
    "http.client",
    "rich.progress",
    "sqlite3",
    "textual",
    "shadowtime.console.session.comparison.contrast",
    "shadowtime.console.session.lab",
    "shadowtime.console.session.slurm.forecasting",
    "shadowtime.console.session.slurm.stepping",
    "shadowtime.console.session.training",
    "shadowtime.scenarios.models.registry",
    "zoneinfo",
}
"""What small commands do without."""
OF_TABLES = {"rich", "rich.console", "rich.table"}
OF_RUNS = {
    "shadowtime.console.session.facts",
    "shadowtime.console.session.session",
    "shadowtime.scenarios.reader",
    "shadowtime.scenarios.values",
}
OF_QUESTIONS = {
    "shadowtime.console.screens",
    "shadowtime.console.session.impact.advice",
    "shadowtime.console.session.impact.impact",
    "shadowtime.kernels.slurm",
}


@pytest.mark.parametrize(
    ("arguments", "needed", "idle"),
    [
        (("policies",), {"shadowtime.console.session.plugins"}, OF_TABLES | OF_RUNS | OF_QUESTIONS),
        (("run", DILEMMA), OF_TABLES | OF_RUNS, OF_QUESTIONS),
        (("run", "--json", DILEMMA), OF_RUNS, OF_TABLES | OF_QUESTIONS),
        (("open", "--text", DILEMMA), OF_RUNS, {"rich.table"}),
    ],
)
def test_a_command_loads_only_what_it_uses(
    arguments: tuple[object, ...], needed: set[str], idle: set[str]
) -> None:
    """Screens, clusters, models and the network take long to load, and small commands do without them."""
    loaded = loaded_by(*arguments)
    assert needed <= loaded
    assert not (HEAVY | idle) & loaded


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nope"], "shadowtime: No such command 'nope'"),
        (["run"], "shadowtime run: Missing argument 'FILE'"),
        (["run", "x.toml", "--fast"], "shadowtime run: No such option"),
        (["open", "x.toml", "y.toml"], "unexpected extra argument"),
        (["run", "x.toml", "--policy"], "requires an argument"),
        (["--fast"], "No such option"),
    ],
)
def test_a_mistake_is_answered_by_one_line(arguments: list[str], words: str, shadowtime: Shadowtime) -> None:
    """A usage error is one line on stderr that names the help, and exit code 2."""
    ended = shadowtime(*arguments)
    assert (ended.code, ended.out, len(ended.complaints)) == (2, "", 1)
    assert words in ended.err
    assert "--help" in ended.err


def test_without_a_terminal_the_scenarios_are_listed(shadowtime: Shadowtime) -> None:
    """`shadowtime` alone, not on a terminal, lists every shipped scenario and says how to open one."""
    ended = shadowtime()
    assert (ended.code, ended.err) == (0, "")
    for path in scenario_files():
        assert f"{path.parent.name}/{path.name}\n" in ended.out
    assert "The dilemma: a gain" in ended.out
    assert "shadowtime open FILE" in ended.out


@pytest.mark.proof
def test_the_module_is_the_command() -> None:
    """`python -m shadowtime` does what `shadowtime` does, exit code included."""
    ended = process("run", "nowhere.toml")
    assert (ended.code, ended.out, ended.err) == (2, "", "nowhere.toml: no such file\n")
