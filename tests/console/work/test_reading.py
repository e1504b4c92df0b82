"""Files that a screen reads in a worker."""

from pathlib import Path

import pytest

from shadowtime.console.screens.opening import FileReading
from shadowtime.console.session.work import Broken
from tests.growing import write_log


def test_a_file_that_nobody_wants_any_more_is_not_read_to_its_end(tmp_path: Path) -> None:
    """The reading ends with its next piece."""
    write_log(tmp_path / "log.swf", 100)
    reading = FileReading(tmp_path / "log.swf")
    reading.stop()
    with pytest.raises(Broken):
        reading.run()
    assert reading.over and reading.words == "reading log.swf ..."
