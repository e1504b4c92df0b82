"""Hostile files through every command that prints their texts: no terminal gets one as it is."""

import io
import json
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

import pytest

from tests.amount import SHARE, every
from tests.commandline import Ended, Shadowtime
from tests.texts.files import (
    cluster_folder,
    course_folder,
    experiment_file,
    log_file,
    put,
    scenario_file,
)
from tests.texts.hostile import LONG, Supply, file_names, flaws, texts, toml_texts

TINY = {
    "machine": {"nodes": 4},
    "policy": {"name": "fcfs"},
    "job": [{"id": number, "size": 3, "submit": number, "runtime": 60} for number in (1, 2, 3)],
}
GROUPS = 100
by_group = pytest.mark.parametrize("group", every(GROUPS, range(0, GROUPS, 1 if SHARE >= 1 else 3)))
"""A third of the texts; all where all random cases are asked for."""


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Folders of data and settings of the test's own."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    yield


def judge(ended: Ended, *what: object) -> Ended:
    """A command ended as commands end, and wrote texts alone."""
    assert ended.code in (0, 1, 2, 3), (what, ended)
    assert not flaws(ended.out) and not flaws(ended.err), (what, flaws(ended.out), flaws(ended.err))
    assert "Traceback" not in ended.err and "internal error" not in ended.err, (what, ended)
    return ended


def group_of(some: list[str], group: int) -> list[str]:
    """A part of the texts: every so many."""
    return list(islice(some, group, None, GROUPS))


