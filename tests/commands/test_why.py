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


def test_a_task_has_its_name_under_another_scheduler(shadowtime: Shadowtime) -> None:
    """In every answer, and where the place of a task is asked for."""
    under = "two-tiers", "--policy", "easy"
    ended = shadowtime("why", *under, "46_12", "--json")
    assert (ended.code, ended.err) == (0, "")
    chain = json.loads(ended.out)
    assert {chain["job"], chain["links"][0]["job"], chain["links"][-1]["job"]} == {"46_12"}
    assert shadowtime("why", *under, "46_999").code == 2
    advised = shadowtime("advise", *under, "46_12", "--json")
    assert (advised.code, advised.err) == (0, "") and json.loads(advised.out)
    assert "46_12" in shadowtime("advise", *under, "46_12").out
    compared = "compare", "two-tiers", "easy", "sjf", "--json", "--from"
    waiting, running = (
        json.loads(shadowtime(*compared, f"{job} submit").out)["verdict"]["all"]["jobs"]
        for job in ("46_12", "42")
    )
    assert 0 < waiting < running


def test_a_running_job_of_a_cluster_has_lines(shadowtime: Shadowtime) -> None:
    """It waits for nothing, so that it has no chain."""
    capture = Folder(Path(shipped_or("two-tiers"))).take()
    job = next(job.shown for job in capture.jobs if job.holding)
    ended = shadowtime("why", "two-tiers", job)
    assert (ended.code, ended.err) == (0, "") and ended.out.startswith(f"job {job}")
    assert shadowtime("why", "two-tiers", job, "--json").code == 2


@pytest.mark.parametrize("task", ["46_3", "46_*", "46"])
def test_a_task_that_waits_in_its_array_is_that_row(task: str, shadowtime: Shadowtime) -> None:
    """Also for advice, which is about the array."""
    assert shadowtime("why", "two-tiers", task).out.startswith("job 46_* ")
    assert shadowtime("advise", "two-tiers", task).out.startswith("job 46 ")


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
