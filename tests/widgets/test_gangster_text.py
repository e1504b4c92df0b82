"""Gangster's display: Figure 8 of Feitelson & Jette 1997, letter for letter, and what else it may meet."""

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.facts import Row
from shadowtime.console.widgets.metrics.gangster_text import (
    GangsterJob,
    base_text,
    bases,
    executed,
    gangster,
    map_lines,
    summary_lines,
)
from shadowtime.console.widgets.nodemap.torus_layout import Torus
from shadowtime.console.words import PE

T3D = Torus(8, 4, 8, 2, PE)
SHAPES = {8: (4, 2, 1), 32: (8, 2, 2), 128: (8, 4, 4)}
SUMMARY = """
Int d colombo 2976 icl1 8 100 1 R 42:44
Int h mshaw 9529 icf3d 32 020 2 R 00:33
Bmrk g grote 9264 warpslav 32 200 1 R
Prod a caturla 95396 moldy 128 400 2 R 107:35
Prod b colombo 98057 vdif 8 000 3 R 91:54
Prod c wenski 98484 pproto6 32 220 3 R 85:12
Prod e colombo 8712 icl3 8 004 1 R 6:23
Prod f colombo 8873 icl2 8 104 2 R 4:54
Prod i dan 5684 camille 32 020 0 O 32:08
""".strip().splitlines()
"""The lines of the figure that can be read whole."""
LOWER = ["bdggaaaa", "bdggaaaa", "efggaaaa", "efggaaaa"]
UPPER = ["hhccaaaa"] * 4
NAMES = {"Int": "interactive", "Prod": "production", "Bmrk": "benchmark"}


def words(line: str) -> str:
    """A line with single blanks."""
    return " ".join(line.split())


def base_of(digits: str) -> int:
    """The processor at Z, Y, X."""
    z, y, x = map(int, digits)
    return x + 8 * y + 32 * z


def figure() -> list[GangsterJob]:
    """The jobs of the figure, from its lines."""
    jobs = []
    for index, line in enumerate(SUMMARY):
        klass, letter, user, pid, command, size, base, wire, state, *ran = line.split()
        minutes, seconds = map(int, ran[0].split(":")) if ran else (0, 0)
        jobs.append(
            GangsterJob(
                index,
                letter,
                NAMES[klass],
                user,
                int(pid),
                command,
                int(size),
                base_of(base),
                int(wire),
                state,
                60 * minutes + seconds if ran else None,
            )
        )
    return jobs


def owners_of(jobs: list[GangsterJob]) -> list[int]:
    """The machine with the blocks of these jobs, from their bases and shapes."""
    owners = [-1] * 256
    for job in jobs:
        for x, y, z in (
            (x, y, z)
            for x in range(SHAPES[job.size][0])
            for y in range(SHAPES[job.size][1])
            for z in range(SHAPES[job.size][2])
        ):
            assert job.base is not None
            assert owners[job.base + x + 8 * y + 32 * z] == -1, "two blocks overlap"
            owners[job.base + x + 8 * y + 32 * z] = job.index
    return owners


def figure_owners() -> list[int]:
    """Figure 8's machine: the running jobs on their blocks."""
    return owners_of([job for job in figure() if job.state == "R"])


def test_the_blocks_of_figure_8_draw_its_map() -> None:
    """Planes of Y from 3 down to 0, each further right than the one below; the jobs tile the machine."""
    owners = figure_owners()
    assert -1 not in owners
    lines = [line for line in map_lines(T3D, owners, figure(), 30) if line]
    assert [line.split()[-1] for line in lines] == 2 * UPPER + 2 * LOWER
    lefts = [line.index(line.split()[-1]) for line in lines]
    assert lefts == [left for left in (12, 9, 6, 3) for _ in range(4)]
    assert [line.split()[0] for line in lines if len(line.split()) == 2] == ["y3", "y2", "y1", "y0"]


def test_the_summary_shows_what_figure_8_shows() -> None:
    """Word for word: minutes go past sixty, and the time that cannot be read stays blank."""
    heading, *lines = summary_lines(T3D, figure())
    assert words(heading) == "CLAS JOB-USER PID COMMAND #PE BASE W ST MM:SS"
    assert [words(line) for line in lines] == SUMMARY


