"""Nothing is submitted, changed or cancelled: all that is ever sent to a cluster, and from where."""

import ast
from pathlib import Path

import shadowtime.console
from shadowtime.console.session.slurm.capturing import commands
from shadowtime.console.session.slurm.capturing.rest import asking, reading

CONSOLE = Path(str(shadowtime.console.__file__)).parent
COMMANDS = {
    "scontrol show config",
    "squeue --all --json",
    "squeue --all --json=v0.0.44",
    "scontrol --all show nodes --json",
    "scontrol --all show partitions --json",
    "scontrol --all show reservations --json",
    "scontrol --all show partitions --oneliner",
    "scontrol --all show reservations --oneliner",
    "sinfo --all --json",
    "sdiag --json",
    "sdiag",
    "sprio -o %i,%r,%Y,%S,%A,%B,%F,%J,%P,%Q,%N,%T",
    "sacctmgr show qos --json",
    "scontrol show assoc_mgr",
    "sacct --allusers --allocations --duplicates --parsable2 --noconvert --format=JobID,JobIDRaw,User,"
    "Account,Partition,QOS,TimelimitRaw,ReqTRES,AllocTRES,NNodes,Submit,Eligible,Start,End,Suspended,State"
    " --starttime=now-8weeks",
}
"""Every command; of a named cluster with -M and --noheader in it, and no other word.

The accounting can begin at another instant.
"""
READ = ("ping", "licenses", "jobs", "nodes", "partitions", "reservations", "diag")
SENDING = {"subprocess", "socket", "http.client", "urllib.request", "asyncio", "aiohttp", "requests"}
"""Modules that run a program or speak to a server."""


def test_every_command_is_one_of_a_list() -> None:
    """`of_cluster` adds the name alone."""
    assert {command.shown for command in commands.EVERY} == COMMANDS
    for command in commands.EVERY:
        named = commands.of_cluster(command, "far").words
        added = {"-M", "far", "--noheader"}
        assert [word for word in named if word not in added] == list(command.words)
        assert set(named) - set(command.words) <= added
    begin = commands.accounting(1_700_000_000).words[-1]
    assert commands.accounting(1_700_000_000).words[:-1] == commands.ACCOUNTING.words[:-1]
    assert begin == "--starttime=2023-11-14T22:13:20"


def test_every_request_is_a_get_of_one_of_a_list() -> None:
    """Of all versions that are read."""
    paths = {f"/slurm/v0.0.{version}/{name}/" for version in range(39, 46) for name in READ}
    paths |= {f"/slurmdb/v0.0.{version}/qos/" for version in range(39, 46)}
    assert {request.words for request in reading.EVERY} == {("GET", path) for path in paths}
    assert asking.METHOD == "GET"


def test_nothing_else_of_the_package_reaches_a_cluster() -> None:
    """One module runs programs, and one speaks to servers, with one method."""
    found: dict[str, set[str]] = {}
    for path in sorted((CONSOLE / "session" / "slurm").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {
            each.name for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names
        } | {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        if names & SENDING:
            found[path.name] = names & SENDING
    assert found == {"running.py": {"subprocess"}, "asking.py": {"socket", "http.client"}}
    tree = ast.parse(Path(str(asking.__file__)).read_text(encoding="utf-8"))
    sent = [
        node.args[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("request", "putrequest", "send", "sendall")
    ]
    assert [node.id for node in sent if isinstance(node, ast.Name)] == ["METHOD"] and len(sent) == 1
