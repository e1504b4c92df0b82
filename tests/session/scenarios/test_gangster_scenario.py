"""Figure 8 of Feitelson & Jette 1997: the scenario's machine at 18:00 is the paper's, letter for letter."""

import io

import pytest

from shadowtime.console.lines import tell
from shadowtime.console.session import load, scenario_files

PATH = next(path for path in scenario_files() if path.stem == "gangster")
JOBS = """
Int d colombo 2976 icl1 8 100 1 R 42:44
Int h mshaw 9529 icf3d 32 020 2 R 00:33
Bmrk g grote 9264 warpslav 32 200 1 R
Prod a caturla 95396 moldy 128 400 2 R 107:35
Prod b colombo 98057 vdif 8 000 3 R 91:54
Prod c wenski 98484 pproto6 32 220 3 R 85:12
Prod e colombo 8712 icl3 8 004 1 R 6:23
Prod f colombo 8873 icl2 8 104 2 R 4:54
Prod i dan 5684 camille 32 020 0 O 32:08
Prod j vickie 99393 kiten
""".strip().splitlines()
"""The lines of the figure, as far as they can be read."""
MAP = 8 * ["hhccaaaa"] + 2 * (2 * ["bdggaaaa"] + 2 * ["efggaaaa"])
"""The planes of the figure, Y from 3 down to 0: X down, Z to the right."""


def display(at: int) -> list[str]:
    """What gangster prints at an instant of the scenario."""
    out = io.StringIO()
    assert tell(load(PATH), None, io.StringIO(f"g {at}\ngangster\nq\n"), out, True) == 0
    return out.getvalue().rpartition("\n> ")[0].rpartition("\n> ")[2].splitlines()


@pytest.fixture(scope="module", name="figure")
def figure_fixture() -> list[str]:
    """The display of the figure's instant."""
    return display(6600)


def test_the_map_is_the_figures(figure: list[str]) -> None:
    """Every letter of every plane, from the highest to the lowest, each further right than the one below."""
    rows = [next(word for word in line.split() if len(word) == 8) for line in figure if "aaaa" in line]
    assert rows == MAP
    lefts = [line.index(row) for line, row in zip((x for x in figure if "aaaa" in x), rows, strict=True)]
    assert lefts[::4] == sorted(lefts[::4], reverse=True) and len(set(lefts)) == 4


def test_the_summary_is_the_figures(figure: list[str]) -> None:
    """Heading, jobs in order, and every word of a line that can be read in the paper."""
    start = figure[0].index("CLAS")
    heading, *jobs = [" ".join(line[start:].split()) for line in figure if line[start:].strip()]
    assert heading == "CLAS JOB-USER PID COMMAND #PE BASE W ST MM:SS"
    assert len(jobs) == len(JOBS) and all(map(str.startswith, jobs, JOBS))
    assert jobs[-1] == "Prod j vickie 99393 kiten 128 - - N 00:00"


def test_a_saved_job_shows_where_it_was_and_a_waiting_one_where_it_goes() -> None:
    """At 02:01:00 the new job waits for the block of the other one, which is being saved."""
    lines = [" ".join(line.split()) for line in display(7260)]
    assert any(line.endswith("Prod a caturla 95396 moldy 128 400 2 o 118:35") for line in lines)
    assert any(line.endswith("Prod j vickie 99393 kiten 128 400 0 W 00:00") for line in lines)
    assert any(line.endswith("Prod i dan 5684 camille 32 020 0 O 32:08") for line in lines)
