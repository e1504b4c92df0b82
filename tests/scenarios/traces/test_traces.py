"""The real logs, where they are at hand: the counts of their description, every job accounted for."""

from pathlib import Path

import pytest

from shadowtime.scenarios import ScenarioError, read_scenario
from shadowtime.scenarios.traces.rows import first_row
from shadowtime.scenarios.traces.swf import Rules, open_log, read_jobs_of
from tests.scenarios.support import POLICIES, Desk
from tests.scenarios.traces.plain_rows import lines, plain_rows
from tests.scenarios.traces.reading import read_swf

# Rows; usable jobs; jobs whose runtime passes the request; jobs without a request; size of the machine.
LOGS = {
    "KTH-SP2-1996-2": (28_489, 28_481, 475, 0, 100),
    "KTH-SP2-1996-2.1-cln": (28_476, 28_467, 475, 0, 100),
    "SDSC-SP2-1998-4.2-cln": (59_715, 54_034, 4_134, 66, 128),
    "SDSC-BLUE-2000-4-cln.derived": (232_542, 232_542, 0, 0, 1152),
    "CTC-SP2-1996-3.1-cln.derived": (77_199, 77_199, 0, 0, 338),
    "HPC2N-2002-2.partial": (3_170, 3_145, 320, 0, 240),
    "LANL-CM5-1994-4.1-cln": (122_060, 122_055, 40_180, 11_290, 1024),
    "NASA-iPSC-1993-3": (42_264, 42_049, 0, 42_264, 128),
    "NASA-iPSC-1993-3.1-cln": (18_239, 18_066, 0, 18_239, 128),
    "LLNL-Atlas-2006-2.1-cln": (43_778, 36_600, 3_351, 8_233, 9216),
    "RICC-2010-2": (447_794, 447_784, 7_092, 2, 8192),
    "CEA-Curie-2011-2.1-cln": (312_826, 295_540, 5_416, 3, 93_312),
    "UniLu-Gaia-2014-1": (51_987, 51_859, 1_500, 0, 2004),
}
MONTHS = {
    "1996-09": 106, "1996-10": 2407, "1996-11": 1984, "1996-12": 2308, "1997-01": 2931, "1997-02": 2924,
    "1997-03": 2081, "1997-04": 2854, "1997-05": 4081, "1997-06": 2702, "1997-07": 2185, "1997-08": 1926,
}  # fmt: skip


def find(traces: Path, name: str) -> Path:
    path = traces / f"{name}.swf.xz"
    if not path.is_file():
        pytest.skip(f"{path.name} is not in SHADOWTIME_TRACES")
    return path


@pytest.mark.proof
@pytest.mark.parametrize("name", LOGS)
def test_every_row_is_accounted_for(traces: Path, name: str) -> None:
    """Jobs and dropped rows are all the rows; the counts are those of the logs' description."""
    rows, usable, overruns, unrequested, nodes = LOGS[name]
    scenario = read_scenario(find(traces, name), policies=POLICIES)
    workload = scenario.workload
    assert scenario.machine.nodes == nodes
    assert (workload.rows, len(workload)) == (rows, usable)
    assert usable + sum(workload.dropped.values()) == rows
    assert sum(workload.killed) == overruns
    assert not workload.notes
    assert all(map(int.__le__, workload.runtime, workload.estimate))
    assert max(workload.size) <= nodes and min(workload.size) > 0
    if unrequested == rows:
        assert workload.estimate == workload.runtime


@pytest.mark.proof
@pytest.mark.parametrize(
    "name", ["CEA-Curie-2011-2.1-cln", "LLNL-Atlas-2006-2.1-cln", "SDSC-SP2-1998-4.2-cln"]
)
def test_missing_estimates_may_be_dropped(traces: Path, name: str) -> None:
    """Then they are counted too, as far as nothing else was wrong with them."""
    log = open_log(find(traces, name))
    workload = read_jobs_of(log, LOGS[name][4], Rules(missing_estimate="drop", overrun="extend"))
    assert len(workload) + sum(workload.dropped.values()) == workload.rows == LOGS[name][0]
    assert workload.dropped.get("estimate", 0) <= LOGS[name][3]
    assert not any(workload.killed)


def test_dropped_for_each_reason(traces: Path) -> None:
    """The first reason that holds counts; a smaller machine drops what is larger."""
    assert read_swf(find(traces, "KTH-SP2-1996-2.1-cln")).dropped == {"runtime": 8, "size": 1}
    assert read_swf(find(traces, "LANL-CM5-1994-4.1-cln")).dropped == {"runtime": 2, "size": 3}
    small = read_swf(find(traces, "CTC-SP2-1996-3.1-cln.derived"), nodes=64)
    assert len(small) + small.dropped["larger_than_machine"] == 77_199
    with pytest.raises(ScenarioError):
        read_swf(find(traces, "NASA-iPSC-1993-3"), nodes=0)


@pytest.mark.proof
def test_months_of_kth(traces: Path, desk: Desk) -> None:
    """As many submissions in each month as the description says; months are parts of the whole log."""
    path = find(traces, "KTH-SP2-1996-2")
    whole = read_swf(path)
    assert whole.group is not None
    for index, (month, count) in enumerate(MONTHS.items()):
        text = f'[policy]\nname = "fcfs"\n[workload]\nlog = "{path.name}"\nmonth = "{month}"\n'
        part = desk.read(text, traces=traces).workload
        assert part.rows == count
        assert list(part.id) == [
            job for job, group in zip(whole.id, whole.group, strict=True) if group == index
        ]


@pytest.mark.proof
@pytest.mark.parametrize("name", LOGS)
def test_the_compiled_reader_agrees_with_the_plain_one(traces: Path, name: str) -> None:
    """Every job of every log."""
    path = find(traces, name)
    log, workload = open_log(path), read_swf(path)
    expected, dropped, flaws = plain_rows(log.text, LOGS[name][4], False, False, 0, 2**62)
    assert not flaws and dropped == workload.dropped
    columns = (
        workload.id,
        workload.submit,
        workload.runtime,
        workload.estimate,
        workload.size,
        workload.killed,
    )
    assert list(zip(*columns, strict=True)) == [job[:6] for job in expected]
    assert list(workload.queue) == [str(job[7]) if job[7] >= 0 else "" for job in expected]
    assert first_row(log.text)[1] == next(lines(log.text))[0]
