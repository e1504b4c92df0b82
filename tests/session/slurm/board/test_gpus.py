"""GPUs and other generic resources: who holds them, who waits for them, how many are free."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import attrs
import pytest

from shadowtime.console.session import cluster_folders
from shadowtime.console.session.slurm.board.facts import Board
from shadowtime.console.session.slurm.board.making import board, board_of
from shadowtime.console.session.slurm.board.standing import (
    GPUS,
    PARTITIONS,
    USERS,
    device_standings,
    standings,
)
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.console.session.slurm.devices import amount, kinds_of, wanted_devices
from shadowtime.console.session.slurm.forecasting import forecast_of
from shadowtime.console.widgets.slurm.map_text import Colouring, MapText
from tests.oracles.slurm import small
from tests.scenarios.slurm.support import NOW, write
from tests.session.slurm.captures import contents, running, shown_rows, shown_running, waiting


def shipped() -> Board:
    """The shipped cluster."""
    (folder,) = (each for each in cluster_folders() if each.name == "two-tiers")
    return board(Folder(folder).take())


def with_gpus(folder: Path, jobs: list[dict[str, Any]], gres: dict[str, str]) -> Board:
    """A cluster of four nodes, each with four A100s but for those that are named."""
    made = contents(jobs)
    for node in made["nodes.json"]["nodes"]:
        node["gres"] = gres.get(node["name"], node["gres"])
    return board(Folder(write(folder, made)).take())


def test_the_gpus_of_the_shipped_cluster_are_those_that_its_files_count() -> None:
    """The naive count reads the texts of squeue alone."""
    found = shipped()
    jobs = json.loads((Path(found.capture.folder) / "squeue.json").read_text())["jobs"]
    held, wanted, by_partition, by_job = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for job in jobs:
        mine = sum(int(count) for text in job["gres_detail"] for count in re.findall(r"gpu:a100:(\d+)", text))
        asked = re.search(r"gres/gpu=(\d+)", job["tres_req_str"])
        held[job["user_name"]] += mine
        by_partition[job["partition"]] += mine
        if job["job_state"] == "PENDING" and asked:
            wanted[job["user_name"]] += int(asked[1])
            by_job[str(job["job_id"])] += int(asked[1])
    assert sum(held.values()) > 20 and sum(wanted.values()) > 10
    users = standings(found, USERS, GPUS)
    assert {each.name: each.gpus for each in users} == {each.name: held[each.name] for each in users}
    assert {each.name: each.gpus_wanted for each in users} == {each.name: wanted[each.name] for each in users}
    assert [each.gpus for each in users] == sorted((each.gpus for each in users), reverse=True)
    assert {each.name: each.gpus for each in standings(found, PARTITIONS)} == {
        name: by_partition[name] for name in ("gpu", "batch", "short")
    }
    assert {row.job: row.gpus for row in shown_rows(found, "gpus>0")} == dict(by_job)
    assert sum(node.gpus_held for node in found.nodes) == sum(held.values())
    (kind,) = device_standings(found)
    assert (kind.name, kind.nodes, kind.there, kind.held) == ("gpu:a100", 8, 32, sum(held.values()))
    assert (kind.free, kind.wanted) == (32 - kind.held, sum(wanted.values()))
    assert dict(kind.holders) == +held


def test_devices_by_kind(tmp_path: Path) -> None:
    """A wish of any type stands alone if there are several; a node that is down has none free."""
    jobs = [
        running(1, ("n1", "n2"), NOW - 60),
        waiting(3, overlay={"tres_per_node": "gres/gpu:2"}),
        waiting(4, overlay={"tres_per_node": "gres/gpu:h100:1,gres/tmp:5G"}),
        waiting(5, overlay={"tres_per_job": "gres/gpu:8", "tres_req_str": "cpu=8,node=2,gres/gpu=8"}),
    ]
    found = with_gpus(tmp_path, jobs, {"n3": "gpu:h100:2,tmp:350G", "n4": "bw:no_consume:1,gpu:h100:8"})
    nodes = [attrs.evolve(each, states=("DOWN",)) if each.name == "n4" else each for each in found.nodes]
    rows = {each.name: each for each in device_standings(attrs.evolve(found, nodes=tuple(nodes)))}
    assert list(rows) == ["gpu:a100", "gpu:h100", "tmp", "gpu:any"]
    a100, h100 = rows["gpu:a100"], rows["gpu:h100"]
    assert (a100.there, a100.held, a100.free, a100.out, a100.wanted) == (8, 2, 6, 0, 0)
    assert (h100.there, h100.held, h100.free, h100.out, h100.wanted) == (10, 0, 2, 8, 2)
    assert (rows["gpu:any"].there, rows["gpu:any"].wanted) == (0, 12)
    assert (amount(rows["tmp"].there), amount(rows["tmp"].wanted)) == ("350G", "10G")


def test_a_wish_counts_once_where_slurm_counts_it_by_name_and_by_type() -> None:
    """By node times the least nodes; by job, socket or task as Slurm counts it."""
    by_node = small.waiting(1, 3, 10, devices_per_node="gres/gpu:a100:2", devices_in_all="gres/gpu=6")
    assert wanted_devices(by_node.request) == {("gpu", "a100"): 6}
    counted = "gres/gpu=6,gres/gpu:a100=4"
    by_task = small.waiting(1, 3, 10, devices_otherwise=True, devices_in_all=counted)
    assert wanted_devices(by_task.request) == {("gpu", ""): 2, ("gpu", "a100"): 4}
    typed = small.waiting(1, 3, 10, devices_otherwise=True, devices_in_all="gres/gpu=4,gres/gpu:a100=4")
    assert wanted_devices(typed.request) == {("gpu", "a100"): 4}
    assert kinds_of("gpu:a100:2,tmp:5") == "gpu,tmp,gpu:a100"


@pytest.mark.parametrize(
    ("text", "jobs"),
    [
        ("gpus>0", "34"),
        ("gpus=4", "3"),
        ("gres=gpu", "34"),
        ("gres=gpu:a100", "3"),
        ("gres!=gpu", "5"),
        ("gres:tm", "4"),
        ("gres=tmp gpus<3", "4"),
    ],
)
def test_the_filter_asks_for_devices(tmp_path: Path, text: str, jobs: str) -> None:
    """By count, by name, by name with type; of running jobs what they hold."""
    asks = [{"tres_per_node": "gres/gpu:a100:2"}, {"tres_per_node": "gres/gpu:1,gres/tmp:5G"}, {}]
    waits = [waiting(id_, overlay=overlay) for id_, overlay in enumerate(asks, 3)]
    found = with_gpus(tmp_path, [running(1, ("n1", "n2"), NOW - 60), *waits], {})
    assert "".join(row.job for row in shown_rows(found, text)) == jobs
    assert len(shown_running(found, "gpus=2 gres=gpu:a100")) == 1


def test_one_of_several_partitions_is_enough_for_the_filter() -> None:
    """A job without a row of its own in each stands with all of them."""
    held = small.waiting(1, 1, 10, partitions=("batch", "other"), priority=0)
    capture = small.cluster(2, [held])
    found = board_of(capture, forecast_of(capture, small.NOW))
    assert [row.partition for row in found.rows] == ["batch,other"]
    assert shown_rows(found, "partition=other") == shown_rows(found, "partition=batch") == found.rows
    assert not shown_rows(found, "partition!=other")


def test_the_map_has_the_free_gpus_of_each_node(tmp_path: Path) -> None:
    """Four less one held; all of them; none there; more than a digit has."""
    jobs = [running(1, ("n1", "n2"), NOW - 60)]
    found = with_gpus(tmp_path, jobs, {"n2": "gpu:a100:1", "n3": "(null)", "n4": "gpu:h100:16"})
    text = MapText(found, Colouring.GPUS)
    assert "".join(text.cell(node)[0] for node in found.nodes) == "30_+"
    assert [word.split()[0] for word in text.legend().split("  ")] == ["a", "+", "_"]
