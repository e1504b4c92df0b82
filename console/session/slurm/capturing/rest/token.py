"""The token for a slurmrestd, from SLURM_JWT as Slurm's own tools take it, or from a file."""

import base64
import getpass
import json
import os
import re
from pathlib import Path

import attrs

from shadowtime.console.session.errors import SessionError

VARIABLE = "SLURM_JWT"
LONGEST = 1 << 16
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
            where, text = path, stream.read(LONGEST + 1)
    text = text.strip().removeprefix(f"{VARIABLE}=")
    if len(text) > LONGEST or not _TOKEN.fullmatch(text):
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
