"""Lines of `scontrol show ... --oneliner`: words `Name=value` with spaces between them."""

import re
from collections.abc import Iterator
from pathlib import Path

import attrs

from shadowtime.scenarios.errors import shown
from shadowtime.scenarios.slurm.documents import read_text
from shadowtime.scenarios.slurm.errors import CaptureError, broken
from shadowtime.scenarios.slurm.fields import MOST
from shadowtime.scenarios.slurm.hostlist import parse_hosts
from shadowtime.scenarios.traces.calendar import Calendar
from shadowtime.scenarios.traces.slurm import parse_duration

_WORD = re.compile(r"(?<!\S)([A-Za-z][\w:/]*)=(\S*)")
NONE = frozenset(("(null)", "NONE", "N/A", ""))


@attrs.frozen
class Line:
    """A line, with its file and number for errors."""

    file: str
    number: int
    values: dict[str, str]

    def error(self, name: str, expected: str) -> CaptureError:
        """The error of a value that is not what was expected."""
        return broken(self.file, f"is {shown(self.values[name])}; expected {expected}", name, self.number)

    def require(self, *names: str) -> None:
        """CaptureError that names every word of these that is missing."""
        missing = [name for name in names if name not in self.values]
        if missing:
            raise broken(self.file, f"lacks {', '.join(missing)}", "", self.number)

    def text(self, name: str) -> str:
        """Return a value, empty if there is none."""
        value = self.values.get(name, "")
        return "" if value in NONE else value

    def words(self, name: str) -> tuple[str, ...]:
        return tuple(filter(None, self.text(name).split(",")))

    def count(self, name: str, default: int = 0) -> int:
        """Return a number; `default` without one."""
        value = self.text(name)
        if not value or value.upper() == "UNLIMITED":
            return default
        if not (value.isascii() and value.isdigit()) or int(value[:20]) >= MOST:
            raise self.error(name, "a whole number")
        return int(value)

    def minutes(self, name: str) -> int | None:
        """Return the minutes of a duration; None without a limit."""
        try:
            found = parse_duration(self.text(name)) if self.text(name) else None
        except ValueError:
            raise self.error(name, "a duration such as 2-00:00:00") from None
        if found is not None and found >= MOST:
            raise self.error(name, "a duration such as 2-00:00:00")
        return None if found is None else found // 60

    def instant(self, name: str, calendar: Calendar) -> int:
        """Return an instant in seconds since 1970."""
        try:
            found = calendar.seconds(self.text(name))
        except ValueError:
            found = None
        if found is None:
            raise self.error(name, "an instant such as 2026-03-01T12:00:00")
        return found

    def hosts(self, name: str) -> tuple[str, ...]:
        """Return the nodes of a list."""
        try:
            return parse_hosts(self.text(name))
        except ValueError:
            raise self.error(name, "nodes such as n[1-4]") from None


def read_lines(path: Path, first: str) -> Iterator[Line]:
    """Yield the lines that begin with the word `first`. CaptureError if a line is longer than a mebibyte."""
    for number, text in enumerate(read_text(path).splitlines(), 1):
        if not text.startswith(first + "="):
            continue
        if len(text) > 1 << 20:
            raise broken(path, "the line is longer than a mebibyte", "", number)
        values: dict[str, str] = {}
        for found in _WORD.finditer(text):
            values.setdefault(found[1], found[2])
        yield Line(str(path), number, values)
