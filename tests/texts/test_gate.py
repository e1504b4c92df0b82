"""The gate itself: what passes is printable, and what a program reads back is what was written."""

import csv
import io
import json
import tomllib
from unicodedata import category

import pytest

from shadowtime.console.session.files.tidy import Cells, cell, read_rows
from shadowtime.console.terminal.gate import Gate
from shadowtime.scenarios.text.gate import decoded, encoded, plain_json, printable, printable_lines
from shadowtime.scenarios.text.writing import written
from tests.texts.hostile import COUNT, LONG, flaws, texts, toml_texts

ALL = texts()
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\x1b", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def test_there_are_two_thousand() -> None:
    assert len(ALL) == COUNT == len(set(ALL))
    assert sum(bool(flaws(text)) for text in ALL) > COUNT // 2


def test_what_passes_is_printable_and_passes_again() -> None:
    """A text is one line; a text of lines keeps its line ends."""
    for text in ALL:
        shown = printable(text)
        assert not flaws(shown) and "\n" not in shown, ascii(text)
        assert printable(shown) == shown
        assert printable_lines(text).count("\n") == text.count("\n") and not flaws(printable_lines(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é 中文", "plain é 中文"),
        ("\x1b]0;x\x07", r"\x1b]0;x\x07"),
        ("\u202e\U000e0001\ud800", r"\u202e\U000e0001\ud800"),
        ("a" + "\u0301" * 5, "a" + "\u0301" * 4 + r"\u0301"),
        ("a\u0301" + "b" + "\u0301" * 6, "a\u0301" + "b" + "\u0301" * 4 + r"\u0301\u0301"),
        (r"C:\x1b", r"C:\x1b"),
    ],
)
def test_what_is_not_printable_is_an_escape(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_nobody_writes_bytes_past_the_gate_of_a_stream() -> None:
    below = io.StringIO()
    gate = Gate(below)
    assert gate.write("a\x1b\n") == 3
    gate.writelines(["b\x07\n"])
    assert below.getvalue() == "a\\x1b\nb\\x07\n"
    assert not hasattr(Gate(io.TextIOWrapper(io.BytesIO())), "buffer")


def test_what_a_program_gets_is_read_back() -> None:
    for text in ALL:
        assert decoded(encoded(text)) == text and not flaws(encoded(text))


def test_cells_are_read_back_and_no_formula_is_among_them() -> None:
    """Whether a comma or a semicolon separates: no cell but a number begins like a formula."""
    stream = io.StringIO()
    Cells(stream).rows([("name", "count"), *((text, -number) for number, text in enumerate(ALL))])
    out = stream.getvalue()
    assert not flaws(out) and out.count("\n") == len(ALL) + 1
    assert list(read_rows(out))[1:] == [[text, str(-number)] for number, text in enumerate(ALL)]
    for separator in ",;":
        for row in csv.reader(io.StringIO(out), delimiter=separator):
            for value in row:
                assert not value.startswith(FORMULA) or _is_number(value), (separator, value)


def _is_number(value: str) -> bool:
    try:
        float(value.split(",")[0].strip('"'))
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("=1+1", "'=1+1"), ("-2+3", "'-2+3"), ("-7", "-7"), ("+1e5", "+1e5"), ("007", "007"), ("'x", "''x"),
        ("a;=1", r"a\x3b=1"), ("\t=1", r"\x09=1"), ("", ""), ("kim", "kim"), ("@x", "'@x"),
        ("  =1", "'  =1"), ("\uff1dx", "'\uff1dx"), ("\uff0bx", "'\uff0bx"), ("\uff0dx", "'\uff0dx"),
        ("\uff20x", "'\uff20x"),
    ],
)  # fmt: skip
def test_a_cell(text: str, shown: str) -> None:
    assert cell(text) == shown


def test_json_is_valid_and_the_same() -> None:
    text = plain_json(json.dumps({"all": ALL}, ensure_ascii=False, indent=2))
    assert all(line.isprintable() for line in text.split("\n"))
    assert json.loads(text) == json.loads(json.dumps({"all": ALL}))


def test_toml_is_read_back() -> None:
    """A half of a pair of surrogates alone cannot be in TOML; it is shown."""
    values = {"plain": toml_texts(), "table": {text: text for text in toml_texts()}}
    text = written(values)
    assert tomllib.loads(text) == values
    assert all(line.isprintable() for line in text.split("\n"))
    assert tomllib.loads(written({"title": "a\ud800"})) == {"title": r"a\ud800"}


def test_a_long_text_passes() -> None:
    for character in "a\x1b\u0301\n":
        long = character * (LONG // 10)
        assert not flaws(printable(long)) and decoded(encoded(long)) == long


def test_every_combining_character_is_looked_for() -> None:
    """The blocks are those of the Unicode data at hand."""
    marks = [chr(code) for code in range(0x110000) if category(chr(code)) in ("Mn", "Me")]
    assert len(marks) > 1_500
    assert all(flaws(mark * 6) and not flaws(printable(mark * 6)) for mark in marks)
