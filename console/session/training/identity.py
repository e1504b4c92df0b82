"""What makes a course the same course: its content, wherever its folder lies."""

import hashlib
from pathlib import Path

from shadowtime.scenarios import Course
from shadowtime.scenarios.library import COURSE_FILE
from shadowtime.scenarios.slurm.scenario import is_capture


def digest_of(course: Course) -> str:
    """Return the SHA-256 of a course: of `course.toml` and its lessons with their names, in their order.

    The files of captured clusters in the folder count, too.
    """
    total = hashlib.sha256()
    for path in files_of(course):
        text = path.read_bytes()
        total.update(f"{path.name} {len(text)}\n".encode())
        total.update(text)
    return total.hexdigest()


def files_of(course: Course) -> list[Path]:
    """Return `course.toml`, the lessons, and the files of the captured clusters in the folder."""
    folders = (path for path in sorted(course.folder.iterdir()) if is_capture(path))
    captured = (file for folder in folders for file in sorted(folder.iterdir()) if file.is_file())
    return [course.folder / COURSE_FILE, *course.lessons, *captured]
