"""What docs/scenarios.md shows is what happens; docs/glossary.md leaves no name out;
docs/design.md is true of the code.
"""

import io
import json
import re
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from shadowtime.console.session import load
from shadowtime.console.session.travel.copies import LIMIT_BYTES, LIMIT_COPIES
from shadowtime.console.words.phrases import STATES
from shadowtime.kernels.core.clock import EVENT_NAMES
from shadowtime.kernels.core.decisions import DECISION_NAMES
from shadowtime.kernels.policies.entries import ENTRIES
from shadowtime.scenarios.actions import ACTIONS
from shadowtime.scenarios.values import METRICS
from tests.commandline import ROOT, Shadowtime

OURS = ("console", "kernels", "scenarios", "shadowtime", "tests", "docs")
PAGES = ("scenarios.md", "glossary.md", "design.md")
SCENARIOS, GLOSSARY, DESIGN = ((ROOT / "docs" / name).read_text(encoding="utf-8") for name in PAGES)
FILES: dict[str, str] = {
    name: text for text, name in re.findall(r"```toml\n(# (\S+)\n.*?)```", SCENARIOS, flags=re.DOTALL)
}
LOG = re.findall(r"```swf\n(.*?)```", SCENARIOS, flags=re.DOTALL)
CHECKED: dict[str, str] = dict(
    re.findall(r"```console\n\$ shadowtime check (\S+)\n(.*?)```", SCENARIOS, flags=re.DOTALL)
)


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, with the files of the page."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SHADOWTIME_TRACES", raising=False)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (log,) = LOG
    (tmp_path / "afternoon.swf").write_text(log, encoding="utf-8")
    return tmp_path


def test_every_file_of_the_page_is_checked_there() -> None:
    """No example stands without what comes of it."""
    assert len(FILES) == 8
    assert set(FILES) == set(CHECKED)


@pytest.mark.parametrize("name", CHECKED)
def test_a_file_of_the_page_gives_what_is_shown(name: str, written: Path, shadowtime: Shadowtime) -> None:
    """What holds, holds; what is refused, is refused in these words and with the documented exit code."""
    ended = shadowtime("check", name)
    shown = CHECKED[name]
    assert ended.out + ended.err == shown
    assert ended.code == (0 if "expectations hold" in shown else 1 if "FAILED" in shown else 2)


def test_the_ten_lines_are_ten() -> None:
    """The heading is true of what stands below the name of the file."""
    assert len(FILES["first.toml"].splitlines()) - 1 <= 10


def test_the_whole_file_has_every_table() -> None:
    """But for those of the torus, which have a page of their own, and jobs of its own beside a log."""
    tables = set(re.findall(r"^\[+(\w+)\]+", FILES["whole.toml"], flags=re.MULTILINE))
    expected = "machine policy workload variant outage action note question expect"
    assert tables == set(expected.split())


def test_every_action_is_named_with_what_it_needs() -> None:
    """All the words that `do` may have."""
    about = SCENARIOS.partition("defines each `do`, to the second: ")[2].partition("\n\n")[0]
    assert {action for action in ACTIONS if f"`{action}`" in about} == set(ACTIONS)


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_links_to_is_there(page: str) -> None:
    """Pages beside it."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    for name in re.findall(r"\]\(([\w/.-]+\.\w+)", text):
        assert (ROOT / "docs" / name).exists(), name


def names_in(heading: str) -> list[str]:
    """What a table of the glossary explains, in its order."""
    table = GLOSSARY.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `?(\w+)`? \|", table, flags=re.MULTILINE)[1:]


def test_the_glossary_has_every_state() -> None:
    """The letters of the queue panel; a job that has not come yet has none."""
    assert names_in("States of a job") == [letter for letter in STATES if letter]


def test_the_glossary_has_every_kind_of_event_and_decision() -> None:
    """Events in the order of an instant, as it says."""
    assert names_in("Kinds of events") == list(EVENT_NAMES)
    assert names_in("Kinds of decisions") == list(DECISION_NAMES)


def test_the_glossary_has_every_metric(tmp_path: Path, shadowtime: Shadowtime) -> None:
    """Those that expectations may name, and of these those that `run --json` prints."""
    named = names_in("Metrics")
    assert named == list(METRICS)
    (tmp_path / "first.toml").write_text(FILES["first.toml"], encoding="utf-8")
    printed = json.loads(shadowtime("run", tmp_path / "first.toml", "--json").out)["metrics"]
    assert named[5:] == list(printed)


def test_the_glossary_has_every_policy() -> None:
    """All that come with the program, and no other."""
    assert sorted(names_in("Policies")) == sorted(entry.name for entry in ENTRIES)


def test_the_terms_of_the_glossary_are_in_order() -> None:
    """So that one finds them."""
    terms = re.findall(r"^\*\*(.+?)\*\*: ", GLOSSARY, flags=re.MULTILINE)
    assert len(terms) > 80
    assert terms == sorted(set(terms), key=str.casefold)


@pytest.mark.proof
def test_the_programs_of_the_design_print_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first proves what it says; the second prints those lines, with times of its own."""
    monkeypatch.chdir(ROOT)
    proof, measuring = re.findall(r"```python\n(.*?)```", DESIGN, flags=re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)```", DESIGN, flags=re.DOTALL)
    exec(compile(proof, "proof", "exec"), {})
    with redirect_stdout(io.StringIO()) as out:
        exec(compile(measuring, "measuring", "exec"), {})
    time = re.compile(r"[\d.]+ ms")
    assert time.sub("ms", out.getvalue()) == time.sub("ms", shown)


@pytest.mark.proof
def test_the_figures_of_the_design_are_those_of_the_code() -> None:
    """The limits of the copies, and the length of the run that is measured."""
    assert f"{LIMIT_BYTES >> 20} MB" in DESIGN
    assert f"{LIMIT_COPIES:,} copies" in DESIGN
    simulation = load(ROOT / "scenarios/fj97/four-months.toml").simulation()
    simulation.run()
    assert f"on a run of {simulation.event:,} events" in DESIGN
    for file, words in (
        ("kernels/planning/profile.pyx", "A blocked tree was slower\nat every size tried"),
        (
            "console/session/travel/moving.py",
            "asked a million times, the others take three times as long",
        ),
    ):
        assert words in (ROOT / file).read_text(encoding="utf-8"), file


@pytest.mark.parametrize("page", ["docs/design.md", "CONTRIBUTING.md"])
def test_the_files_that_a_page_names_are_there(page: str) -> None:
    """Sources, tests and folders; of one beside another the end of its path is named."""
    text = (ROOT / page).read_text(encoding="utf-8")
    named = set(
        re.findall(r"`((?:console|kernels|scenarios|tests)/[\w./-]*|[\w/]+\.(?:py|pyx|pxd)|\w+/)`", text)
    )
    assert len(named) > 15
    paths = (path for folder in OURS for path in ((ROOT / folder), *(ROOT / folder).rglob("*")))
    there = [f"/{path.relative_to(ROOT)}" for path in paths]
    assert not [
        name for name in named if not any(f"{each}/".endswith(f"/{name.rstrip('/')}/") for each in there)
    ]
