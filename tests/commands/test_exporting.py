"""`shadowtime train export`: GIFT that a parser of the published format reads, and statements of results."""

import json
import re
import shutil
from datetime import datetime
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import pytest

from shadowtime.console.commands.training.exporting import escaped
from shadowtime.console.session.exam.paper import Given, Paper, save
from shadowtime.console.session.training import open_course, sheet
from shadowtime.scenarios import cluster_folders
from tests.commandline import ROOT, Shadowtime

COURSE = ROOT / "scenarios" / "courses" / "backfilling"


class Imported(NamedTuple):
    """A question as an importer has it."""

    category: str
    name: str
    text: str
    answers: tuple[tuple[bool, str, str], ...]
    feedback: str


def unescaped(text: str) -> str:
    """A text without the escapes of GIFT; each mark must have been escaped."""
    assert not re.search(r"(?<!\\)(?:\\\\)*(?<!\\)[~=#{}]", text), text
    return re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text)


def parts(text: str, marks: str) -> list[str]:
    """A text split before each of these marks that is not escaped."""
    found, at = [""], 0
    while at < len(text):
        if text[at] == "\\":
            found[-1] += text[at : at + 2]
            at += 2
            continue
        if text[at] in marks:
            found.append("")
        found[-1] += text[at]
        at += 1
    return found


def imported(text: str) -> list[Imported]:
    """The multiple choice questions of a GIFT file: blank lines separate them."""
    category, found = "", []
    for block in filter(None, (it.strip() for it in text.split("\n\n"))):
        if block.startswith("$CATEGORY: "):
            category = block.removeprefix("$CATEGORY: ")
            continue
        _, name, rest = re.split(r"(?<!\\)::", block, maxsplit=2)
        stem, body = (it for it in parts(rest, "{"))
        assert stem.startswith("[html]") and body.endswith("\n}")
        choices, _, feedback = body[1:-2].partition("####")
        answers = []
        for choice in parts(choices.strip(), "=~")[1:]:
            value, *why = parts(choice.strip()[1:], "#")
            answers.append((choice[0] == "=", unescaped(value), unescaped("".join(why)[1:])))
        found.append(
            Imported(category, unescaped(name), unescaped(stem[6:]), tuple(answers), unescaped(feedback))
        )
    return found


@pytest.mark.parametrize("text", ["a~b=c#d{e}f:g\\h\ni", "\\n", "::x::{=1~2}", "####"])
def test_what_is_escaped_is_read_back(text: str) -> None:
    assert unescaped(escaped(text)) == text and "\n" not in escaped(text)
    assert parts(escaped(text), "~=#{}") == [escaped(text)]


def test_a_course_is_imported_question_by_question(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """As many as its sheet has, each with its lesson, one right choice, and what explains it."""
    path = tmp_path / "a.gift"
    ended = shadowtime("train", "export", COURSE, "--gift", path)
    assert (ended.code, ended.err) == (0, "")
    found, course = imported(path.read_text()), open_course(COURSE)
    answers = [made for _, _, made in sheet(course)]
    assert len(found) == sum(map(len, answers))
    assert [len(it.answers) for it in found] == [len(made.offered) for made in sum(answers, ())]
    for question in found:
        assert sum(right for right, _, _ in question.answers) == 1
        assert question.category.startswith(f"{course.title}/") and "<pre>" in question.text
        assert question.feedback and len({text for _, text, _ in question.answers}) == len(question.answers)
    assert any(why for question in found for _, _, why in question.answers)
    refused = shadowtime("train", "export", COURSE, "--gift", path)
    assert refused.code == 2 and "--force writes over it" in refused.err
    assert shadowtime("train", "export", COURSE, "--gift", path, "--force").code == 0


def test_no_file_of_a_course_is_written_over(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Neither its list of lessons, nor a lesson, nor a file of its captured cluster."""
    course = tmp_path / "course"
    shutil.copytree(COURSE, course)
    shutil.copytree(cluster_folders()[0], course / "cluster")
    for path in (course / "course.toml", next(course.glob("01-*.toml")), course / "cluster" / "squeue.json"):
        before = path.read_bytes()
        assert shadowtime("train", "export", course, "--gift", path, "--force").code == 2
        assert path.read_bytes() == before


def results(folder: Path) -> Path:
    """An exam of one trainee: right, wrong, skipped."""
    rows = (("right", 3, 20, "7"), ("wrong", 0, 65, '"kept"'), ("skipped", 0, 5, ""))
    answers = tuple(
        Given("01-a", place, "why", 60, 2, value, verdict, points, seconds, value)
        for place, (verdict, points, seconds, value) in enumerate(rows, 1)
    )
    save(folder / "kim.json", Paper(
        "A course", "0" * 64, 7, "kim", 600, "2026-11-26T10:00:00+00:00", 4, answers, ended=True, sign="x",
    ))  # fmt: skip
    return folder / "kim.json"


def test_results_as_statements(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """A statement an answer, and one of the exam: valid as the specification of xAPI 1.0.3 has it."""
    path = tmp_path / "a.jsonl"
    ended = shadowtime("train", "export", results(tmp_path), "--xapi", path)
    assert (ended.code, ended.err) == (0, "")
    found = [json.loads(line) for line in path.read_text().splitlines()]
    assert [it["verb"]["id"].rpartition("/")[2] for it in found] == [
        "answered",
        "answered",
        "skipped",
        "completed",
    ]
    assert [it["timestamp"] for it in found] == [
        f"2026-11-26T10:{at}+00:00" for at in ("00:20", "01:25", "01:30", "01:30")
    ]
    assert [it["result"].get("success") for it in found] == [True, False, None, None]
    assert [it["result"].get("response") for it in found[:2]] == ["7", '"kept"']
    assert found[3]["result"]["score"] == {"raw": 3, "min": 0, "max": 12, "scaled": 0.25}
    for it in found:
        assert UUID(it["id"]).version == 5 and UUID(it["context"]["registration"])
        assert it["actor"]["account"] == {"homePage": "http://localhost", "name": "kim"}
        for iri in (it["verb"]["id"], it["object"]["id"], it["object"]["definition"]["type"]):
            assert re.fullmatch(r"[a-z]+:\S+", iri)
        assert datetime.fromisoformat(it["timestamp"]).tzinfo and re.fullmatch(
            r"PT\d+S", it["result"]["duration"]
        )
    assert len({it["id"] for it in found}) == 4
    again = tmp_path / "b.jsonl"
    shadowtime("train", "export", tmp_path / "kim.json", tmp_path / "kim.json", "--xapi", again)
    assert again.read_text() == path.read_text()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("export", "a"), "export needs an option"),
        (("a", "--gift", "x"), "--gift needs names; expected export FOLDER --gift FILE"),
        (("export", "a", "b", "--gift", "x"), "--gift needs names"),
        (("new", "--from", "x"), "--from needs names; expected new FOLDER --from LOG|CAPTURE"),
        (("a", "--anonymous"), "--anonymous goes with new FOLDER"),
        (("export", "a", "--gift", "x", "--xapi", "y"), "--gift and --xapi cannot both be given"),
    ],
)
def test_what_does_not_go_together(shadowtime: Shadowtime, given: tuple[str, ...], words: str) -> None:
    ended = shadowtime("train", *given)
    assert ended.code == 2 and words in ended.err and len(ended.complaints) == 1
