"""Files in which every text is hostile: scenarios, courses, experiments, logs, captured clusters."""

import shutil
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shadowtime.scenarios.text.writing import written
from tests.commandline import ROOT
from tests.scenarios.slurm.support import files as cluster_files
from tests.scenarios.slurm.support import write
from tests.session.lab.support import SMALL
from tests.texts.hostile import Supply

FREE = frozenset((
    "title", "paper", "about", "text", "hint", "debrief", "goal", "user", "class", "queue", "name",
    "command",
    "audience", "can", "differs", "because", "reading", "item", "ours", "published", "unit", "x_title",
))  # fmt: skip
"""The keys whose texts a file may choose."""
WITHOUT = ("expect", "needs")
"""What names something of another place, and would have to be hostile there, too."""


def poisoned(value: Any, supply: Supply, key: str = "", inside: str = "") -> Any:
    """Return values of a TOML file with hostile texts in the place of all that it may choose."""
    if isinstance(value, Mapping):
        names = {name: poisoned(it, supply, name, key) for name, it in value.items() if name not in WITHOUT}
        return {name: it for name, it in names.items() if (key, name) != ("note", "variant")}
    if isinstance(value, list):
        return [poisoned(it, supply, key, inside) for it in value]
    if not isinstance(value, str) or key not in FREE or inside in ("policy", "grid", "axis"):
        return value
    text = supply()
    return f"{text}#{supply.given}" if inside == "variant" or not text.strip() else text


def put(path: Path, values: Mapping[str, Any]) -> Path:
    """Write values as TOML, which another reader reads back."""
    text = written(values)
    assert tomllib.loads(text) == values
    path.write_text(text, encoding="utf-8")
    return path


def scenario_file(path: Path, supply: Supply, jobs: int = 12) -> Path:
    """A scenario with hostile texts: title, story, notes, variants, and five of each job."""
    values = tomllib.loads((ROOT / "scenarios/fj97/dilemma.toml").read_text())
    values["job"] = [
        {
            "id": number, "size": 1 + 37 * number % 128, "submit": 60 * number, "runtime": 600,
            "estimate": 900,
            **dict.fromkeys(("user", "class", "queue", "name", "command"), "?"),
        }
        for number in range(1, jobs + 1)
    ]  # fmt: skip
    return put(path, poisoned(values, supply))


def course_folder(folder: Path, supply: Supply, name: str = "backfilling") -> Path:
    """A course with hostile texts in its list, its lessons, their questions and hints."""
    shutil.copytree(ROOT / "scenarios/courses" / name, folder)
    for path in sorted(folder.glob("*.toml")):
        put(path, poisoned(tomllib.loads(path.read_text()), supply))
    return folder


def experiment_file(path: Path, supply: Supply) -> Path:
    """A small experiment with hostile titles, reasons and readings, and what nobody can compute."""
    values = tomllib.loads(SMALL)
    values["about"] = "?"
    values["grid"][0]["workload"]["jobs"] = 20
    values["grid"][0]["axis"][1]["to"] = 1
    values["table"][0] |= {"because": "?", "reading": "?", "item": "?", "cause": "data"}
    values["claim"][0] |= {"because": "?", "reading": "?", "item": "?"}
    values["absent"] = [{"title": "?", "because": "?", "published": "?"} for _ in range(4)]
    values["tried"] = [{"item": "?", "reading": "?", "ours": "?"} for _ in range(4)]
    poison = poisoned(values, supply)
    poison["table"][0]["published"] = values["table"][0]["published"]
    return put(path, poison)


def log_file(path: Path, supply: Supply) -> Path:
    """A log whose header is hostile."""
    keys = ("Computer", "Installation", "Acknowledge", "Information", "Conversion", "TimeZoneString", "Note")
    lines = [f"; {key}: {supply()}" for key in keys]
    # A line end in a header is another line of it, and no job.
    head = "\n".join(line if line.startswith(";") else f"; {line}" for line in "\n".join(lines).splitlines())
    rows = "\n".join(f"{n} {n * 60} -1 600 4 -1 -1 4 900 -1 1 {n} 1 1 1 1 -1 -1" for n in range(1, 9))
    text = f"; MaxProcs: 8\n; UnixStartTime: 1000000000\n{head}\n{rows}\n"
    # A file with a zero byte is refused: it is no text.
    path.write_bytes(text.replace("\0", "").encode("utf-8", "surrogatepass"))
    return path


def cluster_folder(folder: Path, supply: Supply) -> Path:
    """A captured cluster with hostile names of jobs, users, accounts, partitions, reservations, features."""
    contents = cluster_files(42)
    partition, reservation = supply.word().replace(",", "."), supply.word()
    for job in contents["squeue.json"]["jobs"]:
        job |= {key: supply() for key in ("name", "user_name", "account", "qos", "state_reason", "comment")}
        job["partition"] = partition
    for node in contents["nodes.json"]["nodes"]:
        node |= {"reason": supply(), "comment": supply()}
        node["active_features"] = [supply(), "ib"]
    contents["partitions.json"]["partitions"][0]["name"] = partition
    contents["reservations.json"]["reservations"][0] |= {"name": reservation, "users": supply()}
    one_line = " ".join(supply().encode("utf-8", "ignore").decode().splitlines())
    contents["config.txt"] += f"ClusterName             = {one_line}\n"
    return write(folder, contents)
