"""No source writes beside the gate: what writes to a terminal, a table or a header is in few places."""

import ast
from collections.abc import Mapping, Sequence

import pytest

from tests.commandline import ROOT

CELLS = frozenset(("console/session/files/tidy.py",))
PLACES: Mapping[str, frozenset[str]] = {
    "click.echo": frozenset(("console/commands/output.py", "console/commands/endings.py")),
    "click.secho": frozenset(),
    "print": frozenset(),
    "csv.writer": CELLS,
    "csv.DictWriter": frozenset(),
    # The dumps of others are no files of ours.
    "csv.reader": CELLS | {"scenarios/traces/sacct_layout.py"},
    "Content": frozenset(
        (
            "console/widgets/frame/panel.py",
            "console/widgets/compare/lane.py",
            "console/screens/palette/provider.py",
        )
    ),
    "Content.from_markup": frozenset(),
}
"""What makes output of texts, and the files that may call it; there the texts are printable."""
PLAIN = ("Static", "Label", "notify")
"""What takes a text as markup by default."""


Calls = Sequence[tuple[str, str, ast.Call]]


@pytest.fixture(scope="module")
def calls() -> Calls:
    """The file, the name and the call of everything that is called above the kernels."""
    return [
        (str(path.relative_to(ROOT)), ast.unparse(node.func), node)
        for room in ("console", "scenarios")
        for path in sorted((ROOT / room).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    ]


def test_texts_are_written_in_one_place(calls: Calls) -> None:
    """Tables in files are `Cells`, lines of a command `say`."""
    found = {name: {file for file, called, _ in calls if called == name} for name in PLACES}
    assert found == PLACES


def test_a_table_of_a_command_is_a_grid() -> None:
    """Nobody else imports the class of which a `Grid` is made."""
    found = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "console").rglob("*.py")
        if "rich.table" in path.read_text(encoding="utf-8")
    }
    assert found == {"console/commands/output.py"}


def test_no_widget_takes_a_text_for_markup(calls: Calls) -> None:
    for file, called, call in calls:
        if called.rpartition(".")[2] in PLAIN:
            assert any(each.arg == "markup" for each in call.keywords), (file, call.lineno)


def test_json_beyond_ascii_passes_the_gate(calls: Calls) -> None:
    """`ensure_ascii=False` leaves in the text what a terminal obeys."""
    inside = {
        id(node)
        for _, called, call in calls
        if called == "plain_json"
        for node in ast.walk(call)
    }  # fmt: skip
    for file, called, call in calls:
        if called == "json.dumps" and any(each.arg == "ensure_ascii" for each in call.keywords):
            assert id(call) in inside or file == "console/words/policies.py", (file, call.lineno)
