"""Policies of other packages: classes in plain Python, found by the entry point `shadowtime.policies`.

Their output goes to standard error, and disturbs no terminal. Here alone the session checks the parameters of
a policy: the scenarios decide whether a value is of the kind that its parameter takes, the table of policies
whether it is one of the choices, and the policy itself whether it is in range.
"""

import hashlib
import inspect
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO, cast

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.texts import printable, printable_lines
from shadowtime.kernels.policies import POLICIES, Parameter, PlainPolicy, PolicyEntry, make, register
from shadowtime.kernels.policies.watched import Failure, said, watch, watched
from shadowtime.scenarios import choose_policy
from shadowtime.scenarios.policy import no_policy
from shadowtime.scenarios.times import read_seconds

GROUP = "shadowtime.policies"
KINDS: Mapping[type, str] = {bool: "bool", int: "int", float: "number", str: "text"}


@attrs.frozen
class Plugins:
    """What the other packages bring."""

    entries: tuple[PolicyEntry, ...]
    broken: Mapping[str, str]
    """What is wrong with those that cannot be used, by name."""
    refused: tuple[str, ...]
    """What is wrong with those whose name another policy has."""


@cache
def found() -> Plugins:
    """Return the policies of other packages, each of which was imported, and what is wrong with others."""
    entries: dict[str, PolicyEntry] = {}
    faults: dict[str, str] = {}
    refused = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, origin_of(point))):
        called = f"policy {point.name} of {origin_of(point)}"
        if point.name in POLICIES or point.name in entries:
            whose = "shadowtime" if point.name in POLICIES else entries[point.name].paper
            refused.append(f"{called} is not used: {whose} has a policy of that name; expected another name")
            continue
        part_output()
        try:
            entries[point.name] = watched(entry_of, point)
        except Failure as failure:
            # Whatever another package does while it is imported, the others must go on.
            faults[point.name] = f"{called}: {failure}"
    return Plugins(tuple(entries.values()), faults, tuple(refused))


@cache
def policies() -> Mapping[str, PolicyEntry]:
    """Return the table of policies, with those of other packages."""
    for entry in found().entries:
        register(entry)
    return POLICIES


def policies_table(names: Sequence[str] = ()) -> tuple[PolicyEntry, ...]:
    """Return some policies, or all, with parameters, paper, and what is a choice or a reconstruction.

    SessionError if there is no policy of a name.
    """
    known = policies()
    for name in names:
        if name not in known:
            raise SessionError(no_policy(name, known))
    return tuple(entry for name, entry in known.items() if name in names or not names)


@cache
def reconstructions() -> frozenset[str]:
    """Return the names of the policies whose definition is a reconstruction.

    A policy that chooses among others is no reconstruction because a candidate is one.
    """
    return frozenset(
        name
        for name, entry in policies().items()
        if any(note.startswith("reconstruction:") for note in entry.notes)
        and not any(parameter.kind in ("policy", "policies") for parameter in entry.parameters)
    )


@cache
def sources() -> Mapping[str, str]:
    """Return the contents of the package of each policy of other packages as a sum, by the policy's name."""
    points = {point.name: point.module.partition(".")[0] for point in entry_points(group=GROUP)}
    return {entry.name: _sum_of(points[entry.name]) for entry in found().entries}


def _sum_of(module: str) -> str:
    """The files of a package that has been imported, or of a module."""
    top, digest = sys.modules[module], hashlib.sha256()
    folders = [Path(place) for place in getattr(top, "__path__", ())]
    files = [path for folder in folders for path in sorted(folder.rglob("*")) if path.suffix != ".pyc"]
    for path in files or [Path(top.__file__ or "")]:
        if path.is_file():
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def broken() -> Mapping[str, str]:
    """Return what is wrong with the policies of other packages that cannot be used, by name."""
    return found().broken


def refused() -> tuple[str, ...]:
    """Return a line for each policy of another package whose name another policy has."""
    return found().refused


def origin_of(point: EntryPoint) -> str:
    """Return the name of the package that brings a policy."""
    return point.dist.name if point.dist else "another package"


def entry_of(point: EntryPoint) -> PolicyEntry:
    """Return the entry of a policy of another package. ValueError says what its class lacks."""
    kind = point.load()
    if not inspect.isclass(kind) or not callable(getattr(kind, "schedule", None)):
        raise ValueError(f"{point.value} is no class with a method schedule(self, machine)")
    origin = origin_of(point)
    return PolicyEntry(
        name=point.name,
        summary=str.__str__(inspect.getdoc(kind) or f"A policy of {origin}.").splitlines()[0],
        paper=text_of(kind, "paper", f"the package {origin}"),
        section=0,
        factory=partial(PlainPolicy, kind=kind),
        parameters=tuple(map(parameter_of, parameters_of(kind))),
        notes=notes_of(kind),
    )


