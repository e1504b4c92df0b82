"""Ways out: what a session has come to, as files that other programs read.

Each is written from a run of its own that is replayed from the beginning, so that a worker may write while
the session goes on, and appears whole or not at all.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.files.exports.batsim import save_batsim
from shadowtime.console.session.files.exports.swf import save_swf
from shadowtime.console.session.files.replay import Replay
from shadowtime.console.session.files.report import Outcomes, save_events
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.session import Session


def save_schedule(replay: Replay, path: str | Path, progress: Progress | None = None) -> None:
    """Write the schedule as CSV. OSError leaves nothing half-written."""
    Outcomes(replay.case, replay.simulation, replay).save_schedule(path, progress)


@attrs.frozen
class Way:
    """One way out: what is written, and the ending that its file usually has."""

    about: str
    ending: str
    write: Callable[[Replay, Path, Progress | None], None]
    without: str = ""
    """What is reported of a file that has its heading only."""


WAYS: Mapping[str, Way] = {
    "events": Way("every event with its decisions and reasons, as JSON lines", ".jsonl", save_events),
    "schedule": Way("when each job started and ended, as CSV", ".csv", save_schedule),
    "swf": Way("the schedule in the Standard Workload Format", ".swf", save_swf),
    "batsim": Way(
        "the jobs as Batsim writes them, with their nodes (for evalys)",
        ".csv",
        save_batsim,
        "no job is over yet",
    ),
}
"""The ways out, by name."""


class Export:
    """A file to be written, in any thread, of a session as it stands when this is made."""

    def __init__(self, session: Session, kind: str, path: str | Path) -> None:
        if kind not in WAYS:
            raise SessionError(f"{kind!r} is no way out; expected one of {', '.join(WAYS)}")
        self.path = Path(path).expanduser()
        self._way = WAYS[kind]
        self._replay = Replay.of(session.run).apart()
        self.remark = ""
        """After `run`, what has to be known of what was written; nothing for the usual."""

    def run(self, progress: Progress | None = None) -> None:
        """Write the file. OSError, and what `progress` raises, leave what was there before."""
        self._way.write(self._replay, self.path, progress)
        if self._way.without and _bare(self.path):
            self.remark = self._way.without


def _bare(path: Path) -> bool:
    """Whether a file has one line at most; what is no plain file (a pipe, a terminal) is not asked."""
    if not path.is_file():
        return False
    with path.open(encoding="utf-8") as stream:
        stream.readline()
        return not stream.readline()
