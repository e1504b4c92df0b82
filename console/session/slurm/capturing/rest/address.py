"""Where a slurmrestd listens: `http://host:6820`, `https://host/prefix`, `unix:/run/slurmrestd.socket`."""

import re
from urllib.parse import urlsplit

import attrs

from shadowtime.console.session.errors import SessionError
from shadowtime.scenarios.errors import shown

EXPECTED = "http://HOST:PORT, https://HOST or unix:/PATH"
_PLAIN = re.compile(r"[!-~]+")


@attrs.frozen
class Address:
    """The address of a server."""

    scheme: str
    """`http`, `https` or `unix`."""
    host: str = ""
    port: int | None = None
    prefix: str = ""
    """What stands before each path of a server behind a proxy."""
    socket: str = ""
    """The path of a unix socket."""
    text: str = ""
    """As it is typed."""


def parse_address(text: str) -> Address:
    """Return an address. SessionError in one line for anything else.

    A user or a password in it is refused: an address is shown and written down.
    """
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _refused(text) from None
    if not _PLAIN.fullmatch(text) or parts.query or parts.fragment:
        raise _refused(text)
    if parts.username is not None or parts.password is not None:
        raise SessionError(f"--rest has a user or a password in it; expected {EXPECTED}")
    if parts.scheme == "unix" and not parts.netloc and parts.path.startswith("/"):
        return Address("unix", socket=parts.path, text=text)
    if parts.scheme in ("http", "https") and parts.hostname:
        return Address(parts.scheme, parts.hostname, port, parts.path.rstrip("/"), text=text)
    raise _refused(text)


def _refused(text: str) -> SessionError:
    return SessionError(f"--rest {shown(text)} is no address; expected {EXPECTED}")
