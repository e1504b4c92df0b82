"""A bundle: an experiment with its files and results, and the hashes of its logs, in one archive.

Whoever has it can check it: that it is whole, and that the same comes out on another machine. Its members
are the files of the experiments (`experiments/`, and scenarios beside that), the result of each cell in the
order of its grid (`results/NAME/0.json`), the rows and the means as CSV, and `bundle.json`: the version, the
format of the results, and the sha256 of each member and of each log, unpacked.
"""

import csv
import json
import os
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
from shadowtime.console.session.files.exports.swf import our_version
from shadowtime.console.session.files.places import check_writable
from shadowtime.console.session.files.tidy import read_rows
from shadowtime.console.session.files.writers import written_bytes
from shadowtime.console.session.lab.cells import FORMAT, cells_of
from shadowtime.console.session.lab.judging.rows import rows_of
from shadowtime.console.session.lab.judging.verdicts import Found
from shadowtime.console.session.lab.report import rows_table
from shadowtime.console.session.lab.reproduce import Lab, experiments, path_of_log
from shadowtime.console.session.lab.store import parsed, sum_of
from shadowtime.console.session.lab.tables import means_table
from shadowtime.scenarios import ScenarioError
from shadowtime.scenarios.experiment import Experiment
from shadowtime.scenarios.traces.archive import read_bytes

ABOUT = "bundle.json"
LARGEST = 1 << 29
"""Bytes of all members, unpacked, at most."""
_BROKEN = (
    *(BadZipFile, zlib.error, csv.Error, EOFError),
    *(LookupError, TypeError, ValueError, OverflowError, RuntimeError),
)
"""What an archive that is damaged, or has other contents, raises where it is read."""


def check_bundle(path: str | Path, chosen: Sequence[Experiment]) -> None:
    """Raise SessionError if experiments cannot be written to this file, OSError if nothing can.

    It is there and is no bundle; a scenario lies outside the folder; two of their files have one name.
    """
    check_writable(path)
    if Path(path).is_file():
        try:
            with ZipFile(path) as archive:
                archive.getinfo(ABOUT)
        except (BadZipFile, LookupError):
            raise SessionError(f"{path} is there already and is no bundle; expected another file") from None
    known = dict[str, Path]()
    for name, source in (it for own in chosen for it in _sources(own)):
        if name.startswith(".."):
            raise SessionError(f"{source} lies outside the folder of its study; a bundle has what is in it")
        if known.setdefault(name, source).read_bytes() != source.read_bytes():
            raise SessionError(f"{known[name]} and {source} are both {name}; expected a bundle for each")


def write_bundle(lab: Lab, found: Sequence[Found], path: str | Path) -> None:
    """Write what came of some experiments; the same gives the same bytes. OSError leaves nothing."""
    files = dict[str, str]()
    with written_bytes(path) as stream, ZipFile(stream, "w") as archive:
        for name, content in _members(lab, found):
            if name not in files:
                files[name] = sum_of(content)
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
        yield from ((name, source.read_bytes()) for name, source in _sources(own))
        for number, (_, cell) in enumerate(cells_of([own])):
            if (results := lab.store.read(cell)) is not None:
                yield _result(own, number), json.dumps(results, separators=(",", ":")).encode()
        for kind, text in _tables(item).items():
            yield f"{kind}/{own.name}.csv", text.encode()


def _sources(own: Experiment) -> Iterator[tuple[str, Path]]:
    """The files of an experiment, with their names in a bundle."""
    yield f"experiments/{own.path.name}", own.path
    for scenario in own.scenarios:
        yield os.path.relpath(scenario, own.path.parent.parent), scenario


def _result(experiment: Experiment, number: int) -> str:
    return f"results/{experiment.name}/{number}.json"


def _tables(found: Found) -> dict[str, str]:
    return {"rows": rows_table(rows_of(found)).csv(), "means": means_table(found).csv()}


def _logs(chosen: Sequence[Experiment], traces: str | None) -> dict[str, str]:
    """The sums of the logs that are on this machine, by name."""
    found = dict[str, str]()
    for log in dict.fromkeys(log for experiment in chosen for log in experiment.logs):
        if (path := path_of_log(log, traces)) is not None:
            found[Path(log).name] = sum_of(read_bytes(path))
    return found


@attrs.frozen
class Bundle:
    """A bundle that is whole, unpacked into a folder."""

    folder: Path
    version: str
    format: int
    logs: Mapping[str, str]
    experiments: tuple[Experiment, ...]
    results: Mapping[str, Mapping[str, object]]
    """Those of cells, by the names of their members."""

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
            found = lab.found(experiment)
            for log in found.missing:
                if Path(log).name not in self.logs:
                    yield f"log {log}: not on this machine"
            for reason in found.failures:
                yield f"cells of {experiment.name}: not run here: {reason}"
            for kind, text in _tables(found).items():
                bundled = (self.folder / kind / f"{experiment.name}.csv").read_text(encoding="utf-8")
                yield from _lines(f"{kind} of {experiment.name}", bundled, text)

    def _results(self, lab: Lab, experiment: Experiment) -> Iterator[str]:
        for number, (at, cell) in enumerate(cells_of([experiment])):
            bundled, here = self.results.get(_result(experiment, number)), lab.store.read(cell)
            names = {*(bundled or {}), *(here or {})}
            apart = sorted(name for name in names if (bundled or {}).get(name) != (here or {}).get(name))
            if apart:
                what = (
                    ", ".join(apart) if bundled and here else f"only {'in the bundle' if bundled else 'here'}"
                )
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
            if not names:
                raise ValueError("it has no experiment")
            chosen = experiments([str(folder / name) for name in names])
            for name in (f"{kind}/{own.name}.csv" for own in chosen for kind in ("rows", "means")):
                if name not in about["files"] or not any(read_rows((folder / name).read_text("utf-8"))):
                    raise ValueError(f"{name} is missing or empty")
            results = {name: _read(folder, name) for name in about["files"] if name.startswith("results/")}
        except (*_BROKEN, ScenarioError) as error:
            said = " ".join(str(error).replace(f"{folder}/", "").split())
            raise SessionError(f"{path}: {said}; expected a bundle of `shadowtime reproduce`") from None
        yield Bundle(folder, version, kept, logs, chosen, results)


def _read(folder: Path, name: str) -> Mapping[str, object]:
    """A result of a bundle. ValueError: the member has another content."""
    found = parsed((folder / name).read_bytes())
    if found is None:
        raise ValueError(f"{name} is no result")
    return found


def _unpacked(path: str | Path, folder: Path) -> dict[str, Any]:
    with ZipFile(path) as archive:
        if sum(member.file_size for member in archive.infolist()) > LARGEST:
            raise ValueError("it is too large")
        about: dict[str, Any] = json.loads(archive.read(ABOUT))
        for name, mark in dict(about["files"]).items():
            content = archive.read(name)
            if sum_of(content) != mark:
                raise ValueError(f"{name} was changed")
            place = (folder / name).resolve()
            if not place.is_relative_to(folder.resolve()):
                raise ValueError(f"{name} lies outside")
            try:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)
            except OSError as error:
                raise ValueError(f"{name}: {error.strerror}") from None
    return about
