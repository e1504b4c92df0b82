"""Where a job can run at all: beside a program that looks at every node as Slurm printed it."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from shadowtime.console.session.slurm.board.fitting import Bar, fitting
from shadowtime.console.session.slurm.board.making import board
from shadowtime.console.session.slurm.capturing import Folder
from shadowtime.scenarios.slurm import parse_hosts
from tests.scenarios.slurm.support import NOW, files, job, node, number, write

NODES = 14
STATES = (["IDLE"], ["ALLOCATED"], ["IDLE", "DRAIN"], ["DOWN"])


def drawn(random: Random) -> dict[str, Any]:
    """A cluster of unlike nodes with ten jobs that ask for different things."""
    found = files(42)
    nodes = []
    for place in range(1, NODES + 1):
        nodes.append(
            node(42, f"n{place}")
            | {
                "state": random.choices(STATES, [5, 3, 1, 1])[0],
                "cores": (cores := random.choice([2, 4, 8])),
                "cpus": cores,
                "real_memory": random.choice([500, 4000]),
                "active_features": random.choice([[], ["ib"], ["ib", "fast"]]),
                "gres": random.choice(["", "gpu:a100:4", "gpu:a100:1,gpu:h100:2"]),
            }
        )
    jobs = []
    for id_ in range(1, 11):
        sizes = {"tres_req_str": "cpu=2,node=2", "max_nodes": number(2), "licenses": "", "gres_detail": []}
        asks = {
            "features": random.choice(["", "ib", "ib&fast", "ib|fast"]),
            "minimum_cpus_per_node": number(random.choice([1, 4, 8])),
            "memory_per_node": number(random.choice([0, 1000])),
            "excluded_nodes": random.choice(["", "", "n[2-4]", "n7"]),
            "tres_per_node": random.choice(["", "", "gres/gpu:2", "gres/gpu:h100:1"]),
            "resv_name": random.choice(["", "", "", "maint"]),
            "cpus_per_task": number(1),
        }
        jobs.append(job(42, id_) | sizes | asks)
    found["squeue.json"]["jobs"] = jobs
    found["nodes.json"]["nodes"] = nodes
    found["partitions.json"]["partitions"][0]["nodes"] = {"configured": "n[2-14]"}
    times = {"start_time": number(NOW - 10), "end_time": number(NOW + 9000), "node_list": "n[3-9]"}
    found["reservations.json"]["reservations"][0] |= times
    return found


def devices(text: str) -> dict[str, int]:
    """Type of GPU -> how many, of what a node has."""
    return {part.split(":")[1]: int(part.split(":")[2]) for part in text.split(",") if part}


def barred(wanted: dict[str, Any], each: dict[str, Any]) -> Bar | None:
    """What keeps a job off a node, by what Slurm printed of both."""
    if not {"DRAIN", "DOWN"}.isdisjoint(each["state"]):
        return Bar.DOWN
    if each["state"] == ["ALLOCATED"]:
        return Bar.UNLISTED
    if wanted["resv_name"] and each["name"] not in [f"n{place}" for place in range(3, 10)]:
        return Bar.OTHERS
    if each["name"] in parse_hosts(wanted["excluded_nodes"]):
        return Bar.EXCLUDED
    has, features = each["active_features"], wanted["features"]
    if "&" in features:
        met = all(part in has for part in features.split("&"))
    else:
        met = not features or any(part in has for part in features.split("|"))
    if not met:
        return Bar.FEATURES
    if each["cores"] < wanted["minimum_cpus_per_node"]["number"]:
        return Bar.CPUS
    if each["real_memory"] < wanted["memory_per_node"]["number"]:
        return Bar.MEMORY
    gpus = devices(each["gres"])
    if wanted["tres_per_node"] == "gres/gpu:2" and sum(gpus.values()) < 2:
        return Bar.DEVICES
    if wanted["tres_per_node"] == "gres/gpu:h100:1" and gpus.get("h100", 0) < 1:
        return Bar.DEVICES
    return None


@pytest.mark.parametrize("seed", range(12))
def test_each_node_fits_or_has_what_keeps_the_job_off(tmp_path: Path, seed: int) -> None:
    """Those of its partition, each counted once under what keeps the job off first."""
    contents = drawn(Random(seed))
    found = board(Folder(write(tmp_path, contents)).take())
    inside = contents["nodes.json"]["nodes"][1:]
    for row in found.rows:
        wanted = contents["squeue.json"]["jobs"][row.number - 1]
        expected: dict[Bar, list[str]] = {}
        for each in inside:
            bar = barred(wanted, each)
            if bar is not None:
                expected.setdefault(bar, []).append(each["name"])
        fits = fitting(found, row)
        assert fits is not None and fits.nodes == len(inside)
        assert {bar: list(parse_hosts(hosts)) for bar, hosts in fits.barred.items()} == expected
        assert fits.counts == {bar: len(names) for bar, names in expected.items()}
        assert fits.fits == len(inside) - sum(fits.counts.values()) and fits.least == 2
