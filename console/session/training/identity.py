"""What makes a course the same course: its content, wherever its folder lies."""

import hashlib
import re
from pathlib import Path

from shadowtime.scenarios import Course
from shadowtime.scenarios.library import COURSE_FILE
from shadowtime.scenarios.slurm.scenario import is_capture

KEY = re.compile(rb'^key[ \t]*=[ \t]*"scrypt:[0-9a-f:]*"[^\n]*(?:\n|\Z)', re.MULTILINE)
"""The line of the key: a course is the same with it, without it, and with another one."""


def digest_of(course: Course) -> str:
    """Return the SHA-256 of a course: of `course.toml` and its lessons with their names, in their order.

    The files of captured clusters in the folder count, too; the line of the key does not.
    """
    total = hashlib.sha256()
    for path in (course.folder / COURSE_FILE, *course.lessons, *_captured(course)):
        text = path.read_bytes()
        if path.name == COURSE_FILE:
            text = _without_key(text)
        total.update(f"{path.name} {len(text)}\n".encode())
        total.update(text)
    return total.hexdigest()


def _captured(course: Course) -> list[Path]:
    """The files of the captured clusters in the folder of a course."""
    folders = (path for path in sorted(course.folder.iterdir()) if is_capture(path))
    return [file for folder in folders for file in sorted(folder.iterdir()) if file.is_file()]


def _without_key(text: bytes) -> bytes:
    """The text of a `course.toml` without its key; its last line ends."""
    text = KEY.sub(b"", text)
    return text if text.endswith(b"\n") else text + b"\n"