@by_group
def test_every_text_as_a_title_and_as_names(group: int, shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Titles, users, variants; JSON is valid and has the title as it was."""
    for number, text in enumerate(group_of(toml_texts(), group)):
        jobs = [{**job, "user": text, "queue": text} for job in TINY["job"]]  # type: ignore[attr-defined]
        variants = [{"name": f"{text}{place}", "policy": {"name": "easy"}} for place in (1, 2)]
        path = put(tmp_path / f"{number}.toml", {**TINY, "title": text, "job": jobs, "variant": variants})
        judge(shadowtime("run", path), text)
        found = judge(shadowtime("compare", path, "--json"), text)
        assert json.loads(found.out)["scenario"] == text
        assert [lane["name"] for lane in json.loads(found.out)["policies"]][1:] == [
            variant["name"] for variant in variants
        ]
        judge(shadowtime("compare", path), text)
        judge(shadowtime("impact", path, "--at", "#2", "--do", text), text)
        judge(shadowtime("run", path, "--variant", text + "3"), text)


@by_group
def test_every_text_on_the_command_line(group: int, shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Commands, options, values and names of files that are not there."""
    tiny = put(tmp_path / "tiny.toml", TINY)
    for text in group_of(texts(), group):
        if "\0" in text:
            continue
        for arguments in (
            (text,), ("run", tmp_path / "no", text), ("run", text), ("run", tiny, f"--{text}"),
            ("run", tiny, "--until", text), ("compare", tiny, "--policy", text), ("policies", text),
            ("run", tiny, "--policy", f"easy:{text}=1"), ("train", text), ("open", tiny, "--at", text,
            "--text"),
            ("reproduce", text), ("generate", text), ("impact", tiny, "--at", text, "--do", text),
            ("fetch", text),
            ("forecast", text), ("check", text), ("advise", tiny, text), ("--theme", text, "keys"),
            ("import", text, "-o", tmp_path / "x.swf"),
        ):  # fmt: skip
            if arguments != ("fetch", text) or text:
                judge(shadowtime(*arguments), arguments)


SCENARIO: tuple[tuple[str, ...], ...] = (
    ("run",), ("run", "--json"), ("run", "--json", "--jobs"), ("compare",), ("compare", "--json"),
    ("compare", "--starts", "9"), ("check",), ("open", "--text"), ("impact", "--at", "10m", "--do",
    "hold 10"),
    ("impact", "--at", "10m", "--do", "hold 10", "--json"), ("advise", "--at", "10m", "10"),
    ("advise", "--at", "10m", "10", "--json"),
)  # fmt: skip


@pytest.mark.parametrize("group", every(6, range(6)))
def test_a_scenario(group: int, shadowtime: Shadowtime, tmp_path: Path) -> None:
    """A story in which each text is another one, through each command."""
    path = scenario_file(tmp_path / "story.toml", Supply(toml_texts()[group * 330 :]), 60)
    for name, *others in SCENARIO:
        ended = judge(shadowtime(name, path, *others), name, *others)
        assert ended.code in (0, 1) and (not ended.err)
        if "--json" in others:
            json.loads(ended.out)


@pytest.mark.parametrize("group", every(10, range(10)))
def test_a_course(
    group: int, shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list, the answer sheet and the lines of a course; the progress as CSV."""
    supply = Supply(toml_texts()[group * 190 :])
    monkeypatch.setenv("SHADOWTIME_OPERATOR", file_names(10)[group])
    folder = course_folder(tmp_path / "XDG_DATA_HOME" / "shadowtime" / "courses" / "own", supply)
    for arguments in (
        ("train",), ("train", folder, "--answers"), ("train", folder, "--text"), ("check", folder),
        ("train", "--csv"), ("train", "--review"),
    ):  # fmt: skip
        monkeypatch.setattr("sys.stdin", io.StringIO("hint\na\nskip\nshow\nskip\nb\n" * 9))
        assert judge(shadowtime(*arguments), arguments).code in (0, 1), arguments


@pytest.mark.parametrize("group", every(40, range(40)))
def test_an_experiment(group: int, shadowtime: Shadowtime, tmp_path: Path) -> None:
    """The list, the verdicts, the report; its page and its tables."""
    path = experiment_file(tmp_path / "own.toml", Supply(toml_texts()[group * 50 :]))
    report = tmp_path / "report"
    judge(shadowtime("reproduce", path, "--list"))
    ended = judge(shadowtime("reproduce", path, "--report", report, "--results", tmp_path / "cells"))
    assert ended.code in (0, 1), ended
    json.loads(judge(shadowtime("reproduce", path, "--json", "--results", tmp_path / "cells")).out)
    pages = sorted(report.iterdir())
    assert [page.name for page in pages] == ["own.csv", "report.html", "rows.csv"]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        # Marks are text in a table, and none in a page.
        marked = page.suffix == ".html" and ("<script" in text or "<!--" in text)
        assert not flaws(text) and not marked, page


@pytest.mark.parametrize("group", every(20, range(20)))
def test_a_log(group: int, shadowtime: Shadowtime, tmp_path: Path) -> None:
    path = log_file(tmp_path / "log.swf", Supply(texts()[group * 100 :]))
    for name, *others in SCENARIO[:4]:
        assert judge(shadowtime(name, path, *others), name).code == 0


@pytest.mark.parametrize("group", every(40, range(40)))
def test_a_cluster(group: int, shadowtime: Shadowtime, tmp_path: Path) -> None:
    """A captured folder: the plan, lines, its plan as CSV read back, the ledger."""
    folder = cluster_folder(tmp_path / "cluster", Supply(texts()[group * 50 :]))
    plan = folder / "plan.csv"
    for arguments in (
        ("forecast", folder), ("forecast", folder, "--json"), ("forecast", folder, "--expected"),
        ("forecast", folder, "--csv", plan), ("check", folder), ("run", folder), ("open", folder, "--text"),
        ("ledger", folder, "--file", tmp_path / "l", "--csv", tmp_path / "l.csv"),
        ("users", folder), ("users", folder, "--json"), ("shorter", folder),
        ("ledger", "--file", tmp_path / "l", "--json"), ("impact", folder, "--at", "#1", "--do", "hold 2"),
        ("advise", folder, "--at", "#1", "2"), ("compare", folder),
    ):  # fmt: skip
        ended = judge(shadowtime(*arguments), arguments)
        assert ended.code == 0, (arguments, ended)
    for written in (plan, tmp_path / "l.csv"):
        assert not flaws(written.read_text(encoding="utf-8"))


@by_group
def test_names_of_files(group: int, shadowtime: Shadowtime, tmp_path: Path) -> None:
    """A name is not always a text; exports have it in their cells and headers."""
    for name in group_of(file_names(800), group):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        path = put(folder / f"{name}.toml", TINY)
        outs = [folder / f"{name}.{kind}" for kind in ("csv", "jsonl", "swf", "batsim")]
        options = ("--schedule", "--events", "--swf", "--batsim")
        pairs = [it for pair in zip(options, outs, strict=True) for it in pair]
        assert judge(shadowtime("run", path, *pairs), name).code == 0
        for out in outs:
            assert not flaws(out.read_text(encoding="utf-8")), (name, out)
        json.loads(judge(shadowtime("run", path, "--json"), name).out)
        judge(shadowtime("run", outs[2]), name)
        judge(shadowtime("check", path, folder / "no.toml"), name)
        judge(shadowtime("generate", "lublin99", "--jobs", "3", "-o", folder / f"{name}g.swf"), name)


VARIABLES = (
    "SHADOWTIME_TRACES", "SHADOWTIME_OPERATOR", "SHADOWTIME_ARCHIVE", "USER", "LOGNAME", "EDITOR", "TERM",
    "COLUMNS",
    "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
)  # fmt: skip


@by_group
def test_the_environment(
    group: int, shadowtime: Shadowtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every variable that is read has a hostile value."""
    tiny = put(tmp_path / "tiny.toml", TINY)
    for name in group_of(file_names(300), group):
        for variable in VARIABLES:
            monkeypatch.setenv(variable, str(tmp_path / name) if "XDG" in variable else name)
        for arguments in (
            ("run", tiny), ("run", "no.swf"), ("train",), ("train", "--csv"), ("keys",), ("ledger",),
            ("fetch", "x"),
        ):  # fmt: skip
            judge(shadowtime(*arguments), name, arguments)


LONGEST: Mapping[str, str] = {
    "word": "a",
    "words": "ab ",
    "escapes": "\x1b",
    "marks": "\u0301",
    "lines": "a\n",
}


@pytest.mark.parametrize("name", every(5, LONGEST))
def test_a_text_of_a_megabyte(name: str, shadowtime: Shadowtime, tmp_path: Path) -> None:
    text = LONGEST[name] * (LONG // len(LONGEST[name]))
    variant = [{"name": text, "policy": {"name": "easy"}}]
    path = put(tmp_path / "long.toml", {**TINY, "title": text, "about": text, "variant": variant})
    for others in (("run",), ("run", "--json"), ("compare",), ("open", "--text")):
        assert judge(shadowtime(others[0], path, *others[1:]), name).code == 0
