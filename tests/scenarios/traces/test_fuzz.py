"""Whatever a file holds, it is read or it is answered by faults: nothing else ever happens."""

import gzip
import lzma
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shadowtime.scenarios import ScenarioError, parse_policy, parse_setting, read_head, read_scenario
from tests.scenarios.support import GOOD, POLICIES, log, row

STORY = (
    GOOD
    + """
[[variant]]
name = "v"
policy = {name = "gang", quantum = 10, candidates = ["a", {b = 1.5}]}
[[expect]]
variant = "v"
at = "0 00:10:00"
metric = "mean_wait"
within = [0, 1.5]
[[expect]]
job = 1
start = 0
[[note]]
at = 0
text = "é"
[[question]]
at = 5
ask = "why"
job = 1
[[action]]
at = 1
do = "drain"
nodes = "0-15"
[[action]]
at = 2
do = "parameter"
key = "x"
value = 1
[[outage]]
nodes = "3"
from = "1h"
until = "2h"
kill = true
"""
)
SOURCE = """
title = "t"
[machine]
torus = [8, 4, 8]
unit = "processor"
per_node = 2
epoch = "1996-06-03 08:00"
[policy]
name = "easy"
scan = "shortest"
[workload]
log = "a.swf"
month = "1996-09"
shrink = 0.5
estimates = {kind = "uniform", factor = 4, seed = 1}
overrun = "kill"
"""
MODEL = """
[machine]
nodes = 9
[policy]
name = "fcfs"
[workload]
model = "lublin99"
jobs = 9
load = 0.5
kind = "batch"
"""
RUNS = """
[machine]
nodes = 9
[policy]
name = "fcfs"
[workload]
model = "feitelson97"
jobs = 9
load = 0.5
constants = {size_exponent = 2, longest_run = 5, runtime_long = "1h", medium_most = 0.1}
estimates = {kind = "tsafrir", max = "365d", popular = 9, share = 0.9, seed = 3}
"""
LOG = log(
    *(row(i, i * 10, queue=i % 3) for i in range(6)), header="; MaxProcs: 9\n; UnixStartTime: 843480031\n"
)
PIECES = [
    "", "0", "-1", "1e400", "nan", "inf", "true", '"', "'", "[", "]", "[[", "{", "}", "=", ".", ",", "\n",
    "\r", "\0", "#", ";", "é", "\ufeff", "\x1b", "9223372036854775808", "4611686018427387903", '"2h"',
    "1996-06-03", "job", "[[job]]\n", "[policy]\n", '"""', "\'\'\'", "\\u0000", "9" * 30, "a.b.c = 1\n",
    "\t", " ", "x" * 50, "/", "../",
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log in it."""
    path = tmp_path_factory.mktemp("fuzz")
    (path / "a.swf").write_text(LOG)
    return path


@st.composite
def changed(draw: st.DrawFn, text: str) -> bytes:
    """The text after a few changes: pieces put in, cut out, doubled, and bytes that flip."""
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(text)))
        end = min(len(text), begin + draw(st.sampled_from([0, 0, 1, 1, 2, 5, 20])))
        text = text[:begin] + draw(st.sampled_from([*PIECES, text[begin:end] * 2])) + text[end:]
    content = bytearray(text.encode())
    if content and draw(st.integers(0, 9)) == 0:
        content[draw(st.integers(0, len(content) - 1))] = draw(st.integers(0, 255))
    return bytes(content)


def answer(folder: Path, name: str, content: bytes) -> None:
    """Read a file; if it is bad, every fault is a line that a terminal can show."""
    path = folder / name
    path.write_bytes(content)
    try:
        scenario = read_scenario(path, policies=POLICIES, traces=folder)
    except ScenarioError as error:
        assert error.faults
        assert all(str(fault).isprintable() and fault.message for fault in error.faults)
        assert all(fault.line is None or fault.line > 0 for fault in error.faults)
    else:
        workload = scenario.workload
        assert len(workload) + sum(workload.dropped.values()) == workload.rows
        assert all(0 < size <= scenario.machine.capacity for size in workload.size)
        assert list(workload.submit) == sorted(workload.submit)
        assert all(0 < r <= e for r, e in zip(workload.runtime, workload.estimate, strict=True))
    read_head(path)


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
@example(b"\xef\xbb\xbf")
def test_any_bytes(folder: Path, content: bytes) -> None:
    """As a scenario, as a log, as an archive."""
    for name in ("f.toml", "f.swf", "f.swf.gz", "f.swf.xz"):
        answer(folder, name, content)


@given(st.one_of(changed(STORY), changed(SOURCE), changed(MODEL), changed(RUNS)))
def test_changed_scenarios(folder: Path, content: bytes) -> None:
    """Near to good ones."""
    answer(folder, "f.toml", content)


@given(changed(LOG))
def test_changed_logs(folder: Path, content: bytes) -> None:
    """Plain ones, and the packed ones of these."""
    answer(folder, "f.swf", content)
    answer(folder, "f.swf.gz", gzip.compress(content, mtime=0))


@given(st.sampled_from([gzip.compress(LOG.encode(), mtime=0), lzma.compress(LOG.encode())]), st.data())
def test_changed_archives(folder: Path, packed: bytes, data: st.DataObject) -> None:
    """A byte flipped, a piece lost, something behind it."""
    name = "f.swf.gz" if packed[:2] == b"\x1f\x8b" else "f.swf.xz"
    content = bytearray(packed)
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)))
    answer(folder, name, bytes(content[:cut]) + data.draw(st.binary(max_size=5)))


@given(st.text(max_size=30) | st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_settings(text: str) -> None:
    """--set and --policy take any text."""
    for parse in (parse_setting, parse_policy):
        try:
            parse(text)
        except ScenarioError as error:
            assert str(error).isprintable()


@pytest.mark.parametrize(
    ("text", "faults"),
    [(STORY, ['key is "x"; the policy is fcfs; it has none']), (SOURCE, []), (MODEL, []), (RUNS, [])],
)
def test_what_is_changed_was_good_or_nearly(folder: Path, text: str, faults: list[str]) -> None:
    """At most the one fault that is meant: a parameter of a policy without any."""
    (folder / "g.toml").write_text(text)
    try:
        read_scenario(folder / "g.toml", policies=POLICIES)
        found = []
    except ScenarioError as error:
        found = [fault.message for fault in error.faults]
    assert found == faults
