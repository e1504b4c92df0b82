"""A bundle: an experiment with its files and results, and the hashes of its logs, in one archive.

Whoever has it can check it: that it is whole, and that the same comes out on another machine. Its members
are the files of the experiments (`experiments/`, and scenarios beside that), the result of each cell in the
order of its grid (`results/NAME/0.json`), the rows and the means as CSV, and `bundle.json`: the version, the
format of the results, and the sha256 of each member and of each log, unpacked.
"""

import hashlib
import json
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.cells import read_rows
from shadowtime.console.session.files.exports.swf import our_version
from shadowtime.console.session.files.writers import written_bytes
from shadowtime.console.session.lab.cells import FORMAT, cells_of
from shadowtime.console.session.lab.judging.rows import rows_of
from shadowtime.console.session.lab.judging.verdicts import Found
from shadowtime.console.session.lab.report import rows_table
from shadowtime.console.session.lab.reproduce import Lab, experiments
from shadowtime.console.session.lab.tables import means_table
from shadowtime.scenarios import LogMissing, find_log
from shadowtime.scenarios.experiment import Experiment
from shadowtime.scenarios.traces.archive import read_bytes

ABOUT = "bundle.json"
LARGEST = 1 << 28
"""Bytes of a member, unpacked, at most."""


def write_bundle(lab: Lab, found: Sequence[Found], path: str | Path) -> None:
    """Write what came of some experiments; the same gives the same bytes. OSError leaves nothing."""
    files = dict[str, str]()
    with written_bytes(path) as stream, ZipFile(stream, "w") as archive:
        for name, content in _members(lab, found):
            files[name] = _sum(content)
            archive.writestr(ZipInfo(name), content, ZIP_DEFLATED)
        about = {
            "shadowtime": our_version(),
            "format": FORMAT,
            "logs": _logs([item.experiment for item in found], lab.traces),
            "files": files,
        }
        archive.writestr(ZipInfo(ABOUT), json.dumps(about, indent=1).encode(), ZIP_DEFLATED)


def _members(lab: Lab, found: Sequence[Found]) -> Iterator[tuple[str, bytes]]:
    for item in found:
        own = item.experiment
        yield f"experiments/{own.path.name}", own.path.read_bytes()
        for scenario in own.scenarios:
            yield scenario.relative_to(own.path.parent.parent).as_posix(), scenario.read_bytes()
        for number, (_, cell) in enumerate(cells_of([own])):
            if (results := lab.store.read(cell)) is not None:
                yield _result(own, number), json.dumps(results, separators=(",", ":")).encode()
        for kind, text in _tables(item).items():
            yield f"{kind}/{own.name}.csv", text.encode()


def _result(experiment: Experiment, number: int) -> str:
    return f"results/{experiment.name}/{number}.json"


def _tables(found: Found) -> dict[str, str]:
    return {"rows": rows_table(rows_of(found)).csv(), "means": means_table(found).csv()}


def _logs(chosen: Sequence[Experiment], traces: str | None) -> dict[str, str]:
    """The sums of the logs that are on this machine, by name."""
    found = dict[str, str]()
    for log in dict.fromkeys(log for experiment in chosen for log in experiment.logs):
        try:
            path = find_log(log, None, None if traces is None else Path(traces))
        except LogMissing:
            continue
        found[Path(log).name] = _sum(read_bytes(path))
    return found


def _sum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@attrs.frozen
class Bundle:
    """A bundle that is whole, unpacked into a folder."""

    folder: Path
    version: str
    format: int
    logs: Mapping[str, str]
    experiments: tuple[Experiment, ...]

    def differences(self, lab: Lab) -> Iterator[str]:
        """Yield what is not here as it is in the bundle: logs, results of cells, rows and means."""
        if self.format != FORMAT:
            yield f"results: format {self.format}, here {FORMAT}"
        here = _logs(self.experiments, lab.traces)
        for log, mark in self.logs.items():
            if here.get(log) != mark:
                yield f"log {log}: {'another one here' if log in here else 'not on this machine'}"
        for experiment in self.experiments:
            yield from self._results(lab, experiment)
            for kind, text in _tables(lab.found(experiment)).items():
                bundled = (self.folder / kind / f"{experiment.name}.csv").read_text(encoding="utf-8")
                yield from _lines(f"{kind} of {experiment.name}", bundled, text)

    def _results(self, lab: Lab, experiment: Experiment) -> Iterator[str]:
        for number, (at, cell) in enumerate(cells_of([experiment])):
            path, here = self.folder / _result(experiment, number), lab.store.read(cell)
            bundled = json.loads(path.read_bytes()) if path.is_file() else None
            names = {*(bundled or {}), *(here or {})}
            apart = sorted(name for name in names if (bundled or {}).get(name) != (here or {}).get(name))
            if apart:
                what = ", ".join(apart) if bundled and here else "not in both"
                yield f"result of {experiment.name}, {', '.join((at.grid, *at.labels))}: {what}"


def _lines(what: str, bundled: str, here: str) -> Iterator[str]:
    """Yield the rows of a table that differ, each with the values that do."""
    head, *ours = read_rows(here)
    _, *theirs = read_rows(bundled)
    for then, now in zip_longest(theirs, ours, fillvalue=[""] * len(head)):
        apart = [f"{name} {a}, here {b}" for name, a, b in zip(head, then, now, strict=False) if a != b]
        if apart:
            place = ", ".join(text for text in (then if any(then) else now)[:4] if text)
            yield f"{what}: {place}: {'; '.join(apart)}"


@contextmanager
def opened(path: str | Path) -> Iterator[Bundle]:
    """Open a bundle whose members have the sums that it states. SessionError: which one has not. OSError."""
    with tempfile.TemporaryDirectory(prefix="shadowtime-") as place:
        folder = Path(place)
        try:
            about = _unpacked(path, folder)
            names = [name for name in about["files"] if name.startswith("experiments/")]
            version, kept, logs = str(about["shadowtime"]), int(about["format"]), dict(about["logs"])
        except (BadZipFile, zlib.error, LookupError, TypeError, ValueError, RuntimeError, EOFError) as error:
            raise SessionError(f"{path}: {error}; expected a bundle of `shadowtime reproduce`") from None
        chosen = experiments([str(folder / name) for name in names])
        yield Bundle(folder, version, kept, logs, chosen)


def _unpacked(path: str | Path, folder: Path) -> dict[str, Any]:
    with ZipFile(path) as archive:
        about: dict[str, Any] = json.loads(_member(archive, ABOUT))
        for name, mark in dict(about["files"]).items():
            content = _member(archive, name)
            if _sum(content) != mark:
                raise ValueError(f"{name} was changed")
            place = (folder / name).resolve()
            if not place.is_relative_to(folder.resolve()):
                raise ValueError(f"{name} lies outside")
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
    return about


def _member(archive: ZipFile, name: str) -> bytes:
    if archive.getinfo(name).file_size > LARGEST:
        raise ValueError(f"{name} is too large")
    return archive.read(name)
