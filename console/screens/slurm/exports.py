"""Files of a cluster: the plan, its lists, its bars and its loads as CSV, and a picture of the screen."""

from pathlib import Path

from shadowtime.console.screens.composed.background_file import BackgroundFile
from shadowtime.console.screens.composed.copies import fault_of, path_of, refuse_writing, save_picture
from shadowtime.console.screens.console.typed import Unknown
from shadowtime.console.screens.slurm.charting.charts import CHARTED
from shadowtime.console.screens.slurm.picture import ClusterPicture
from shadowtime.console.screens.slurm.time.captures import Captures
from shadowtime.console.screens.travel.view import TravelView
from shadowtime.console.session import SessionError
from shadowtime.console.session.files.writers import refuse_overwriting
from shadowtime.console.session.slurm import forecast_of, save_place, write_records, write_rows
from shadowtime.console.session.slurm.board.fields import BoardReading
from shadowtime.console.session.slurm.board.lists import LISTS
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.words.cluster.caveats import caveat
from shadowtime.console.words.phrases import count

PLANNED, PICTURE = "plan", "svg"
WAYS = (PLANNED, *CHARTED, *LISTS, PICTURE)
"""What `:export` writes."""


class ClusterExports:
    """Writes files."""

    def __init__(self, view: TravelView, captures: Captures, picture: ClusterPicture) -> None:
        self._view, self._captures, self._picture = view, captures, picture
        self.writing = BackgroundFile(view)

    def export(self, rest: str) -> None:
        """Write a file: over one that is there if the kind ends in `!`. Unknown, SessionError."""
        refuse_writing(self._view)
        word, _, name = rest.partition(" ")
        kind, force = word.removesuffix("!"), word.endswith("!")
        if kind not in WAYS or not name.strip():
            raise Unknown(f"{rest!r} is no way out; expected export WHAT FILE, of {', '.join(WAYS)}")
        path = path_of(name, f"export {kind}")
        if kind == PICTURE:
            refuse_overwriting([path], force)
            save_picture(self._view, path, self._captures.board.cluster)
            return
        try:
            rows = self._write(kind, str(path), force)
        except OSError as error:
            raise SessionError(fault_of(error)) from None
        self._view.say(f"{path}: {count(rows, 'row')} of the {'list' if kind in LISTS else kind}")

    def save(self, rest: str, over: bool = False) -> None:
        """Write where the cluster stands, to be opened there. Unknown, SessionError."""
        refuse_writing(self._view)
        source, course = self._captures.source, self._captures.travel.course
        if source.altered:
            raise SessionError(f"{source.altered} is not saved; expected the parameters of the cluster")
        if isinstance(source, Folder) and (source.now is not None or str(source.zone) != "UTC"):
            raise SessionError("a place keeps neither --now nor --timezone; expected a folder opened without")
        path = path_of(rest, "save")
        try:
            save_place(Path(course.capture.folder), course.stand.number, path, over)
        except OSError as error:
            raise SessionError(fault_of(error)) from None
        self._view.say(f"saved to {path}", "good")

    def report(self, rest: str, over: bool = False) -> None:
        """Write the report of the capture, in a worker. Unknown, SessionError."""
        refuse_writing(self._view)
        if self._captures.travel.stepped:
            raise Unknown(f"a report is of the capture; {self._view.key('first')} returns to it")
        if altered := self._captures.source.altered:
            raise SessionError(f"a report has the parameters of the cluster, not {altered}; use against")
        # What it imports takes as long as a key, and no first screen needs it.
        from shadowtime.console.screens.slurm.report_file import ClusterReportFile

        self.writing.begin(ClusterReportFile(self._captures.board, self._picture.dates, rest, over))

    def _write(self, kind: str, path: str, force: bool) -> int:
        """Write a file; return how many rows it has."""
        board = self._captures.board
        if kind == PLANNED:
            found = forecast_of(board.capture, board.now)
            write_rows(found, path, caveat, force, self._picture.zone)
            return len(found.rows)
        if kind in CHARTED:
            names = CHARTED[kind]
            rows = [dict(zip(names, row, strict=True)) for row in self._picture.charts.rows(kind)]
            write_records(names, rows, path, force)
            return len(rows)
        listed = LISTS[kind].rows(board)
        fields = LISTS[kind].fields
        write_records(
            list(fields.exported), fields.records(BoardReading(board, board.now), listed), path, force
        )
        return len(listed)
