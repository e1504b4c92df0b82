"""Generic resources as Slurm writes them, read as the naive program reads them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.console.session.slurm.devices import SERVED, format_devices, parse_devices
from tests.oracles.slurm.devices import held_devices

G = 1 << 30
NAMES = st.sampled_from(["gpu", "tmp", "bw"])
COUNTS = st.sampled_from(["", ":1", ":8", ":350G", ":3k", ":5T"])
NOTES = st.sampled_from(["", "(IDX:0-3)", "(IDX:0,3)", "(S:0-1)", "(CNT:262144000)"])


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("gres:gpu:8", {("gpu", ""): 8}),
        ("gres/gpu:h100:1", {("gpu", "h100"): 1}),
        ("gpu:a100:2(IDX:0,3),tmp(CNT:107374182400)", {("gpu", "a100"): 2, ("tmp", ""): 100 * G}),
        ("gres/tmp:100G", {("tmp", ""): 100 * G}),
        ("tmp:350G,gpu:p100:2(S:0-1)", {("tmp", ""): 350 * G, ("gpu", "p100"): 2}),
        ("bw:lustre:no_consume:4G", {("bw", "lustre"): 4 * G * SERVED}),
        ("gpu", {("gpu", ""): 1}),
        ("N/A", {}),
        ("(null)", {}),
    ],
)
def test_what_commands_write(text: str, counts: dict[tuple[str, str], int]) -> None:
    """Requests, nodes and running jobs of 22.05.8 and 26.05.5."""
    assert parse_devices(text) == counts


@given(st.lists(st.tuples(NAMES, st.sampled_from(["", ":a100", ":no_consume"]), COUNTS, NOTES), max_size=4))
def test_the_naive_program_reads_the_same(words: list[tuple[str, str, str, str]]) -> None:
    """A note is that of a job that holds devices: it has a count or indexes, not both."""
    text = ",".join(
        name + kind + ("" if "CNT" in note else count) + note
        for name, kind, count, note in words
        if not ("CNT" in note and kind == ":no_consume")
    )
    assert parse_devices(text) == held_devices(text)


@given(st.dictionaries(st.tuples(NAMES, st.sampled_from(["", "a100"])), st.integers(1, 1 << 49), max_size=4))
def test_what_is_written_is_read_again(counts: dict[tuple[str, str], int]) -> None:
    """A job that starts over time holds what it asked for, also bytes."""
    assert parse_devices(format_devices(counts)) == counts
