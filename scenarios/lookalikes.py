"""Files that are no scenarios, by what they look like: what they are, and which command is for them."""

import re
import shlex
from pathlib import Path

BEGINNING = 1 << 16
"""Bytes that are looked at."""
DUMP = re.compile(r"[^\n]*\bjobid(raw)?\b[^\n]*", re.IGNORECASE)
"""The header of an accounting dump: the names of columns, in any order."""
SEPARATORS = "|,;\t"
FIELDS = 18
"""Numbers in a row of a log in the Standard Workload Format."""


def looks_like(path: Path, content: bytes) -> str:
    """What a file looks like that is no TOML, and what opens it; empty if it looks like nothing known."""
    lines = content[:BEGINNING].decode(errors="replace").splitlines()
    first = next((line for line in lines if line.strip()), "")
    if DUMP.fullmatch(first):
        if any(separator in first for separator in SEPARATORS):
            name = shlex.quote(str(path))
            return (
                "is an accounting dump of sacct; expected a scenario or a log: "
                f"shadowtime import sacct {name} -o OUT.swf makes a log of it"
            )
        return "is a table of sacct for people; expected a dump of sacct -P, for shadowtime import sacct"
    row = next((line for line in lines if line.strip() and not line.lstrip().startswith(";")), "")
    if len(row.split()) == FIELDS and re.fullmatch(r"[-+\d.\s]+", row):
        return "is a log in the Standard Workload Format; expected a name that ends in .swf"
    if first.lstrip().startswith("{"):
        return "is JSON; expected a scenario in TOML, or a log (.swf, .swf.gz, .swf.xz)"
    return ""
