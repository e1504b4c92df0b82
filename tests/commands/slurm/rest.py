"""A slurmrestd on the loopback: a small server with answers that were made for the test."""

import base64
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

import attrs

from tests.commands.slurm.fake import contents_of
from tests.scenarios.slurm.support import RELEASES, meta

FILES = {
    "jobs": "squeue.json",
    "nodes": "nodes.json",
    "partitions": "partitions.json",
    "reservations": "reservations.json",
    "diag": "sdiag.json",
}
CLAIMS = base64.urlsafe_b64encode(json.dumps({"sun": "grace"}).encode()).decode().rstrip("=")
TOKEN = f"eyJhbGciOiJIUzI1NiJ9.{CLAIMS}.c2VjcmV0"


@attrs.define
class Rest:
    """What the server has, and what it was asked."""

    versions: tuple[int, ...]
    answers: dict[str, Any] = attrs.field(factory=dict)
    """Path -> JSON value, bytes, or the status of a refusal."""
    token: str = TOKEN
    asked: list[tuple[str, str, dict[str, str]]] = attrs.field(factory=list)
    """Method, path, headers."""
    hanging: bool = False
    left: Event = attrs.field(factory=Event)
    address: str = ""

    def __attrs_post_init__(self) -> None:
        for version in self.versions:
            about: dict[str, Any] = {"meta": meta(version), "errors": []}
            about["meta"]["slurm" if version > 39 else "Slurm"] = {
                "release": RELEASES[version],
                "cluster": "far",
            }
            contents = contents_of(version)
            place = f"/slurm/v0.0.{version}"
            self.answers |= {f"{place}/{name}/": contents[file] for name, file in FILES.items()}
            self.answers[f"{place}/ping/"] = about | {"pings": [{"pinged": "UP"}]}
            licences = [{"LicenseName": "matlab", "Total": 8}, {"LicenseName": "fluent", "Total": 1}]
            self.answers[f"{place}/licenses/"] = about | {"licenses": licences}
            self.answers[f"/slurmdb/v0.0.{version}/qos/"] = about | {"qos": []}
            if version == 45:
                self.answers["/slurm/v0.0.44/jobs/"] = contents["squeue_v0.0.44.json"]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    rest: Rest

    def handle_error(self, *_: Any) -> None:
        """A client that goes away is no error."""

    def server_bind(self) -> None:
        """Bind a unix socket without looking its name up."""
        if self.address_family == socket.AF_UNIX:
            self.socket.bind(self.server_address)
        else:
            super().server_bind()


class _Unix(_Server):
    address_family = socket.AF_UNIX

    def get_request(self) -> tuple[Any, Any]:
        """A client of a unix socket has no address."""
        request, _ = super().get_request()
        return request, ("unix", 0)


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        """Answer from the table."""
        rest = self.server.rest
        rest.asked.append((self.command, self.path, dict(self.headers.items())))
        if rest.hanging:
            rest.left.wait(20)
            return
        if rest.token and self.headers.get("X-SLURM-USER-TOKEN") != rest.token:
            found: Any = 401
        else:
            found = rest.answers.get(self.path, 404)
        status = found if isinstance(found, int) else 200
        body = found if isinstance(found, bytes) else json.dumps(found).encode()
        if isinstance(found, tuple):
            status, body = found[0], json.dumps(found[1]).encode()
        self.send_response(status)
        if status == 302:
            self.send_header("Location", f"{rest.address}/elsewhere")
        self.send_header("Content-Length", str(len(body) + (9 if body.endswith(b"cut") else 0)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_PUT = do_DELETE = do_HEAD = do_OPTIONS = do_GET

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def serving(rest: Rest, path: Path | None = None) -> Iterator[Rest]:
    """Let a server answer, on a port of the loopback or on a unix socket."""
    server = _Server(("127.0.0.1", 0), _Handler) if path is None else _Unix(str(path), _Handler)  # type: ignore[arg-type]
    server.rest = rest
    rest.address = f"http://127.0.0.1:{server.server_address[1]}" if path is None else f"unix:{path}"
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield rest
    finally:
        rest.left.set()
        server.shutdown()
        server.server_close()
