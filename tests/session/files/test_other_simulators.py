"""What other simulators found stands beside ours."""

from pathlib import Path

import pytest

import shadowtime
from tests.commandline import ROOT

ACCASIM = """5;7;2017-05-01 10:00:00__node_1;core:2;mem:5#__2017-05-01 10:01:00;2017-05-01 11:00:00;1;2;5;90;
6;7;2017-05-01 10:30:00__node_2;core:1;mem:5#__2017-05-01 10:30:00;2017-05-01 10:30:10;1;1;5;9;
"""
BATSIM = "job_id,submission_time,starting_time,finish_time\n"


def test_batsims_jobs_are_read(tmp_path: Path) -> None:
    """Those that we write have the times that we found; what was rejected is left out."""
    session = shadowtime.run(ROOT / "scenarios" / "fj97" / "dilemma.toml", policy="easy")
    path = tmp_path / "jobs.csv"
    shadowtime.export(session, "batsim", path)
    ours = {str(row["job"]): row for row in shadowtime.jobs(session).rows()}
    theirs = list(shadowtime.outcomes(path).rows())
    assert len(theirs) == len(ours) > 0
    assert all(row[name] == ours[str(row["job"])][name] for row in theirs for name in row if name != "job")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], lines[1].replace("COMPLETED_SUCCESSFULLY", "REJECTED"), *lines[2:]]))
    assert len(shadowtime.outcomes(path)) == len(ours) - 1


def test_a_schedule_of_accasim_is_read(tmp_path: Path) -> None:
    """In seconds from the first submission."""
    (tmp_path / "s").write_text(ACCASIM)
    rows = [tuple(row.values()) for row in shadowtime.outcomes(tmp_path / "s").rows()]
    assert rows == [("5", 0, 60, 3600, 60, 3600), ("6", 1800, 1800, 1810, 0, 10)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("nothing\n", ":1"), (ACCASIM + "7;x\n", ":3"), ("job_id,starting_time\n1,x\n", ":2"),
        (BATSIM + "1,0,nan,9\n", ":2"), (BATSIM + "1,0,5,9\n2,0,5,inf\n", ":3"),
        (BATSIM + "1" * 200_000, ""), ("", ""), ("\udcff", ""),
    ],
)  # fmt: skip
def test_other_files_are_refused(text: str, line: str, tmp_path: Path) -> None:
    """By their line, or as a whole."""
    (tmp_path / "s").write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(shadowtime.SessionError, match=f"s{line}: .*expected"):
        shadowtime.outcomes(tmp_path / "s")
