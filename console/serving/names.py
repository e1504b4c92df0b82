"""Who asks: the name by which a request calls this machine, the page that sends it, and the token."""

import hmac
import re
import socket
from collections.abc import Collection
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import parse_qs, urlsplit

import attrs

LONGEST = 255
"""Characters of the name of a machine."""
HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[0-9A-Za-z._-]+)(?::(\d{1,5}))?")
"""A `Host` header: a name or an address, and a port."""


class BadName(ValueError):
    """A header that names no machine."""


@attrs.frozen
class Named:
    """A machine as a request names it: in small letters, without brackets and a last dot."""

    name: str
    port: int | None

    @classmethod
    def read(cls, text: str) -> "Named":
        """Read a `Host` header. Raises BadName."""
        found = HOST.fullmatch(text) if len(text) <= LONGEST + 8 else None
        if found is None or (found[2] is not None and int(found[2]) > 65535):
            raise BadName(f"the Host header is {text[:40]!r}; expected a name and a port")
        name = found[1].lower().strip("[]").rstrip(".")
        if not name or (":" in name and _address(name) is None):
            raise BadName(f"the Host header is {text[:40]!r}; expected a name and a port")
        return cls(name, None if found[2] is None else int(found[2]))

    @property
    def loopback(self) -> bool:
        """Whether only this machine can mean itself by the name."""
        number = _address(self.name)
        return self.name == "localhost" if number is None else number.is_loopback

    @property
    def is_address(self) -> bool:
        """Whether it is an address, which no name service can lead elsewhere."""
        return _address(self.name) is not None


@attrs.frozen
class Door:
    """Which requests are let in: those by a name of this server, from its own pages, with its token."""

    token: str
    host: str
    """The address at which the server listens."""
    names: Collection[str] = ()
    """The other names by which it may be called, in small letters."""

    def known(self, named: Named) -> bool:
        """Whether the server answers to a name.

        On a loopback address it answers to the names of the loopback. On another one it answers to that
        address too, and on all of them to each: no other site can give its pages an address as a name.
        """
        if named.loopback or named.name in self.names or named.name == self.host.lower():
            return True
        number = _address(self.host)
        return number is not None and number.is_unspecified and named.is_address

    def own(self, origin: str, named: Named, scheme: str) -> bool:
        """Whether an `Origin` header is that of a page of this server, as the request names it."""
        for secure in ("http", "https"):
            start = f"{secure}://"
            if origin.lower().startswith(start):
                with suppress(BadName):
                    page = Named.read(origin[len(start) :])
                    usual = 443 if secure == "https" else 80
                    asked = named.port or (443 if scheme == "https" else usual)
                    return page.name == named.name and (page.port or usual) == asked
        return False

    def shown(self, target: str) -> bool:
        """Whether the target of a request has the token, in its query or before its path."""
        try:
            parts = urlsplit(target)
            given = parse_qs(parts.query).get("token", [""])[0]
        except ValueError:
            return False
        before, slash, _ = parts.path.removeprefix("/").partition("/")
        return self._admits(given) or (bool(slash) and self._admits(before))

    def _admits(self, given: str) -> bool:
        """Whether this is the token. The time that it takes does not depend on the text."""
        return hmac.compare_digest(given.encode(errors="replace"), self.token.encode())


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 picks a free one. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


def address(host: str, port: int) -> str:
    """The address that a browser asks for."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def reached_as(host: str) -> str:
    """What a browser on this machine calls an address to listen at."""
    number = _address(host)
    if number is None or not number.is_unspecified:
        return host
    return "127.0.0.1" if isinstance(number, IPv4Address) else "::1"


def _address(name: str) -> IPv4Address | IPv6Address | None:
    with suppress(ValueError):
        number = ip_address(name)
        # ::ffff:127.0.0.1 is 127.0.0.1.
        return getattr(number, "ipv4_mapped", None) or number
    return None
