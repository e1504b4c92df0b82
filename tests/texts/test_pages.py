"""Hostile files on the full screen: what is drawn, copied, recorded and written of it is text."""

import asyncio
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from rich.segment import Segment
from textual.screen import Screen

from shadowtime.console.app import Shadowtime
from shadowtime.console.lecture.screen import LectureScreen
from shadowtime.console.screens.composed.copies import rows_of, screenshot
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.browser import Browser
from shadowtime.console.screens.slurm.screen import ClusterScreen
from shadowtime.console.screens.training.kinds import drill_screen, exam_screen
from shadowtime.console.screens.training.menu import Training
from shadowtime.console.screens.training.shift import ShiftScreen
from shadowtime.console.session import load, open_session
from shadowtime.console.session.curriculum.lecture import Lecture
from shadowtime.console.session.exam.sitting import Sitting
from shadowtime.console.session.files.state import Recent
from shadowtime.console.session.shift import open_shift, references_of
from shadowtime.console.session.slurm import zone_of
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.training import lessons_of, open_lesson, read_course
from shadowtime.console.widgets.frame.gate import Printable
from shadowtime.console.widgets.slurm.dates import Dates
from tests.amount import many
from tests.commandline import ROOT
from tests.console.operator import Operator
from tests.pictures.__main__ import take
from tests.texts.files import cluster_folder, course_folder, poisoned, put, scenario_file
from tests.texts.hostile import LONG, Supply, file_names, flaws, texts, toml_texts

First = Callable[[Path, Supply], "Screen[Any]"]


def _console(folder: Path, supply: Supply) -> "Screen[Any]":
    return ConsoleScreen(open_session(load(scenario_file(folder / "story.toml", supply, 40))), "10m")


def _browser(folder: Path, supply: Supply) -> "Screen[Any]":
    return Browser()


def _menu(folder: Path, supply: Supply) -> "Screen[Any]":
    return Training(read_course(course_folder(folder / "course", supply)))


def _drill(folder: Path, supply: Supply) -> "Screen[Any]":
    lesson = lessons_of(read_course(course_folder(folder / "course", supply)))[0]
    return drill_screen(open_lesson(lesson, seed=3))


def _exam(folder: Path, supply: Supply) -> "Screen[Any]":
    course = read_course(course_folder(folder / "course", supply))
    return exam_screen(Sitting(course, 4, 1200, supply(), folder / "kim.json"))


def _lecture(folder: Path, supply: Supply) -> "Screen[Any]":
    return LectureScreen(Lecture(read_course(course_folder(folder / "course", supply)), 3))


def _shift(folder: Path, supply: Supply) -> "Screen[Any]":
    values = tomllib.loads((ROOT / "scenarios/shifts/flapping-node.toml").read_text())
    path = put(folder / "shift.toml", poisoned(values, supply))
    session, attempts, resumed = open_shift(path, supply())
    return ShiftScreen(session, references_of(session), attempts, resumed)


def _cluster(folder: Path, supply: Supply) -> "Screen[Any]":
    source = Folder(cluster_folder(folder / "cluster", supply), zone_of("UTC"))
    return ClusterScreen(source, board(source.take()), Dates(zone_of("UTC")))


