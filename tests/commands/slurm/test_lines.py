"""A cluster in lines: the words of a scenario, over the events of the cluster."""

import io
from datetime import UTC
from pathlib import Path

import pytest

from shadowtime.console.commands.slurm.lines import ClusterLines
from shadowtime.console.commands.slurm.outlook import outlook_of
from shadowtime.console.commands.slurm.reaching import Reached
from shadowtime.console.session import SessionError
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.widgets.slurm.dates import Dates
from tests.scenarios.slurm.support import NOW, write
from tests.session.slurm.captures import contents, running, waiting


@pytest.fixture
def reached(tmp_path: Path) -> Reached:
    """Two jobs hold all nodes, and two wait."""
    folder = Folder(
        write(
            tmp_path / "c",
            contents(
                [
                    running(1, ("n1", "n2"), NOW - 60),
                    running(2, ("n3", "n4"), NOW - 300),
                    waiting(3, node_count=3),
                    waiting(9),
                ]
            ),
        )
    )
    return Reached(folder, Dates(UTC), None, False)


def printed(reached: Reached, *typed: str, at: str | None = None) -> list[str]:
    lines: list[str] = []
    ClusterLines(reached, lines.append, at, io.StringIO("".join(f"{line}\n" for line in typed))).run()
    begun = next(place for place, line in enumerate(lines) if line.startswith("Enter is"))
    return [line for line in lines[begun + 1 :] if line]


def number(line: str) -> int:
    assert line.startswith("event "), line
    return int(line.removeprefix("event ").partition(",")[0])


def test_the_words_of_time_move_a_cluster(reached: Reached) -> None:
    """Steps, starts, places and breakpoints, forward and back."""
    found = printed(reached, "", "n 2", "p", "g start", "g #2", "g +0s")
    assert [number(line) for line in found if line.startswith("event")] == [1, 2, 3, 2, 0, 2, 2]
    first, second, again = (line for line in printed(reached, "N", "p", "N"))
    assert first == again and number(second) == number(first) - 1
    found = printed(reached, "break queue < 2", "breaks", "c", "p", "C", "unbreak 1", "c")
    assert found[1] == "1  queue < 2" and found[2] == "breakpoint: queue < 2"
    assert number(found[3]) - 1 == number(found[4])


def test_a_job_and_the_plan_of_a_position_are_printed(reached: Reached) -> None:
    """What is not known is one line, and nothing moves."""
    found = printed(reached, "why 3", "plan", "why 99", "dance", "g soon", "q", "n")
    assert any("job 3" in line for line in found)
    assert not any(line.startswith("event") for line in found) and len(found[-3:]) == 3
    assert "99" in found[-3] and "dance" in found[-2] and "soon" in found[-1]


def test_help_has_the_words_that_a_cluster_knows(reached: Reached) -> None:
    names = {line.split()[0] for line in printed(reached, "help")}
    assert {"Enter", "n", "p", "N", "P", "g", "c", "C", "break", "breaks", "unbreak", "why", "plan"} <= names
    assert not names & {"hold", "undo", "gangster"}


@pytest.mark.parametrize("at", ["#99999", "+900d"])
def test_a_place_after_the_last_event_is_refused(reached: Reached, at: str) -> None:
    """By the lines and by what is expected of a cluster from there on."""
    with pytest.raises(SessionError, match="after the last event"):
        ClusterLines(reached, lambda _: None, at).run()
    with pytest.raises(SessionError, match="after the last event"):
        outlook_of(reached, at)
