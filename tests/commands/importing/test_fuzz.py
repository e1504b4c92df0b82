"""Whatever becomes of a dump on its way, an import gives a log whose counts add up, or one line."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.importing import import_sacct
from shadowtime.scenarios import ScenarioError
from tests.commandline import process
from tests.commands.importing.sacct_dump import HEADER, Maker
from tests.conftest import EXAMPLES

TEXT = "\n".join([HEADER, *(row.line for row in Maker(7).oddities())]) + "\n"
PIECES = [
    "", "|", "||", "\n", "\r", "\r\n", '"', '"x\n', ",", "\t", "\0", "\ufeff", "é", "Unknown", "-1", "0",
    "nan", ".0", "+0200", "Z", "9" * 20, "9" * 400 + "K", "2026-10-25T02:30:00", "05 Jan 09:00", "1772438400",
    "9999-12-31T23:59:59",
    "0001-01-01T00:00:00", "1-", "1-12:00", "UNLIMITED", "WEIRD", "CANCELLED by 5", HEADER, HEADER[::-1],
    ".batch",
    "_[1-9]", "+1", " ", "JobID", "Cluster|", "State", "x" * 300,
]  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """The dump after a few changes: pieces put in, cut out, doubled; rows that swap; another encoding."""
    text = TEXT
    if draw(st.booleans()):
        rows = text.splitlines(keepends=True)
        text = "".join([rows[0], *draw(st.lists(st.sampled_from(rows), max_size=6))])
    for _ in range(draw(st.integers(0, 5))):
        begin = draw(st.integers(0, len(text)))
        end = min(len(text), begin + draw(st.sampled_from([0, 0, 1, 2, 8, 19, 60, 400])))
        text = text[:begin] + draw(st.sampled_from([*PIECES, text[begin:end] * 2])) + text[end:]
    text = text.replace("|", draw(st.sampled_from(["|", "|", "|", ",", ";", "\t", '","'])))
    return text.encode(
        draw(st.sampled_from(["utf-8", "utf-8", "utf-16", "utf-16-le", "utf-8-sig"])), "replace"
    )


def imported(folder: Path, content: bytes) -> None:
    """Import a dump; what is refused is a line that a terminal can show."""
    dump, log = folder / "dump.txt", folder / "out.swf"
    dump.write_bytes(content)
    try:
        account = import_sacct(dump, log, zone="Europe/Berlin", force=True)
    except (ScenarioError, SessionError) as error:
        assert str(error) and str(error).isprintable() and len(str(error)) < 2000
        return
    rows = [line for line in log.read_text().splitlines() if line[0] != ";"]
    assert account.rows == account.facts.runs + sum(account.dropped.values())
    assert account.facts.runs == len(rows) and all(len(line.split()) == 18 for line in rows)
    assert account.dropped.keys() == account.lines.keys()
    assert all(line > 1 for line in account.lines.values())
    submissions = [int(line.split()[1]) for line in rows]
    assert submissions == sorted(submissions) and submissions[0] == 0
    assert all(int(line.split()[3]) > 0 and int(line.split()[4]) > 0 for line in rows)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("fuzz")


@given(mutated())
def test_mutated_dumps(place: Path, content: bytes) -> None:
    """A few of them."""
    imported(place, content)


@pytest.mark.proof
@settings(max_examples=max(2000, EXAMPLES))
@given(mutated())
def test_two_thousand_mutated_dumps(place: Path, content: bytes) -> None:
    """Many of them."""
    imported(place, content)


@given(st.binary(max_size=300))
def test_any_bytes(place: Path, content: bytes) -> None:
    """Behind a header, and alone."""
    imported(place, content)
    imported(place, (HEADER + "\n").encode() + content)


def test_an_account_in_lines_and_as_json(tmp_path: Path) -> None:
    """Both have every count."""
    dump = tmp_path / "dump.txt"
    dump.write_text(TEXT)
    arguments = ("import", "sacct", dump, "-o", tmp_path / "out.swf", "--force")
    account, printed = json.loads(process(*arguments, "--json").out), process(*arguments).out
    for reason, count in account["dropped"].items():
        words = next(line for line in printed.splitlines() if f"left out: {reason} " in line).split()
        assert (int(words[0]), int(words[-1])) == (count, account["lines"][reason])
