"""Hide whose jobs they are: users, accounts, job names and names of reservations become numbered ones.

Of jobs, nodes, partitions and reservations only the fields that the reader reads are kept, so that no script,
path or comment is left. A name has one alias in all files of a capture; another capture may give it another.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from shadowtime.console.session.slurm.capturing.commands import ACCOUNTING, CONFIG

JOB_FIELDS = frozenset(
    [
        "job_id",
        "job_state",
        "partition",
        "priority",
        "priority_by_partition",
        "submit_time",
        "eligible_time",
        "time_limit",
        "time_minimum",
        "start_time",
        "end_time",
        "cpus",
        "tasks",
        "tres_req_str",
        "nodes",
        "name",
        "user_name",
        "account",
        "state_reason",
        "nice",
        "qos",
        "resv_name",
        "dependency",
        "flags",
        "max_nodes",
        "cpus_per_task",
        "tasks_per_node",
        "minimum_cpus_per_node",
        "memory_per_cpu",
        "memory_per_node",
        "shared",
        "contiguous",
        "required_nodes",
        "excluded_nodes",
        "features",
        "tres_per_node",
        "tres_per_job",
        "tres_per_socket",
        "tres_per_task",
        "cpus_per_tres",
        "memory_per_tres",
        "threads_per_core",
        "licenses",
        "array_job_id",
        "array_task_id",
        "array_task_string",
        "array_max_tasks",
        "gres_detail",
        "job_resources",
        "association_id",
        "accrue_time",
        "deadline",
        "het_job_id",
        "het_job_offset",
        "requeue",
    ]
)
NODE_FIELDS = frozenset(
    [
        "name",
        "cpus",
        "cores",
        "sockets",
        "threads",
        "real_memory",
        "specialized_cores",
        "specialized_memory",
        "weight",
        "active_features",
        "gres",
        "state",
        "state_flags",
        "alloc_cpus",
        "reason_changed_at",
        "reason_set_by_user",
    ]
)
PARTITION_FIELDS = frozenset(
    [
        "name",
        "nodes",
        "priority",
        "maximums",
        "minimums",
        "partition",
        "preempt_mode",
        "grace_time",
        "qos",
        "accounts",
        "groups",
        "tres",
    ]
)
RESERVATION_FIELDS = frozenset(
    ["name", "start_time", "end_time", "node_list", "flags", "users", "accounts", "core_count", "licenses"]
)
KEPT = {
    "jobs": JOB_FIELDS,
    "nodes": NODE_FIELDS,
    "partitions": PARTITION_FIELDS,
    "reservations": RESERVATION_FIELDS,
}
TOP = frozenset(("meta", "last_update", "last_backfill", "errors", "warnings", "statistics", "qos", *KEPT))
_SETTING = re.compile(r"\s*([A-Za-z_][\w\[\]]*)\s*=")
_PRIVATE = re.compile(
    r"user|host|addr|pass|path|mail|logfile|program|script|prolog|epilog|location|auth", re.IGNORECASE
)
_SECTION = re.compile(r" {4}(Account|User) Limits\s*")
"""What stands above the lines of a quality of service that each begin with an account or a user."""
_OWNER = re.compile(r"( {6})(\S+?)(?:\(\d+\))?\s*")
_DESCRIBED = re.compile(r"(?:(?<=\sLineage=)\S+|(?<=^    Comment=).+)", re.MULTILINE)
"""What associations say of the names above them, and in words of their own."""
_NUMBERED = re.compile(r"\bUserName=([^\s(]+)\((\d+)\)")
_NAMED = re.compile(
    r"\b(UserName|Account|ParentAccount|DefAccount|AllowAccounts|DenyAccounts|Users|Accounts|AllowGroups|Groups)"
    r"=([^\s(]*)(?:\(\d+\))?"
)


@attrs.define
class Aliases:
    """The aliases of one capture."""

    _known: dict[tuple[str, str], str] = attrs.field(factory=dict)
    _counts: dict[str, int] = attrs.field(factory=dict)

    def alias(self, kind: str, name: str) -> str:
        """Return the alias of a name; an empty name has none."""
        if not name:
            return name
        if (kind, name) not in self._known:
            self._counts[kind] = self._counts.get(kind, 0) + 1
            self._known[kind, name] = f"{kind}{self._counts[kind]}"
        return self._known[kind, name]

    def hide(self, folder: Path) -> None:
        """Write the files of a captured folder anew, without names."""
        # The queue first: its users have the first numbers.
        for path in sorted(
            folder.iterdir(), key=lambda path: (not path.name.startswith("squeue"), path.name)
        ):
            if path.suffix == ".json" and path.name != "capture.json":
                self._rewrite(path, self._json)
            elif path.name == CONFIG.file:
                self._rewrite(path, _public_settings)
            elif path.name == ACCOUNTING.file:
                self._rewrite(path, self._rows)
            elif path.suffix == ".txt":
                self._rewrite(path, self._lines)

    def _rewrite(self, path: Path, hidden: Callable[[str], str]) -> None:
        path.write_text(hidden(path.read_text(encoding="utf-8", errors="replace")), encoding="utf-8")

    def _json(self, text: str) -> str:
        try:
            top = json.loads(text)
        except (ValueError, RecursionError):
            # What is not read is not kept: it may hold names.
            return ""
        if not isinstance(top, dict):
            return ""
        found = {key: value for key, value in top.items() if key in TOP}
        if isinstance(found.get("meta"), dict):
            found["meta"] = {key: value for key, value in found["meta"].items() if key != "client"}
        if isinstance(found.get("statistics"), dict):
            found["statistics"] = {
                key: value for key, value in found["statistics"].items() if not key.startswith("rpcs")
            }
        for content, fields in KEPT.items():
            if isinstance(found.get(content), list):
                found[content] = [
                    self._record(content, record, fields) if isinstance(record, dict) else record
                    for record in found[content]
                ]
        return json.dumps(found) + "\n"

    def _record(self, content: str, record: Mapping[str, Any], fields: frozenset[str]) -> dict[str, Any]:
        kept = {key: value for key, value in record.items() if key in fields}
        if content == "jobs":
            user = record.get("user_name") or record.get("user_id")
            kept["user_name"] = self.alias("user", _text(user))
            kept["account"] = self.alias("account", _text(record.get("account")))
            kept["name"] = self.alias("job", _text(record.get("name")))
            kept["resv_name"] = self.alias("reservation", _text(record.get("resv_name")))
        elif content == "partitions":
            for field, kind in (("accounts", "account"), ("groups", "group")):
                lists = record.get(field)
                kept[field] = {
                    key: self._names(kind, _text(names))
                    for key, names in (lists.items() if isinstance(lists, Mapping) else ())
                }
        elif content == "reservations":
            kept["name"] = self.alias("reservation", _text(record.get("name")))
            kept["users"] = self._names("user", _text(record.get("users")))
            kept["accounts"] = self._names("account", _text(record.get("accounts")))
        elif content == "nodes" and "reason_set_by_user" in kept:
            kept["reason_set_by_user"] = self.alias("user", _text(kept["reason_set_by_user"]))
        return kept

    def _names(self, kind: str, text: str) -> str:
        return ",".join(self.alias(kind, name) for name in text.split(",") if name)

    def _rows(self, text: str) -> str:
        """The columns of the accounting, with numbered users and accounts."""
        head, *rows = text.splitlines() or [""]
        kinds = [{"User": "user", "Account": "account"}.get(title, "") for title in head.split("|")]
        hidden = [
            [self.alias(kind, cell) if kind else cell for kind, cell in zip(kinds, cells, strict=True)]
            for cells in (row.split("|") for row in rows)
            if len(cells) == len(kinds)
        ]
        return "".join(f"{line}\n" for line in (head, *map("|".join, hidden)))

    def _lines(self, text: str) -> str:
        """Lines of `Key=Value` without names of users, accounts, reservations and statistics by user."""
        text = text.partition("Remote Procedure Call statistics by user")[0]
        kinds = {"UserName": "user", "Users": "user", "AllowGroups": "group", "Groups": "group"}

        def put(found: re.Match[str]) -> str:
            kind = kinds.get(found[1], "account")
            names = found[2] if found[2] in ("(null)", "", "ALL") else self._names(kind, found[2])
            return f"{found[1]}={names}"

        hidden = _NAMED.sub(put, _DESCRIBED.sub("", text))
        hidden = re.sub(
            r"\b(ReservationName)=(\S+)",
            lambda found: f"{found[1]}={self.alias('reservation', found[2])}",
            hidden,
        )
        return "".join(self._owners(hidden, {number: name for name, number in _NUMBERED.findall(text)}))

    def _owners(self, text: str, users: Mapping[str, str]) -> Iterator[str]:
        """The lines, without the owners of the limits of a quality of service; 22.05 has users by number."""
        kind = ""
        for line in text.splitlines(keepends=True):
            if (section := _SECTION.fullmatch(line)) is not None:
                kind = section[1].lower()
            elif not line.startswith("      "):
                kind = ""
            owner = _OWNER.fullmatch(line) if kind else None
            if owner is None:
                yield line
                continue
            name = users.get(owner[2], owner[2]) if kind == "user" else owner[2]
            yield f"{owner[1]}{self.alias(kind, name)}\n"


def _public_settings(text: str) -> str:
    """The lines of the configuration that name no person, machine or path."""
    kept = []
    for line in text.splitlines():
        found = _SETTING.match(line)
        if found is None or not _PRIVATE.search(found[1]):
            kept.append(line)
    return "\n".join(kept) + "\n"


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        value = value.get("number")
    if isinstance(value, list):
        return ",".join(map(str, value))
    return "" if value is None else str(value)
