"""A cluster of scripts: Slurm's commands on the PATH print files that were made for the test."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.scenarios.slurm.support import NOW, files

SCRIPT = """#!/bin/sh
echo "$(basename "$0") $*" >> "{folder}/calls"
[ "$1" = -M ] && shift 2 && [ "$1" = --noheader ] && shift
[ -e "{folder}/hang" ] && sleep 60
case "$(basename "$0") $*" in
"scontrol show config") file=config.txt ;;
"squeue --all --json") file=squeue.json ;;
"squeue --all --json=v0.0.44") file=squeue_v0.0.44.json ;;
"scontrol --all show nodes --json") file=nodes.json ;;
"scontrol --all show partitions --json") file=partitions.json ;;
"scontrol --all show reservations --json") file=reservations.json ;;
"scontrol --all show partitions --oneliner") file=partitions.txt ;;
"scontrol --all show reservations --oneliner") file=reservations.txt ;;
"sinfo --all --json") file=sinfo.json ;;
"sdiag --json") file=sdiag.json ;;
"sdiag ") file=sdiag.txt ;;
"sprio -o %i,%r,%Y,%S,%A,%B,%F,%J,%P,%Q,%N,%T") file=sprio.txt ;;
"scontrol show assoc_mgr") file=assoc_mgr.txt ;;
"sacct --allusers "*) file=sacct.txt ;;
esac
[ -e "{folder}/broken-$file" ] && {{ echo "banner" >&2; cat "{folder}/broken-$file" >&2; exit 1; }}
exec cat "{folder}/files/$file"
"""
NAMES = ("scontrol", "squeue", "sinfo", "sdiag", "sprio", "sacctmgr", "sacct")
SDIAG = f"sdiag output at Tue Nov 14 22:13:20 2023 ({NOW})\nRemote Procedure Call statistics by user\n\tada\n"


@attrs.define
class FakeCluster:
    """The folder that the scripts read."""

    folder: Path

    def put(self, contents: Mapping[str, Any]) -> None:
        """Let the commands print these files from now on."""
        (self.folder / "files").mkdir(exist_ok=True)
        for name, value in contents.items():
            text = value if isinstance(value, str) else json.dumps(value)
            beside = self.folder / f"{name}.part"
            beside.write_text(text, encoding="utf-8")
            beside.replace(self.folder / "files" / name)

    def breaks(self, file: str, words: str) -> None:
        """Let the command that prints a file fail with these words; empty words mend it."""
        path = self.folder / f"broken-{file}"
        if words:
            path.write_text(f"{words}\n", encoding="utf-8")
        else:
            path.unlink()

    def hangs(self, hanging: bool = True) -> None:
        """Let every command hang, or answer again."""
        if hanging:
            (self.folder / "hang").touch()
        else:
            (self.folder / "hang").unlink()

    @property
    def calls(self) -> list[str]:
        """What was called, with its arguments."""
        return (self.folder / "calls").read_text(encoding="utf-8").splitlines()


def contents_of(parser: int) -> dict[str, Any]:
    """The files of a small cluster as its commands print them."""
    found = files(parser)
    if parser == 38:
        del found["squeue.json"]["last_update"]
        return found | {"sdiag.txt": SDIAG}
    users = [{"user": "ada", "count": 1}]
    clock = NOW if parser == 39 else {"set": True, "infinite": False, "number": NOW}
    lines = files(38)["partitions.txt"]
    return found | {
        "partitions.txt": lines,
        "sdiag.json": {"meta": {}, "statistics": {"req_time": clock, "rpcs_by_user": users}},
    }


def fake_cluster(folder: Path, monkeypatch: pytest.MonkeyPatch, parser: int = 42) -> FakeCluster:
    """Put the commands on the PATH, before all others."""
    bin_ = folder / "bin"
    bin_.mkdir(parents=True)
    for name in NAMES:
        script = bin_ / name
        script.write_text(SCRIPT.format(folder=folder), encoding="utf-8")
        script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{bin_}:{os.environ['PATH']}")
    cluster = FakeCluster(folder)
    cluster.put(contents_of(parser))
    return cluster