def text_of(kind: type, name: str, otherwise: str) -> str:
    """Return a text that a class has, or the other one for None. ValueError where it is no text."""
    given = getattr(kind, name, None)
    if given is not None and type(given) is not str:
        raise ValueError(f"{name} is {given!r}; expected a text")
    return otherwise if given is None else given


def notes_of(kind: type) -> tuple[str, ...]:
    """Return the notes of a class. ValueError where they are no list of texts."""
    given = getattr(kind, "notes", ())
    if type(given) not in (list, tuple) or any(type(note) is not str for note in given):
        raise ValueError(f"notes is {given!r}; expected a list of texts")
    return tuple(given)


def parameters_of(kind: type) -> list[inspect.Parameter]:
    if kind.__init__ is object.__init__:  # type: ignore[misc]
        return []
    return list(inspect.signature(kind).parameters.values())


def parameter_of(given: inspect.Parameter) -> Parameter:
    """Return a parameter by its default value: `"1h"` makes it a duration, and the class is given seconds.

    ValueError if there is no default, or one of another kind.
    """
    default = given.default
    seconds = read_seconds(default) if isinstance(default, str) else None
    if seconds is not None:
        return Parameter(given.name, seconds, "duration", "")
    if type(default) not in KINDS:
        raise ValueError(f"parameter {given.name} has no default that is a truth, a number or a text")
    return Parameter(given.name, default, KINDS[type(default)], "")


def defaults_of(name: str) -> dict[str, object]:
    """Return the parameters of a policy that there is, at their defaults."""
    return {parameter.name: parameter.default for parameter in policies()[name].parameters}


def refuse_broken(name: str) -> None:
    """Say what is wrong with a policy that cannot be used. SessionError."""
    if name in broken():
        raise SessionError(broken()[name])


def choose(
    policy: str, parameters: Mapping[str, object], settings: Mapping[str, object]
) -> dict[str, object]:
    """Return every parameter of a policy: its defaults, then those of the file, then the settings.

    SessionError if there is no such policy or a value is out of range, ScenarioError if a setting is not what
    a parameter takes.
    """
    known = policies()
    refuse_broken(policy)
    if policy not in known:
        raise SessionError(no_policy(policy, known))
    typed = choose_policy(policy, settings, known).parameters
    chosen = {**defaults_of(policy), **parameters, **typed}
    try:
        make(policy, chosen)
    except ValueError as error:
        raise SessionError(f"policy {policy}: {' '.join(str(error).split())}") from error
    return chosen


class Parted:
    """A stream of this program, which leads elsewhere for code from elsewhere that writes to it.

    Such code runs in the main thread while it is called, or in another thread. Of this program only the main
    thread writes.
    """

    def __init__(self, ours: TextIO | None, theirs: TextIO | None) -> None:
        self._ours, self._theirs = ours, theirs

    def write(self, text: str) -> int:
        """Write a text; one from elsewhere without control characters."""
        if not watch().within():
            return 0 if self._ours is None else self._ours.write(text)
        if self._theirs is not None:
            self._theirs.write(printable_lines(text.expandtabs()))
        return len(text)

    def writelines(self, texts: list[str]) -> None:
        for text in texts:
            self.write(text)

    def close(self) -> None:
        """Close it; code from elsewhere cannot, but whoever called it learns of that."""
        if watch().within():
            watch().closed = True
        elif self._ours is not None:
            self._ours.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._theirs if watch().within() else self._ours, name)


def part_output() -> None:
    """From now on, keep the output of code from elsewhere apart; what its threads raise is one line each."""
    watch().diverts = True
    if isinstance(sys.stdout, Parted):
        return
    sys.stdout = cast(TextIO, Parted(sys.stdout, sys.stderr))
    sys.stderr = cast(TextIO, Parted(sys.stderr, sys.stderr))
    threading.excepthook = _failed_thread
    sys.unraisablehook = _unraisable


def _failed_thread(failed: threading.ExceptHookArgs) -> None:
    if failed.exc_value is not None and not isinstance(failed.exc_value, SystemExit):
        name = "" if failed.thread is None else f" {failed.thread.name}"
        _say(f"thread{name} failed: {_words(failed.exc_value, failed.exc_traceback)}")


def _unraisable(failed: "sys.UnraisableHookArgs") -> None:
    if failed.exc_value is not None:
        _say(f"ignored: {_words(failed.exc_value, failed.exc_traceback)}")


def _words(error: BaseException, trace: TracebackType | None) -> str:
    return said(error.with_traceback(trace))


def _say(line: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(printable(line) + "\n")


def break_off() -> bool:
    """Break off each call of such a policy that takes long, in whatever thread; return whether there was one.

    The call ends with a PolicyError. This may be called from any thread.
    """
    return watch().break_off()
