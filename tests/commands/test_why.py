"""`shadowtime why`: the chain of a waiting job, of a machine and of a cluster, as text and as JSON."""

import json
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

import pytest

from shadowtime.console.commands.options import shipped_or
from shadowtime.console.session.slurm.capturing import Folder
from tests.commandline import Shadowtime

Story = Callable[[str], Path]


@pytest.mark.parametrize(
    ("file", "options"), [("fj97/dilemma.toml", ("--at", "#4", "2")), ("two-tiers", ("77",))]
)
def test_a_chain_leaves_no_node_out(
    file: str, options: tuple[str, ...], shadowtime: Shadowtime, story: Story
) -> None:
    """The nodes that are free now and the links give the nodes that are free after each, up to the start."""
    source = story(file) if file.endswith(".toml") else file
    ended = shadowtime("why", source, *options, "--json")
    assert (ended.code, ended.err) == (0, "")
    chain = json.loads(ended.out)
    links = chain["links"]
    assert list(accumulate((link["change"] for link in links), initial=chain["free"]))[1:] == [
        link["free"] for link in links
    ]
    last = links[-1]
    assert (last["kind"], last["at"], last["job"]) == ("start", chain["start"], chain["job"])
    assert -last["change"] == chain["needs"]
    text = shadowtime("why", source, *options)
    assert (text.code, text.err) == (0, "")
    assert len(text.out.splitlines()) > 2


def test_a_running_job_of_a_cluster_has_lines(shadowtime: Shadowtime) -> None:
    """It waits for nothing, so that it has no chain."""
    capture = Folder(Path(shipped_or("two-tiers"))).take()
    job = next(job.shown for job in capture.jobs if job.holding)
    ended = shadowtime("why", "two-tiers", job)
    assert (ended.code, ended.err) == (0, "") and ended.out.startswith(f"job {job}")
    assert shadowtime("why", "two-tiers", job, "--json").code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("fj97/dilemma.toml", "--at", "#4", "1", "--json"),
        ("fj97/dilemma.toml", "--at", "#4", "9"),
        ("fj97/dilemma.toml", "--at", "#4", "x"),
        ("fj97/dilemma.toml", "2"),
        ("fj97/dilemma.toml", "--at", "#4", "_5"),
        ("fj97/dilemma.toml", "--at", "#4", "9" * 5000),
        ("two-tiers", "999"),
        ("two-tiers", "46_999"),
        ("two-tiers", "_5"),
        ("two-tiers", "77", "--at", "never"),
        ("two-tiers", "77", "--clock", "elapsed"),
    ],
)
def test_what_has_no_chain_is_one_line(
    arguments: tuple[str, ...], shadowtime: Shadowtime, story: Story
) -> None:
    file, *options = arguments
    ended = shadowtime("why", story(file) if file.endswith(".toml") else file, *options)
    assert (ended.code, len(ended.complaints), ended.out) == (2, 1, "")
