"""Ways out of the console: `:export` and `:copy`, completed while they are typed, reported in one line."""

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest

from shadowtime.console.screens.console.completion import Completion, files, nothing, one_of, then_file
from shadowtime.console.screens.console.exports import KINDS
from shadowtime.console.session import load
from shadowtime.console.session.files.exports import Export
from shadowtime.console.widgets.frame.prompt import Prompt
from tests.console.operator import STORIES, Operator, case, operate


async def command(operator: Operator, line: str) -> None:
    """Type a command and wait until it has been carried out."""
    await operator.press("colon")
    await operator.type(line)
    await operator.until(lambda: not operator.console.exports.writing.busy)
    await operator.rest()


@pytest.mark.proof
def test_every_way_out_writes_its_file(tmp_path: Path) -> None:
    """The picture of the screen, and the files that the command line writes."""

    async def story(operator: Operator) -> None:
        for kind in KINDS:
            path = tmp_path / f"out.{kind}"
            none = ": no job is over yet" if kind == "batsim" else ""
            await command(operator, f"export {kind} {path}")
            assert operator.message == f"wrote {path}{none}"
            assert path.stat().st_size > 0
            path.write_text("mine")
            await command(operator, f"export {kind} {path}")
            wording = operator.console.query_one(Prompt).message
            assert wording == f"{path} is there already; export {kind}! writes over it"
            assert path.read_text() == "mine"
            await command(operator, f"export {kind}! {path}")
            assert operator.message == f"wrote {path}{none}" and path.read_text() != "mine"
        assert len((tmp_path / "out.events").read_text().splitlines()) == 6
        assert "104" not in (tmp_path / "out.batsim").read_text()

    operate(story, at="#6")


@pytest.mark.proof
def test_a_file_without_jobs_is_told(tmp_path: Path) -> None:
    """Batsim's has those that are over only."""

    async def story(operator: Operator) -> None:
        path = tmp_path / "out.csv"
        await command(operator, f"export batsim {path}")
        assert operator.message == f"wrote {path}: no job is over yet"
        assert len(path.read_text().splitlines()) == 1
        await operator.press("end")
        await command(operator, f"export batsim! {path}")
        assert operator.message == f"wrote {path}"

    operate(story, at="#3")


@pytest.mark.proof
def test_the_picture_links_nothing_from_elsewhere(tmp_path: Path) -> None:
    """No font of another host; the line that was typed is not in it."""

    async def story(operator: Operator) -> None:
        await command(operator, f"export svg {tmp_path / 'out.svg'}")
        svg = (tmp_path / "out.svg").read_text(encoding="utf-8")
        assert svg.startswith("<svg") and svg.rstrip().endswith("</svg>")
        links = set(re.findall(r"https?://[^\s\"<]+", svg))
        assert "@font-face" not in svg and links == {"http://www.w3.org/2000/svg"}
        assert ">NODE</text>" in svg and ">MAP</text>" in svg and "export" not in svg

    operate(story)


@pytest.mark.proof
def test_what_cannot_be_written_is_told_in_one_line(tmp_path: Path) -> None:
    """No kind, no such kind, no name, no folder, an archive: nothing is written."""

    async def story(operator: Operator) -> None:
        nowhere = tmp_path / "nowhere" / "out"
        for line, message in (
            ("export", "export what? expected one of svg, queue, events, schedule, swf, batsim"),
            (
                "export png x",
                "'png' is no way out; expected one of svg, queue, events, schedule, swf, batsim",
            ),
            ("export swf", "to which file? expected export swf PATH"),
            (f"export swf {nowhere}", f"{nowhere}: no such file or directory"),
            (f"export svg {nowhere}", f"{nowhere}: no such file or directory"),
            (f"export swf {tmp_path}/x.gz", f"{tmp_path}/x.gz would be an archive; expected a plain log"),
        ):
            await command(operator, line)
            assert operator.console.query_one(Prompt).message.startswith(message)
        assert not list(tmp_path.iterdir())

    operate(story)


