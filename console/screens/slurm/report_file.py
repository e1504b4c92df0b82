"""The report of a captured cluster, written from its console."""

import re
from pathlib import Path

from shadowtime.console.screens.composed.copies import path_of
from shadowtime.console.session.files.writers import refuse_overwriting, written_whole
from shadowtime.console.session.progress import Progress
from shadowtime.console.session.report.cluster import captured_report
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.widgets.report.cluster import cluster_page
from shadowtime.console.widgets.slurm.dates import Dates

_TYPED = re.compile(r"(?P<file>.*?)(?:\s+against\s+(?P<against>.+))?")


class ClusterReportFile:
    """A report of a board; `run` may be called in any thread."""

    remark = ""

    def __init__(self, board: Board, dates: Dates, typed: str, over: bool) -> None:
        """`typed` is `FILE [against POLICY]`. Unknown; SessionError: a file that is there, unless `over`."""
        found = _TYPED.fullmatch(typed.strip())
        assert found is not None
        self.path: Path = path_of(found["file"], "report")
        refuse_overwriting([self.path], over)
        self._board, self._dates, self._against = board, dates, found["against"]

    def run(self, progress: Progress) -> None:
        report = captured_report(self._board, self._against, progress)
        with written_whole(self.path) as stream:
            stream.write(cluster_page(report, self._dates))
