"""Availability as text."""

from shadowtime.console.session.facts import Prediction, Row
from shadowtime.console.session.jobs.availability import Availability, Head, Profile
from shadowtime.console.widgets.availability.text import AvailabilityPicture, AvailabilityScene
from shadowtime.console.widgets.gantt.scale import Scale
from shadowtime.console.widgets.nodemap.cells import text_of

FOUND = Availability(
    now=0,
    nodes=8,
    ends=Profile([0, 10], [2, 8]),
    planned=Profile([0, 10, 20], [2, 2, 8]),
    head=Head(job=1, size=6, time=10, extra=2, shadow=True),
    starts={1: 10},
)
ROW = Row(1, 2, "ada", "", "", "", "N", 6, 0, 10, 0, predicted=Prediction(10, "expected", 1))


def lines(
    selected: int | None = None, cursor: tuple[int, int] | None = None, blocks: bool = False
) -> list[str]:
    scale = Scale(nodes=8, rows=4, columns=15, per=2, span=2)
    picture = AvailabilityPicture(
        AvailabilityScene(
            scale, FOUND, str, lambda index: ROW if index == 1 else None, selected, cursor, blocks
        )
    )
    drawn = [picture.heading(), *(picture.line(row) for row in range(4)), *picture.under(70, 5)]
    return [text_of(line).rstrip() for line in drawn]


def test_free_nodes_are_drawn_over_time_with_the_shadow_time_of_the_head() -> None:
    assert lines()[1:5] == [
        "    8      ┊░░░░█████",
        "    6      ┊░░░░█████",
        "    4      ┊░░░░█████",
        "    2 ███████████████",
    ]


def test_the_job_looked_at_is_laid_over_the_nodes_it_takes() -> None:
    drawn = lines(selected=1)
    letter = drawn[1][11]
    assert letter.isalpha() and drawn[1] == f"    8      {letter * 5}█████"
    assert drawn[4] == "    2 ███████████████"
    assert drawn[5] == "job 1 needs 6 nodes  expected 0d 00:00:10 for 10s"
    assert drawn[6] == "┊ shadow time 0d 00:00:10 of job 1  ┄ 2 extra"


def test_with_two_lines_the_head_has_the_second() -> None:
    scale = Scale(nodes=8, rows=4, columns=15, per=2, span=2)
    picture = AvailabilityPicture(AvailabilityScene(scale, FOUND, str, lambda index: ROW, selected=1))
    drawn = [text_of(line) for line in picture.under(40, 2)]
    assert drawn == ["job 1 needs 6 nodes", "┊ shadow time 0d 00:00:10 of job 1"]


def test_the_cursor_reads_both_numbers() -> None:
    assert lines(cursor=(0, 5))[5] == "at 0d 00:00:10  2 nodes free as planned  8 as running jobs end"


def test_on_a_torus_a_block_is_needed() -> None:
    assert any("a job needs a block" in line for line in lines(blocks=True))