TOURS: dict[str, tuple[First, tuple[str, ...]]] = {
    "console": (_console, (
        "1 v v", "2 + +", "s s", "3 + +", "_ _ 4 Enter", "Esc 5 + +", "Esc _ _ 2 Enter", "Esc e", "Esc",
        ":node 17",
        "Esc", ":view users", "Esc", ":policy", "Esc Ctrl+P", "Esc", ":hold 10", ":impact hold 11", "Esc",
        ":advise",
        "Esc", ":compare fcfs easy", "m", "l", "Esc Esc", "2 y", "a", "Esc", ":queue >", "/user~t", "Esc 9",
    )),
    "browser": (_browser, ("j j", "Ctrl+P", "Esc", "/hostile", "Esc ?")),
    "menu": (_menu, ("j", "Enter", "j j j j")),
    "drill": (_drill, ("Enter", "h", "a", "t b", "n", "?")),
    "exam": (_exam, ("Enter", "b Enter", "a Enter")),
    "lecture": (_lecture, ("Space", "Space", "1 2 a 7 b", "Space", "Space")),
    "shift": (_shift, ("Enter", "n n i", "a", "Esc t", "End")),
    "cluster": (_cluster, (
        "s", "1 Enter", "Esc 7", "2 Enter", "Esc N N", "4", "6 Enter", "Esc", ":users", "Esc",
        ":impact hold 2",
        "Esc", ":advise", "Esc 1 1", "v v v v", "2 b", "B", "Esc Ctrl+P", "Esc", "/user~t",
    )),
}  # fmt: skip
"""A first screen, and the keys that lead over its pages."""
FIRST = 5
"""Steps of a tour that the short tests take."""
SIZE = (120, 36)


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal with all colours, folders of the test's own, and an operator with a hostile name."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("SHADOWTIME_OPERATOR", "\x1b]0;x\x07[red]\u202e\udc80")


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that only the last gate held up: a panel had not made them printable."""
    found = list[str]()
    usual = Printable.apply

    def apply(self: Printable, segments: list[Segment], background: Any) -> list[Segment]:
        kept = usual(self, segments, background)
        if kept is not segments:
            found.append(ascii("".join(segment.text for segment in segments).strip()))
        return kept

    monkeypatch.setattr(Printable, "apply", apply)
    return found


def look(app: Shadowtime, step: str) -> None:
    """What is on the screen is text, and its picture is XML."""
    for row in rows_of(app):
        assert not flaws("".join(segment.text for segment in row)), step
    drawn = screenshot(app, texts(1, sum(map(ord, step)))[0])
    assert not flaws(drawn), step
    ElementTree.fromstring(drawn)


@pytest.mark.parametrize("name", TOURS)
def test_the_first_pages(name: str, tmp_path: Path, late: list[str]) -> None:
    """The first pages of each screen, with the names of files that were opened last."""
    tour(name, 0, FIRST, tmp_path)
    assert not late


@pytest.mark.proof
@pytest.mark.parametrize("group", range(min(20, many(60))))
@pytest.mark.parametrize("name", TOURS)
def test_every_page(name: str, group: int, tmp_path: Path, late: list[str]) -> None:
    tour(name, group, None, tmp_path)
    # The line of commands completes a name as it is: it is what has to be typed.
    assert not [text for text in late if not text.startswith(("'compare ", '"compare '))]


def tour(name: str, group: int, most: int | None, tmp_path: Path) -> None:
    """Look at every page of a tour, or at those of its first steps."""
    first, steps = TOURS[name]
    recent = Recent(tmp_path / "recent")
    for number, each in enumerate(file_names(3, group)):
        path = tmp_path / f"{each}{number}.toml"
        path.write_text("")
        recent.add(path)
    supply = Supply((texts() if name == "cluster" else toml_texts())[group * 90 :])

    async def play() -> None:
        app = Shadowtime(first(tmp_path, supply), recent=recent)
        async with app.run_test(size=SIZE) as pilot:
            operator = Operator(app, pilot)
            await operator.rest()
            look(app, "begin")
            for step in steps[:most]:
                await take(operator, step)
                look(app, step)
                assert not flaws(app.clipboard)

    asyncio.run(play())


@pytest.mark.proof
@pytest.mark.parametrize("letter", ["ab", "\x1b", "a\u0301", "ab "])
def test_a_page_with_long_texts(letter: str, tmp_path: Path, late: list[str]) -> None:
    """Title, story, users and names of a quarter of a megabyte; the pages are drawn, and keys are obeyed."""
    long = letter * (LONG // 4 // len(letter))
    values = tomllib.loads((ROOT / "scenarios/fj97/dilemma.toml").read_text())
    for job in values["job"]:
        job |= {"user": long, "name": long, "queue": long}
    path = put(tmp_path / "long.toml", poisoned(values, Supply([long])) | {"job": values["job"]})

    async def play() -> None:
        app = Shadowtime(ConsoleScreen(open_session(load(path)), "10m"))
        async with app.run_test(size=SIZE) as pilot:
            operator = Operator(app, pilot)
            await operator.rest()
            for step in (
                "1 v",
                "2 + +",
                "3",
                "4 Enter",
                "Esc 2 Enter",
                "Esc e",
                "Esc",
                ":view users",
                "Esc",
                "n p",
            ):
                await take(operator, step)
                look(app, step)

    asyncio.run(play())
    assert not late