def test_map_and_summary_stand_side_by_side_in_80_columns() -> None:
    """The whole display; in fewer columns the summary stands below."""
    lines = gangster(T3D, figure_owners(), figure())
    assert lines[:7] == [
        "         y3 hhccaaaa  CLAS JOB-USER    PID COMMAND  #PE BASE W ST  MM:SS",
        "            hhccaaaa  Int  d colombo  2976 icl1       8  100 1 R   42:44",
        "            hhccaaaa  Int  h mshaw    9529 icf3d     32  020 2 R   00:33",
        "            hhccaaaa  Bmrk g grote    9264 warpslav  32  200 1 R",
        "                      Prod a caturla 95396 moldy    128  400 2 R  107:35",
        "      y2 hhccaaaa     Prod b colombo 98057 vdif       8  000 3 R   91:54",
        "         hhccaaaa     Prod c wenski  98484 pproto6   32  220 3 R   85:12",
    ]
    assert lines[-1] == "   efggaaaa"
    narrow = gangster(T3D, figure_owners(), figure(), 60)
    assert narrow == [*map_lines(T3D, figure_owners(), figure(), 60), "", *summary_lines(T3D, figure())]


def test_nodes_without_a_job_and_jobs_without_a_letter() -> None:
    """Idle, down, half of a node down, a job that the summary leaves out, and one on half of a node."""
    torus = Torus(2, 1, 5, 2, PE)
    (line,) = map_lines(torus, array("i", [-1, -1, -2, -2, -2, 4, 9, 9, -1, 4]), [made(4, "q")], 20)
    assert line == "y0 .Xx?q"


def test_what_a_job_does_not_have_is_left_open() -> None:
    """No block, no wire, no name; a class of another machine keeps its first letters."""
    (_, line) = summary_lines(T3D, [made(4, "q", klass="urgent")])
    assert line.split() == ["urge", "q", "-", "17", "-", "8", "-", "-", "N", "00:00"]
    (_, line) = summary_lines(T3D, [made(5, "r", klass="")])
    assert line.split()[0] == "-"


def made(index: int, letter: str, klass: str = "standby") -> GangsterJob:
    """A job that has nothing yet."""
    return GangsterJob(index, letter, klass, "", 17, "", 8, None, None, "N", 0)


@given(st.integers(0, 255))
def test_a_base_is_its_place_with_z_first(unit: int) -> None:
    """Three digits, as the paper prints them."""
    assert base_of(base_text(T3D, unit)) == unit


def test_a_long_torus_has_commas_in_its_bases() -> None:
    """Places past nine would run together."""
    assert base_text(Torus(2, 2, 12), 47) == "11,1,1"


def test_the_base_of_a_block_is_its_lowest_processor() -> None:
    """As many bases as jobs on the machine, and those of the figure."""
    running = [job for job in figure() if job.state == "R"]
    assert bases(figure_owners()) == {job.index: job.base for job in running}


def row(**others: object) -> Row:
    """A production job of 8 processors with an estimate of an hour."""
    defaults = {
        "index": 53,
        "id": 412,
        "user": "kim",
        "klass": "production",
        "queue": "",
        "name": "moldy",
        "state": "R",
        "size": 8,
        "submit": 0,
        "estimate": 3600,
        "wait": 0,
        "start": 100,
    }
    return Row(**{**defaults, **others})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("others", "seconds"),
    [
        ({"start": None, "state": "N"}, 0),
        ({"end": 3700}, 900),
        ({"end": 4000}, 600),
        ({"end": None}, 900),
        ({"state": "O", "terms": {"done": 250}}, 250),
        ({"state": "O"}, None),
    ],
)
def test_the_time_is_that_of_all_its_runs(others: dict[str, object], seconds: int | None) -> None:
    """A job that was interrupted for 300 s ends 300 s later, and has run 300 s less."""
    assert executed(row(**others), 1000) == seconds


def test_a_row_of_the_queue_becomes_a_line() -> None:
    """Its id stands for the process; base and wire are those given, else those of the policy's terms."""
    job = GangsterJob.of(row(), 1000, base=64, wire=2)
    assert words(summary_lines(T3D, [job])[1]) == "Prod d kim 412 moldy 8 200 2 R 15:00"
    job = GangsterJob.of(row(state="O", terms={"wire": 3, "base": 32, "done": 61}), 1000)
    assert words(summary_lines(T3D, [job])[1]) == "Prod d kim 412 moldy 8 100 3 O 1:01"
