"""The table of pages: what is opened first, and the keys that lead from page to page."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import attrs
from textual.screen import Screen

from shadowtime.console.lecture.screen import LectureScreen
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.screens.pages.browser import Browser
from shadowtime.console.screens.slurm.screen import ClusterScreen
from shadowtime.console.screens.training.kinds import drill_screen, exam_screen
from shadowtime.console.screens.training.menu import Training
from shadowtime.console.screens.training.shift import ShiftScreen
from shadowtime.console.screens.training.tour import Tour as Introduction
from shadowtime.console.session import load, open_session
from shadowtime.console.session.curriculum.lecture import Lecture
from shadowtime.console.session.exam.sitting import Sitting
from shadowtime.console.session.operator.recovery import Recovery
from shadowtime.console.session.shift import open_shift, references_of
from shadowtime.console.session.slurm import zone_of
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.training import Course, lessons_of, open_lesson, read_course
from shadowtime.console.widgets.slurm.dates import Dates

ROOT = Path(__file__).parents[2] / "scenarios"
First = Callable[[Path], "Screen[Any]"]
"""Makes a first screen; what it writes goes into a folder."""


@attrs.frozen
class Tour:
    """A first screen, and by the name of each page what leads to it from the page before.

    Keys are written as the operator reads them, with blanks between. A line that begins with `:`, `/` or
    `g` and goes on is typed behind that key, and Enter is pressed.
    """

    first: First
    pages: Mapping[str, tuple[str, ...]]


def _console(name: str, at: str, policy: str | None = None) -> First:
    return lambda _: ConsoleScreen(open_session(load(ROOT / name, policy=policy)), at)


def _recovery(_: Path) -> "Screen[Any]":
    """A console whose last session was not left in order."""
    case = load(ROOT / "fj97/dilemma.toml")
    session = open_session(case)
    session.go("#6")
    session.act("hold 2")
    recovery = Recovery(session.operator, session.case)
    recovery.write()
    recovery._let_go()
    return ConsoleScreen(open_session(case))


def _cluster(_: Path) -> "Screen[Any]":
    source = Folder(ROOT / "clusters" / "two-tiers", zone_of("UTC"))
    return ClusterScreen(source, board(source.take()), Dates(zone_of("UTC")))


def _course(name: str) -> Course:
    return read_course(ROOT / "courses" / name)


def _drill(course: str, lesson: int, folder: Path) -> "Screen[Any]":
    return drill_screen(open_lesson(lessons_of(_course(course))[lesson], seed=3))


def _review(_: Path) -> "Screen[Any]":
    drill = open_lesson(lessons_of(_course("easy"))[0], seed=3)
    drill.begin(1, stop=2)
    return drill_screen(drill, review="The wide job")


def _exam(course: str, folder: Path) -> "Screen[Any]":
    return exam_screen(Sitting(_course(course), 4, 1200, "kim", folder / "kim.json"))


def _shift(name: str, _: Path) -> "Screen[Any]":
    session, attempts, resumed = open_shift(ROOT / "shifts" / name, "kim")
    return ShiftScreen(session, references_of(session), attempts, resumed)


def _introduction(_: Path) -> "Screen[Any]":
    return Introduction(open_session(load(ROOT / "small/tour.toml")))


TOURS: Mapping[str, Tour] = {
    "flat": Tour(
        _console("generated/twelve-policies.toml", "#618"),
        {
            "first": (),
            "map": ("1",),
            "map-users": ("v",),
            "map-ages": ("v",),
            "map-ends": ("v",),
            "map-zoomed": ("z", "+ +"),
            "queue": ("_ _ 2",),
            "queue-zoomed": ("+ +",),
            "queue-filtered": ("/size>32", "s"),
            "gantt": ("Esc", "_ _ 3"),
            "gantt-zoomed": ("+ +",),
            "gantt-all": ("f",),
            "events": ("_ _ 4",),
            "events-zoomed": ("+ +",),
            "event": ("Enter",),
            "metrics": ("Esc _ _ 5",),
            "metrics-zoomed": ("+ +",),
            "metrics-page": ("Enter",),
            "job": ("Esc _ _ 2 Enter",),
            "why": ("Esc e",),
            "node": (":node 17",),
            "availability": ("Esc", ":view availability"),
            "users": (":view users",),
            "policy": ("Esc", ":policy"),
            "help": ("Esc ?",),
            "palette": ("Esc Ctrl+P",),
            "command": ("Esc", ":"),
            "goto": ("Esc g",),
            "filter": ("Esc /",),
            "letters": ("Esc ;",),
            "playing": ("Esc Space",),
            "breakpoints": ("Space", ":break queue > 20", ":break preempt", "B"),
            "no-breakpoint": ("Esc C",),
            "menu": ("Esc 2 a",),
            "impact": ("Esc", ":impact drain 0-15"),
            "advise": ("Esc", ":advise"),
            "refused": ("Esc", ":hold 9999"),
            "unknown": (":explode",),
            "unsaved": (":drain 0-3", "q"),
            "sweep": ("Esc", ":sweep"),
            "sweep-table": ("Esc", ":sweep fcfs easy gang:quantum=60,600"),
            "too-far": ("Esc", ":goto job 9999"),
        },
    ),
    "steered": Tour(
        _console("generated/twelve-policies.toml", "#618"),
        {
            "completed": (": d r",),
            "count": ("Esc x",),
            "menu-node": ("Esc 1 Right a",),
            "drained": ("Esc", ":drain 0-31"),
            "drained-queue": ("2",),
            "drained-events": ("4",),
        },
    ),
    "calendar": Tour(_console("fj97/dilemma.toml", "#6"), {"small": (), "end": ("End",), "begin": ("Home",)}),
    "stopped": Tour(_console("n12/figure-3.toml", "50%"), {"first": (), "gantt": ("3",), "why": ("e",)}),
    "large": Tour(
        _console("generated/day-1024.toml", "50%"),
        {"first": (), "map": ("1",), "map-zoomed": ("z",), "closer": ("z",), "users": (":view users",)},
    ),
    "gang": Tour(
        _console("fj97/slots.toml", "50%"),
        {
            "first": (),
            "map": ("1",),
            "matrix": ("3",),
            "matrix-zoomed": ("+ +",),
            "metrics": ("_ _ 5",),
            "job": ("2 Enter",),
            "policy": ("Esc", ":policy"),
        },
    ),
    "torus": Tour(
        _console("fj97/t3d-day.toml", "#186"),
        {
            "first": (),
            "map": ("1",),
            "map-zoomed": ("+ +",),
            "map-close": ("z",),
            "map-coloured": ("Z v",),
            "queue": ("_ _ 2",),
            "gantt": ("3",),
            "metrics": ("5",),
            "metrics-zoomed": ("+ +",),
            "job": ("_ _ 2 Enter",),
            "why": ("Esc e",),
        },
    ),
    "gangster": Tour(_console("fj97/gangster.toml", "50%"), {"first": (), "map": ("1",), "metrics": ("5",)}),
    "compare": Tour(
        _console("fj97/dilemma.toml", "0 00:20:00"),
        {
            "lanes": ("=",),
            "parted": ("D",),
            "gantt": ("m",),
            "why": ("m e",),
            "differs": ("Esc J",),
            "choice": ("l",),
            "help": ("Esc ?",),
            "no-parting": ("Esc End", "D"),
            "four": ("Esc", ":compare fcfs easy conservative gang", "Home N N N"),
            "four-gantt": ("m",),
        },
    ),
    "compare-busy": Tour(
        _console("generated/twelve-policies.toml", "#618"),
        {
            "lanes": (":compare easy gang:quantum=10m",),
            "gantt": ("m",),
            "whatif": ("Esc", ":whatif drain 0-15"),
        },
    ),
    "browser": Tour(
        lambda _: Browser(),
        {
            "list": (),
            "further": ("j j j j j",),
            "last": ("G",),
            "help": ("?",),
            "filtered": ("Esc", "/case"),
            "nothing": ("Esc", "/zzzz"),
        },
    ),
    "training": Tour(
        lambda _: Training(),
        {
            "menu": (),
            "lesson": ("j j",),
            "course": ("j j j j j",),
            "lessons": ("Enter", "j j"),
            "last": ("G",),
            "help": ("?",),
        },
    ),
    "introduction": Tour(_introduction, {"step": (), "later": ("n p N",)}),
    "drill": Tour(
        partial(_drill, "easy", 0),
        {
            "story": (),
            "question": ("Enter",),
            "hint": ("h",),
            "right": ("a",),
            "next": ("t a",),
            "help": ("?",),
        },
    ),
    "drill-cluster": Tour(
        partial(_drill, "slurm", 1), {"story": (), "question": ("Enter",), "answered": ("a",), "next": ("t",)}
    ),
    "exam": Tour(
        partial(_exam, "gang"),
        {"story": (), "question": ("Enter",), "marked": ("b",), "next": ("Enter",)},
    ),
    "exam-cluster": Tour(partial(_exam, "slurm"), {"story": (), "question": ("Enter",), "marked": ("b",)}),
    "review": Tour(_review, {"story": (), "question": ("Enter",), "answered": ("a",)}),
    "shift": Tour(
        partial(_shift, "day-by-hand.toml"),
        {
            "story": (),
            "board": ("Enter",),
            "started": ("n i",),
            "menu": ("a",),
            "refused": ("Esc t",),
            "end": ("End",),
            "help": ("?",),
        },
    ),
    "shift-incident": Tour(
        partial(_shift, "flapping-node.toml"), {"story": (), "board": ("Enter",), "later": ("n n n n",)}
    ),
    "lecture": Tour(
        lambda _: LectureScreen(Lecture(_course("gang"), 3)),
        {
            "story": (),
            "question": ("Space",),
            "choices": ("Space",),
            "hands": ("1 2 a 7 b",),
            "covered": ("o",),
            "answer": ("q Space",),
            "console": ("o",),
            "goto": ("q g",),
            "jumped": ("2 . 3 Enter",),
        },
    ),
    "recovery": Tour(_recovery, {"offer": ()}),
    "cluster-over-time": Tour(
        _cluster,
        {
            "gantt": ("3 n n n",),
            "gantt-alone": ("+ +",),
            "gantt-cursor": ("z z Up Right Right",),
            "metrics": ("Esc 5 N N N", "+ +"),
            "compare": ("Esc Esc =",),
            "compare-part": ("D",),
            "whatif": ("Esc", ":whatif drain n[01-20]", "D"),
        },
    ),
    "cluster": Tour(
        _cluster,
        {
            "plan": (),
            "plan-sorted": ("s s",),
            "plan-filtered": ("/user=user5",),
            "nodes": ("Esc 1",),
            "node": ("Enter",),
            "why": ("Esc 7",),
            "job": ("2 Enter",),
            "stepped": ("Esc N N",),
            "events": ("4",),
            "help": ("?",),
            "nowhere": ("Esc", "gnowhere"),
            "last-row": ("Esc 2 G",),
            "running": ("6",),
            "running-job": ("j Enter",),
            "users": ("Esc", ":users"),
            "partitions": ("Esc", ":partitions"),
            "out": ("Esc", ":out"),
            "reservations": ("Esc", ":reservations"),
            "reservations-filtered": ("/size>4",),
            "reservation": ("Enter",),
            "reserve": ("Esc", "Esc", "Esc", ":impact reserve n[01-04] tomorrow 02:00 4h"),
            "refused": ("Esc", ":hold 31"),
            "impact": (":impact drain n[01-04]",),
            "advise": ("Esc", ":advise"),
            "shorter": ("Esc", ":shorter"),
            "factors": ("Esc", ":factors 31"),
            "expected": ("Esc", ":expected"),
            "map": ("Esc 1 1",),
            "map-moved": ("j l l l",),
            "map-job": ("v",),
            "map-user": ("v",),
            "map-partition": ("v",),
            "map-end": ("v",),
            "map-gpus": ("v",),
            "map-stepped": ("N N N",),
            "breakpoints": ("2 b", ":break closes batch", "B"),
            "command": ("Esc", ":"),
            "goto": ("Esc g",),
            "filter": ("Esc /",),
            "palette": ("Esc Ctrl+P",),
        },
    ),
}
"""The tours by name."""
