"""Start exams and drills in children, kill them at random moments, and print what each had shown and kept.

    python -m tests.drills.nursery exam|drill MOMENTS SEED FOLDER

A line of JSON for each child: the signal, how many questions it had shown, how many answers are kept, what is
wrong. The parent imports once; each child is a fork that answers `a`, `b`, `c`, `d` from a pipe.
"""

import io
import json
import os
import signal
import sqlite3
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from random import Random

from shadowtime.console.drills.asking import Exam, Practice
from shadowtime.console.session.curriculum.trainee import Trainee
from shadowtime.console.session.exam.paper import read
from shadowtime.console.session.exam.sitting import Sitting
from shadowtime.console.session.training import Course, Progress, read_course
from tests.commandline import ROOT

SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
LESSONS = ("01-time-slots.toml", "02-packing.toml")
LIMIT = 3600


def course_in(folder: Path) -> Course:
    """A course of two shipped lessons."""
    folder.mkdir()
    for name in LESSONS:
        (folder / name).write_bytes((ROOT / "scenarios" / "courses" / "gang" / name).read_bytes())
    lessons = json.dumps(list(LESSONS))
    (folder / "course.toml").write_text(
        f'title = "T"\nabout = "A"\naudience = "B"\nlessons = {lessons}\n', encoding="utf-8"
    )
    return read_course(folder)


def child(mode: str, course: Course, path: Path, pipe: int) -> int:
    """Fork; the child takes the exam or the drill, and shows what it says in the pipe."""
    pid = os.fork()
    if pid:
        return pid
    for it in {*SIGNALS} - {signal.SIGKILL}:
        signal.signal(it, signal.SIG_DFL)
    source = io.StringIO("a\nb\nc\nd\n" * 20)

    def say(text: str) -> None:
        os.write(pipe, f"{text}\n".encode())

    try:
        if mode == "exam":
            Exam(Sitting(course, 1, LIMIT, "kim", path), source, say).run()
        else:
            Practice(Trainee(Progress(path), "kim"), source, say).course(course, 1)
    except BaseException:
        traceback.print_exc()
    os._exit(0)


def shown_by(mode: str, course: Course, path: Path, random: Random, longest: float) -> tuple[int, int]:
    """Kill one child at a random moment; return the signal and how many questions it had shown."""
    out, pipe = os.pipe()
    pid = child(mode, course, path, pipe)
    os.close(pipe)
    how, text = random.choice(SIGNALS), b""
    if random.random() < 0.5:
        time.sleep(random.uniform(0, longest))
    else:
        # Right after a question came, when the next answer is being kept.
        wanted = random.randrange(1, 12)
        while text.count(b"QUESTION ") < wanted and (more := os.read(out, 1 << 16)):
            text += more
        time.sleep(random.uniform(0, 0.004))
    with suppress(ProcessLookupError):
        os.kill(pid, how)
    while more := os.read(out, 1 << 16):
        text += more
    os.close(out)
    os.waitpid(pid, 0)
    return how, text.count(b"QUESTION ")


def kept_in(mode: str, course: Course, path: Path, again: bool) -> tuple[int, str]:
    """How many answers are kept, and what is wrong with the file; `again`: whether it can be gone on with."""
    if not path.exists():
        return 0, ""
    if mode == "exam":
        paper = read(path)
        places = [(it.lesson, it.question) for it in paper.answers]
        wrong = "" if len(set(places)) == len(places) else "an answer is there twice"
        if again and not paper.ended and Sitting(course, 1, LIMIT, "kim", path).paper != paper:
            wrong = "it goes on from another place"
        return len(places), wrong
    with sqlite3.connect(path) as file:
        (found,) = file.execute("PRAGMA integrity_check").fetchone()
    records = Progress(path).records("kim")
    places = [(it.lesson, it.question) for it in records]
    if found != "ok" or len(set(places)) != len(places):
        return len(places), f"{found}, {len(places)} records"
    return len(places), ""


def main(mode: str, moments: int, seed: int, folder: Path) -> None:
    """Kill `moments` children, one after the other."""
    os.environ["XDG_DATA_HOME"] = str(folder / "data")
    course, random = course_in(folder / "course"), Random(seed)
    begun = time.monotonic()
    path = folder / "whole"
    out, pipe = os.pipe()
    pid = child(mode, course, path, pipe)
    os.close(pipe)
    while os.read(out, 1 << 16):
        pass
    os.waitpid(pid, 0)
    longest = time.monotonic() - begun
    total, _ = kept_in(mode, course, path, False)
    print(json.dumps({"whole": total}), flush=True)
    for number in range(moments):
        path = folder / f"{number}"
        # Each has a data folder of its own: no second exam is begun while the first is open.
        os.environ["XDG_DATA_HOME"] = str(folder / f"data-{number}")
        how, shown = shown_by(mode, course, path, random, longest)
        kept, wrong = kept_in(mode, course, path, number % 10 == 0)
        print(json.dumps({"signal": how, "shown": shown, "kept": kept, "wrong": wrong}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
