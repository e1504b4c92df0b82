"""`shadowtime train export`: questions as Moodle GIFT, results of exams as xAPI statements."""

from collections.abc import Sequence
from pathlib import Path

from shadowtime.console import words
from shadowtime.console.commands.output import say
from shadowtime.console.commands.training.gift import gift
from shadowtime.console.session.exam.collecting import gather
from shadowtime.console.session.exam.statements import statements
from shadowtime.console.session.files.writers import refuse_inputs, refuse_overwriting, written_whole
from shadowtime.console.session.training import files_of, open_course


def export_course(folder: str, path: Path, seed: int, force: bool) -> None:
    """Write the questions of a course. Raises ScenarioError, SessionError, OSError."""
    course = open_course(folder)
    _refuse(path, files_of(course), force)
    _write(path, gift(course, seed), "question")


def export_results(files: Sequence[str], path: Path, force: bool) -> None:
    """Write the results of exams. Raises PaperError, SessionError, OSError."""
    _refuse(path, files, force)
    _write(path, [f"{line}\n" for line in statements([*gather(map(Path, files)).values()])], "statement")


def _refuse(path: Path, inputs: Sequence[str | Path], force: bool) -> None:
    refuse_inputs([path], inputs)
    if not force:
        refuse_overwriting([path])


def _write(path: Path, texts: Sequence[str], what: str) -> None:
    with written_whole(path) as stream:
        stream.writelines(texts)
    say(f"{path}: {words.count(len(texts), what)}")