@pytest.mark.proof
def test_escape_stops_an_export(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was there stays; a second export meanwhile is refused; the console can be used all the time."""
    path = tmp_path / "out.swf"
    path.write_text("mine\n")

    def run(export: Export, progress: Callable[[int, int], None]) -> None:
        # As long as the operator likes.
        while True:
            progress(1, 4)
            sleep(0.01)

    monkeypatch.setattr(Export, "run", run)

    async def story(operator: Operator) -> None:
        await operator.press("colon")
        operator.console.query_one("Prompt Input").value = f"export swf! {path}"  # type: ignore[attr-defined]
        await operator.press_only("enter")
        await operator.until(lambda: "25 % ...  Esc stops it" in operator.message)
        await operator.press_only("n")
        await operator.until(lambda: "event 1/" in operator.title)
        operator.console.command(f"export swf! {path}")
        assert "is being written; Esc stops that" in operator.console.query_one("Prompt").message  # type: ignore[attr-defined]
        await operator.press("escape")
        await operator.until(lambda: not operator.console.exports.writing.busy)
        assert operator.message == f"stopped: {path} is as it was"
        assert path.read_text() == "mine\n"

    operate(story)


@pytest.mark.parametrize(("letter", "written"), [("l", []), ("w", ["file"])])
def test_who_leaves_while_a_file_is_written_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, letter: str, written: list[str]
) -> None:
    """Leave without it, and there is no part of it; or as soon as it is written."""
    ready: list[str] = []

    def run(export: Export, progress: Callable[[int, int], None]) -> None:
        while not ready:
            progress(1, 4)
            sleep(0.01)
        export.path.write_text("whole")

    monkeypatch.setattr(Export, "run", run)

    async def story(operator: Operator) -> None:
        operator.console.command(f"export swf {tmp_path / 'file'}")
        for answer in ("n", letter):
            await operator.press_only("q")
            await operator.until(lambda: "A FILE IS BEING WRITTEN" in operator.text)
            assert operator.console.exports.writing.busy
            await operator.press_only(answer)
        ready.extend(written)
        await operator.until(lambda: not operator.app.is_running)

    operate(story)
    assert [each.name for each in tmp_path.iterdir()] == written


@pytest.mark.parametrize(("fault", "left"), [("", True), ("disk is full", False)])
def test_who_waits_for_a_file_leaves_with_it_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str, left: bool
) -> None:
    """Whatever page is open by then; who asks to leave once it failed stays, and reads why."""
    ready: list[str] = []

    def run(export: Export, progress: Callable[[int, int], None]) -> None:
        while not ready:
            progress(1, 4)
            sleep(0.01)
        if fault:
            raise OSError(28, fault)

    monkeypatch.setattr(Export, "run", run)

    async def story(operator: Operator) -> None:
        operator.console.command(f"export swf {tmp_path / 'file'}")
        await operator.press_only("q")
        await operator.until(lambda: "A FILE IS BEING WRITTEN" in operator.text)
        if left:
            await operator.press_only("w", "question_mark")
        ready.append("now")
        await operator.until(lambda: not (operator.app.is_running and operator.console.exports.writing.busy))
        if not left:
            await operator.press_only("w")
            await operator.rest()
            assert fault in operator.message and operator.app.is_running
        else:
            await operator.until(lambda: not operator.app.is_running)

    operate(story)


@pytest.mark.proof
def test_what_is_read_can_be_copied(tmp_path: Path) -> None:
    """Panel, reason, row and whole event: to the clipboard, and to a file where one is named."""

    async def story(operator: Operator) -> None:
        for what, begins in (
            ("panel", "[2] QUEUE  2 waiting, 1 running"),
            ("reason", "Job 2 waits"),
            ("row", "b 2 grace"),
            ("event", "Event"),
        ):
            path = tmp_path / what
            await command(operator, f"copy {what} {path}")
            assert operator.message == f"wrote {path}"
            assert operator.app.clipboard + "\n" == path.read_text()
            await command(operator, f"copy {what} {path}")
            assert operator.message == f"{path} is there already; expected another name"
            assert len(operator.app.clipboard.splitlines()) >= 1
            assert operator.app.clipboard.lower().startswith(begins.lower()), operator.app.clipboard
        await operator.press("1")
        await command(operator, "copy panel")
        assert (
            operator.app.clipboard.startswith("[1] NODE MAP") and len(operator.app.clipboard.splitlines()) > 3
        )

    operate(story, case("dilemma.toml", "fcfs"), at="#6")


@pytest.mark.proof
def test_y_in_capitals_asks_what_to_copy() -> None:
    """The line begins as it has to go on, and is completed."""

    async def story(operator: Operator) -> None:
        await operator.press("Y")
        await operator.press(*"pan")
        await operator.until(lambda: "copy panel" in operator.message)
        await operator.press("right", "enter")
        assert operator.message.startswith("copied the panel: [2] QUEUE")
        for line, message in (
            ("copy", "copy what? expected one of panel, reason, row, event, and a file if it is to be kept"),
            ("copy all", "'all' cannot be copied; expected one of panel"),
        ):
            await command(operator, line)
            assert operator.message.startswith(message)

    operate(story)


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("exp", "export"),
        ("export s", "export svg "),
        ("export sw", "export swf "),
        ("sort wa", "sort wait"),
        ("sort x", None),
        ("job 1", None),
        ("nonsense x", None),
    ],
)
def test_lines_are_completed(typed: str, whole: str | None) -> None:
    """The command, and what it is about."""
    table = {"export": then_file("svg", "swf"), "sort": one_of("wait"), "job": nothing}
    assert asyncio.run(Completion(table).get_suggestion(typed)) == whole


def test_names_of_files_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files and folders, here, elsewhere and at home; hidden ones only where the dot is typed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "runs").mkdir()
    for name in ("run.swf", "runs/a.csv", ".hidden"):
        (tmp_path / name).touch()
    assert files("ru") == ["run.swf", "runs/"]
    assert files("runs/") == ["runs/a.csv"]
    assert files("~/ru") == ["~/run.swf", "~/runs/"]
    assert files(f"{tmp_path}/run.") == [f"{tmp_path}/run.swf"]
    assert files("") == ["run.swf", "runs/"] and files(".h") == [".hidden"]
    assert files("nowhere/x") == []
    assert list(then_file("swf")("swf run.")) == ["swf run.swf"]


@pytest.mark.proof
def test_what_is_simulated_is_never_written_over(tmp_path: Path) -> None:
    """Neither the scenario's file, under whatever name, nor its log, not even with an exclamation mark."""
    log = tmp_path / "busy.swf"
    log.write_bytes((STORIES / "busy.swf").read_bytes())
    path = tmp_path / "mine.toml"
    path.write_text('[machine]\nnodes = 512\n[policy]\nname = "easy"\n[workload]\nlog = "busy.swf"\n')
    (tmp_path / "other").symlink_to(path)

    async def story(operator: Operator) -> None:
        for target in (log, path, tmp_path / "other"):
            before = target.read_bytes()
            for kind in KINDS:
                await command(operator, f"export {kind}! {target}")
                wording = operator.console.query_one(Prompt).message
                assert wording == f"{target} is what is simulated; expected another file to write to"
            assert target.read_bytes() == before

    operate(story, of=load(path))
