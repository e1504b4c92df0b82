"""A cluster that is read over REST: its token, the newest version that both know, its configuration."""

import base64
import getpass
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.slurm.capturing.commands import CONFIG, MOST_BYTES, Command
from shadowtime.console.session.slurm.capturing.rest.asking import METHOD, Address, Asking, NotThere
from shadowtime.scenarios.slurm.config import ASSUMED, Settings, read_settings
from shadowtime.scenarios.slurm.documents import read_json
from shadowtime.scenarios.slurm.errors import CaptureError
from shadowtime.scenarios.slurm.fields import document
from shadowtime.scenarios.slurm.generation import NEWEST, check_release, refuse_errors

NOTE = (
    "the configuration, sprio and the accounting: REST gives none of them. Parameters are the defaults of "
    "slurm.conf, --policy slurm:KEY=VALUE sets others; limits do not count, and priorities do not grow"
)
DEFAULTS = {
    "KillWait": "30 sec",
    "OverTimeLimit": "0 min",
    "PreemptMode": "OFF",
    "PreemptType": "(null)",
    "PriorityType": "priority/multifactor",
    "SchedulerParameters": "(null)",
    "SchedulerType": "sched/backfill",
    "SelectType": "select/cons_tres",
    "SelectTypeParameters": "CR_CORE_MEMORY",
    "TopologyPlugin": "topology/flat",
}
"""What `scontrol show config` of 24.11.5 and 26.05.5 shows where slurm.conf does not set it."""
OLDEST = 39
"""v0.0.38, the only one of 22.05, does not say which partitions give whole nodes."""
VERSIONS = tuple(range(NEWEST, OLDEST - 1, -1))
"""The versions of the interface that are tried, the newest first."""
SHARED = 44
"""The last version that says which jobs take whole nodes."""
VARIABLE = "SLURM_JWT"
LONGEST_FILE = 1 << 16
"""Characters; no server takes a longer header."""
_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]+")
_USER = re.compile(r"[A-Za-z0-9._@-]{1,128}")


@attrs.frozen
class Token:
    """A token and its user; no text of it shows the token."""

    user: str
    """Empty if the token does not name one and this machine does not either."""
    secret: str = attrs.field(repr=False)

    @property
    def headers(self) -> dict[str, str]:
        """The headers of a request. Releases before 23.11 refuse a token without its user."""
        user = {"X-SLURM-USER-NAME": self.user} if self.user else {}
        return {**user, "X-SLURM-USER-TOKEN": self.secret}


def read_token(path: str | None) -> Token | None:
    """Return the token of a file, else that of the environment; None without one.

    A file may have the line that `scontrol token` prints. SessionError in one line, without what it has, if
    that is no token; OSError.
    """
    if path is None:
        where, text = VARIABLE, os.environ.get(VARIABLE, "")
        if not text:
            return None
    else:
        with Path(path).open(encoding="utf-8", errors="replace") as stream:
            where, text = path, stream.read(LONGEST_FILE + 1)
    text = text.strip().removeprefix(f"{VARIABLE}=")
    if len(text) > LONGEST_FILE or not _TOKEN.fullmatch(text):
        raise SessionError(f"{where} has no token; expected the one line that `scontrol token` prints")
    return Token(_user(text), text)


def _user(token: str) -> str:
    """Whose token it is: what it says itself (`sun`), else who runs this."""
    try:
        part = token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
        user = claims["sun"]
    except (IndexError, ValueError, KeyError, TypeError, RecursionError):
        try:
            user = getpass.getuser()
        except (KeyError, OSError):
            user = ""
    return user if isinstance(user, str) and _USER.fullmatch(user) else ""


