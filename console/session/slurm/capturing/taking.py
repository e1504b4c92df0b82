"""Capture a cluster: ask for everything at once, write it as the files that the reader expects."""

import json
import re
import shutil
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import monotonic, time

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.places import OWN_FOLDER, check_writable, make_folder
from shadowtime.console.session.files.writers import written_bytes
from shadowtime.console.session.slurm.capturing.anonymous import Aliases
from shadowtime.console.session.slurm.capturing.commands import EVERY, Command, Reach
from shadowtime.scenarios.slurm.config import Settings

STAMP = "capture.json"
"""The file that says when and by which commands a folder was captured."""
AT_ONCE = 10
"""Commands that run at the same time."""
_CLOCK = re.compile(r"^sdiag output at .*\((\d{1,12})\)", re.MULTILINE)


@attrs.frozen
class Taken:
    """A capture: when its commands began, how long they took together, and which optional one failed."""

    taken: int
    """The instant of the queue, in seconds since 1970."""
    seconds: float
    notes: tuple[str, ...]


@attrs.frozen
class _Ran:
    command: Command
    begun: float
    seconds: float
    fault: str = ""


def write_capture(folder: Path, runner: Reach, anonymous: bool = False, force: bool = False) -> Taken:
    """Capture a cluster into a folder; an interrupt leaves no part of a capture.

    A new folder is for its owner alone unless the capture is anonymous: it names users and what they run.
    SessionError in one line if a command fails, or if the folder has files and not `force`; OSError.
    """
    if folder.exists() and not folder.is_dir():
        raise SessionError(f"{folder} is no folder; expected a new folder for the capture")
    if not force and folder.is_dir() and any(folder.iterdir()):
        raise SessionError(f"{folder} has files already; --force replaces the capture in it")
    make_folder(folder.parent)
    # Before the commands are run: what cannot be reached is reported at once.
    check_writable(folder)
    with tempfile.TemporaryDirectory(prefix="shadowtime-") as place:
        taken = capture(Path(place), runner)
        if anonymous:
            Aliases().hide(Path(place))
        _publish(Path(place), folder, 0o777 if anonymous else OWN_FOLDER)
    return taken


def _publish(capture: Path, folder: Path, mode: int) -> None:
    """Copy the files of a capture into a folder, in the place of those of another one. OSError."""
    is_new = not folder.exists()
    make_folder(folder, mode)
    clear(folder)
    try:
        for path in sorted(capture.iterdir()):
            with path.open("rb") as whole, written_bytes(folder / path.name) as stream:
                shutil.copyfileobj(whole, stream)
    except BaseException:
        with suppress(OSError):
            clear(folder)
            if is_new:
                folder.rmdir()
        raise


def clear(folder: Path) -> None:
    """Remove the files of a capture from a folder, and no others."""
    for name in (STAMP, *(command.file for command in EVERY), "assoc_mgr.json", "squeue_start.json"):
        for path in (folder / name, folder / f"{name}.xz"):
            path.unlink(missing_ok=True)


def capture(folder: Path, runner: Reach, settings: Settings | None = None, since: int = 0) -> Taken:
    """Run the commands or send the requests, their output into an empty folder.

    With the settings of the cluster all of them run at once; without them its configuration is read first,
    which says which others there are. `since`: the accounting from an instant on.
    SessionError in one line if a command fails that is required; CaptureError if the configuration cannot be
    read; OSError.
    """
    ran: list[_Ran] = []
    first = runner.first(folder)
    if settings is None:
        ran += _run(first, folder, runner)
        settings, first = runner.settings(folder), ()
    begun = monotonic()
    ran += _run((*first, *runner.others(settings, since)), folder, runner)
    if first:
        runner.settings(folder)
    took = monotonic() - begun
    taken = _instant(folder, ran)
    notes = (*runner.notes, *(each.fault for each in ran if each.fault))
    _stamp(folder, ran, taken, took)
    return Taken(taken, took, notes)


def _run(commands: Sequence[Command], folder: Path, runner: Reach) -> list[_Ran]:
    """Run commands at once. The first failure of a required one ends the others."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        futures = [pool.submit(_one, command, folder, runner) for command in commands]
        try:
            return [future.result() for future in futures]
        except BaseException:
            runner.stop()
            raise


def _one(command: Command, folder: Path, runner: Reach) -> _Ran:
    begun, before = time(), monotonic()
    fault = ""
    try:
        runner.run(command.words, folder / command.file)
    except SessionError as error:
        if command.required:
            raise
        fault = str(error)
        (folder / command.file).unlink(missing_ok=True)
    return _Ran(command, begun, monotonic() - before, fault)


def _instant(folder: Path, ran: Sequence[_Ran]) -> int:
    """When the queue was read: by the cluster's own clock if it says so, else by ours."""
    begun = next(each.begun for each in ran if each.command.file == "squeue.json")
    return (
        _number(folder / "squeue.json", "last_update")
        or _number(folder / "sdiag.json", "statistics", "req_time")
        or _clock(folder / "sdiag.txt")
        or int(begun)
    )


def _number(path: Path, *names: str) -> int:
    """A number of a JSON file, plain or with `set` and `infinite`; 0 if it is not there."""
    try:
        value = json.loads(path.read_bytes())
        for name in names:
            value = value[name]
        number = value["number"] if isinstance(value, dict) else value
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        # The reader says what is wrong with the file.
        return 0
    return number if isinstance(number, int) and number > 0 else 0


def _clock(path: Path) -> int:
    """The instant in the first line of `sdiag`; 0 if it is not there."""
    found = _CLOCK.search(path.read_text(errors="replace")) if path.exists() else None
    return int(found[1]) if found else 0


def _stamp(folder: Path, ran: Sequence[_Ran], taken: int, took: float) -> None:
    commands = [
        {
            "file": each.command.file,
            "command": each.command.shown,
            "begun": round(each.begun, 3),
            "seconds": round(each.seconds, 3),
            **({"fault": each.fault} if each.fault else {}),
        }
        for each in ran
    ]
    text = json.dumps({"taken": taken, "seconds": round(took, 3), "commands": commands}, indent=1)
    (folder / STAMP).write_text(text + "\n", encoding="utf-8")
