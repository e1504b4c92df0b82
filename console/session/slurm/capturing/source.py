"""Where captures come from: a folder that is read again, or a live cluster that is captured again."""

from contextlib import closing
from datetime import UTC, tzinfo
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs

from shadowtime.console.session.slurm.capturing.commands import Reach
from shadowtime.console.session.slurm.capturing.taking import capture
from shadowtime.console.session.slurm.parameters import Overrides
from shadowtime.scenarios.slurm import Capture, Settings, read_capture
from shadowtime.scenarios.slurm.accounted.records import Past
from shadowtime.scenarios.slurm.errors import CaptureError, broken

ON_ITS_WAY = 600
"""Seconds after which slurmdbd knows that a job has started or ended."""


@attrs.define
class ClusterSource:
    """What gives the cluster as it is now, if need be with other parameters."""

    live: bool = attrs.field(default=False, kw_only=True)
    """Whether a capture is of the moment at which it is taken."""
    overrides: Overrides = attrs.field(factory=Overrides, kw_only=True)
    altered: str = attrs.field(default="", init=False)
    """The parameters that are not those of the configuration, beside its own; empty for none."""

    @property
    def name(self) -> str:
        """The source in a word or a path."""
        raise NotImplementedError

    def take(self) -> Capture:
        """Return the cluster. ScenarioError, SessionError or OSError in one line if that fails."""
        found = self._taken()
        self.altered = self.overrides.words(found)
        return self.overrides.apply(found)

    def _taken(self) -> Capture:
        """The cluster with the parameters of its configuration."""
        raise NotImplementedError

    def stop(self) -> None:
        """Break off what is taken, from another thread; nothing is taken any more."""

    def close(self) -> None:
        """Remove what was written."""


def take_once(source: ClusterSource) -> Capture:
    """Return the cluster, and close its source. ScenarioError, SessionError or OSError in one line."""
    with closing(source):
        return source.take()


@attrs.define
class Folder(ClusterSource):
    """A captured folder. `zone` is that of the clock of lines without one; `now` the instant of the cycle."""

    path: Path
    zone: tzinfo = UTC
    now: int | None = None

    @property
    def name(self) -> str:
        return str(self.path)

    def _taken(self) -> Capture:
        """Read the folder. CaptureError; one that does not say when it was read needs `now`."""
        found = read_capture(self.path, self.zone)
        taken = found.taken if self.now is None else self.now
        if not taken:
            raise broken(
                self.path,
                "does not say when it was read; expected the instant as --now, as date +%s prints it",
            )
        return attrs.evolve(found, taken=taken)


@attrs.define
class Live(ClusterSource):
    """A cluster. Its captures lie in a folder of their own until it is closed."""

    runner: Reach
    live: bool = attrs.field(default=True, kw_only=True)
    notes: tuple[str, ...] = ()
    """What the last capture lacks."""
    seconds: float = 0.0
    """How long the last capture took."""
    _folder: "TemporaryDirectory[str] | None" = attrs.field(default=None, init=False)
    _settings: Settings | None = attrs.field(default=None, init=False)
    _past: Past | None = attrs.field(default=None, init=False)
    _known: int = attrs.field(default=0, init=False)
    """Up to where the accounting is known, but for what was on its way to slurmdbd then."""
    _running: Reach | None = attrs.field(default=None, init=False)

    @property
    def name(self) -> str:
        """`slurm`, and how it is reached."""
        return f"slurm {self.runner.name}".rstrip()

    def _taken(self) -> Capture:
        """Capture the cluster. SessionError or CaptureError in one line; OSError."""
        if self._folder is None:
            self._folder = TemporaryDirectory(prefix="shadowtime-")
        with TemporaryDirectory(dir=self._folder.name) as folder:
            # A capture that fails stops its runner.
            runner = self._running = self.runner.again()
            try:
                taken = capture(Path(folder), runner, self._settings, max(0, self._known - ON_ITS_WAY))
                found = self._with_past(read_capture(Path(folder), UTC), taken.taken)
            except CaptureError as error:
                raise _without(folder, error) from None
        self.runner = runner
        self._settings, self.notes, self.seconds = found.settings, taken.notes, taken.seconds
        return attrs.evolve(found, taken=taken.taken)

    def _with_past(self, found: Capture, taken: int) -> Capture:
        """A capture with the accounting of those before it."""
        past = found.past
        if past is not None:
            before = Past() if self._past is None else self._past
            # Rows that cannot be read a second time will not be readable the next time, either.
            if not past.fault or 0 < past.unread == before.unread:
                self._known = taken
            self._past = before.followed_by(past, taken)
        return attrs.evolve(found, past=self._past)

    def stop(self) -> None:
        """End the commands that run."""
        if self._running is not None:
            self._running.stop()

    def close(self) -> None:
        """Remove the captures."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


def _without(folder: str, error: CaptureError) -> CaptureError:
    """The error with the names of its files alone: nobody finds the folder any more."""
    return CaptureError(
        attrs.evolve(fault, file=Path(fault.file).name if fault.file.startswith(folder) else fault.file)
        for fault in error.faults
    )