@attrs.define
class Rest:
    """How a cluster is read over REST."""

    address: Address
    token: Token | None
    longest: float
    most: int = MOST_BYTES
    version: int | None = None
    """That of the interface; None until it is known."""
    _asking: Asking = attrs.field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        headers = {} if self.token is None else self.token.headers
        self._asking = Asking(self.address, headers, self.longest, self.most)

    @property
    def name(self) -> str:
        """Where the cluster is reached."""
        return f"at {self.address.text}"

    @property
    def notes(self) -> tuple[str, ...]:
        return (NOTE,)

    def again(self) -> "Rest":
        """Return the same server for another capture."""
        return Rest(self.address, self.token, self.longest, self.most, self.version)

    def stop(self) -> None:
        """Break off what is asked; this may be called from any thread."""
        self._asking.stop()

    def run(self, words: Sequence[str], path: Path) -> None:
        """Write the answer to a request into a new file. SessionError in one line; OSError."""
        _, place = words
        self._asking.get(place, path)

    def first(self, folder: Path) -> tuple[Command, ...]:
        """Return what is asked before anything else; finds the version. SessionError; OSError."""
        if self.version is None:
            self.version = self._newest(folder / "ping.json")
        return ping(self.version), licenses(self.version)

    def _newest(self, path: Path) -> int:
        for version in VERSIONS:
            try:
                self.run(ping(version).words, path)
            except NotThere:
                continue
            return version
        raise SessionError(
            f"{self.address.text} has no version of the interface that is read; "
            f"expected slurmrestd with one of v0.0.{OLDEST} to v0.0.{NEWEST}"
        )

    def settings(self, folder: Path) -> Settings:
        """Write the configuration as far as it is known, and return it. CaptureError; OSError."""
        known = folder / "ping.json"
        top = document(read_json(known), str(known))
        refuse_errors(top, "pings")
        meta = top.record("meta")
        slurm = meta.record("slurm" if "slurm" in meta.values else "Slurm")
        config = {"SLURM_VERSION": check_release(slurm, "release"), **DEFAULTS, ASSUMED: "yes"}
        if slurm.text("cluster"):
            config["ClusterName"] = slurm.text("cluster")
        if counts := _licenses(folder / "licenses.json"):
            config["Licenses"] = counts
        path = folder / CONFIG.file
        text = "".join(f"{key:<24}= {' '.join(value.split())}\n" for key, value in config.items())
        path.write_text(text, encoding="utf-8")
        for each in (known, folder / "licenses.json"):
            each.unlink(missing_ok=True)
        return read_settings(path)

    def others(self, settings: Settings, since: int = 0) -> tuple[Command, ...]:
        """Return what describes a cluster, beside its configuration; nothing of its accounting."""
        assert self.version is not None
        return requests_for(self.version)


def _licenses(path: Path) -> str:
    """The licences as a configuration has them; none if they are not known."""
    if not path.exists():
        return ""
    try:
        top = document(read_json(path), str(path))
        each = top.records("licenses")
        return ",".join(f"{record.text('LicenseName')}:{record.number('Total')}" for record in each)
    except CaptureError:
        return ""


def ping(version: int) -> Command:
    """Return the request that shows whether a server has a version, and its release of Slurm."""
    return _slurm("ping.json", version, "ping")


def licenses(version: int) -> Command:
    """Return the request for the licences, which stand in the configuration otherwise."""
    return _slurm("licenses.json", version, "licenses", required=False)


def requests_for(version: int) -> tuple[Command, ...]:
    return (
        _slurm("squeue.json", version, "jobs"),
        _slurm("nodes.json", version, "nodes"),
        _slurm("partitions.json", version, "partitions"),
        _slurm("reservations.json", version, "reservations"),
        _slurm("sdiag.json", version, "diag", required=False),
        Command("qos.json", (METHOD, f"/slurmdb/v0.0.{version}/qos/"), required=False),
        *((_slurm("squeue_v0.0.44.json", SHARED, "jobs", required=False),) if version > SHARED else ()),
    )


def _slurm(file: str, version: int, what: str, required: bool = True) -> Command:
    return Command(file, (METHOD, f"/slurm/v0.0.{version}/{what}/"), required)


EVERY = tuple(
    each for version in VERSIONS for each in (ping(version), licenses(version), *requests_for(version))
)
