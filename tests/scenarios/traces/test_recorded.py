"""The mean wait that a log records."""

from pathlib import Path

from shadowtime.scenarios.traces.recorded import recorded_mean_wait
from shadowtime.scenarios.traces.swf import Rules, open_log, read_jobs_of


def mean(folder: Path, waits: list[int], window: range) -> float | None:
    """Of a log whose jobs are submitted each 10 s and record these waits."""
    path = folder / "log.swf"
    rows = (f"{n} {10 * n} {wait} 5 1 -1 -1 1 9 -1 1 1 -1 -1 -1 -1 -1 -1" for n, wait in enumerate(waits, 1))
    path.write_text("; MaxProcs: 4\n" + "\n".join(rows) + "\n")
    return recorded_mean_wait(path, read_jobs_of(open_log(path), 4, Rules()), window)


def test_the_mean_is_that_of_the_window(tmp_path: Path) -> None:
    """It is not known where one wait of the window is not, or where no job comes."""
    waits = [100, 7, 0, 5, -1]
    assert mean(tmp_path, waits, range(20, 50)) == 4
    assert mean(tmp_path, waits, range(20, 51)) is None
    assert mean(tmp_path, waits, range(60, 70)) is None
