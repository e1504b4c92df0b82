"""The header of a log: `; Key: value` lines before the first row, and what they say of machine and clock."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone, tzinfo

import attrs

from shadowtime.scenarios.errors import shown
from shadowtime.scenarios.text.gate import printable
from shadowtime.scenarios.workload import MAX_NODES

_LINE = re.compile(r"\s*;+\s*(\w+)[ \t]*:[ \t]*(.*)")
# Behind a number may stand a remark, but nothing that could be more of the number, as in `1.024` or `1 024`.
_NUMBER = re.compile(r"([+-]?(?:\d{1,3}(?:,\d{3})+|\d{1,18}))(?:\.00?)?(?![\w]|[^\s(\[;]\S|\s+\d)", re.ASCII)
_BEGUN = re.compile(r"[+-]?\d", re.ASCII)
_KEYS = {
    key.lower(): key
    for key in (
        "Acknowledge", "Computer", "Information", "Installation", "MaxNodes", "MaxProcs", "TimeZone",
        "TimeZoneString", "UnixStartTime",
    )
}  # fmt: skip
"""The keys that are read here, by their name in small letters."""
# A day at most: a zone that is further from Greenwich is none.
_FARTHEST_ZONE = 86_400


def header_lines(values: Iterable[tuple[str, object]]) -> Iterator[str]:
    """Yield a line of a header for each key and value, without its line end."""
    return (f"; {key}: {printable(str(value))}" for key, value in values)


@attrs.frozen
class Header:
    """The keys of a log's header, in any case. Where a key stands twice the first counts."""

    values: Mapping[str, str]

    @classmethod
    def read(cls, text: bytes) -> "Header":
        """The header in the text before the first row. Comments that are no `Key: value` are passed over."""
        values: dict[str, str] = {}
        for line in text.decode(errors="replace").splitlines():
            if found := _LINE.match(line):
                values.setdefault(_KEYS.get(found[1].lower(), found[1]), found[2].strip())
        return cls(values)

    def number(self, key: str) -> int | None:
        """The whole number that a value begins with: `128 (8 a node)` or `1,024`; None without one.

        None also for a value whose number can be read in two ways, such as `1.024` or `2026-03-02`.
        """
        found = _NUMBER.match(self.values.get(key, ""))
        return int(found[1].replace(",", "")) if found else None

    def misread(self, key: str) -> bool:
        """Whether a value begins with a digit and has no `number`."""
        return self.number(key) is None and _BEGUN.match(self.values.get(key, "")) is not None

    @property
    def nodes(self) -> int | None:
        """The size of the machine: MaxProcs, else MaxNodes. None without one, or if it is not understood."""
        key = self.size_key
        count = self.number(key) if key is not None else None
        return count if count is not None and count <= MAX_NODES else None

    @property
    def size_key(self) -> str | None:
        """The key that states the size of the machine. A text, 0 and -1 state none."""
        for key in ("MaxProcs", "MaxNodes"):
            if (self.number(key) or 0) > 0 or self.misread(key):
                return key
        return None

    @property
    def about(self) -> str:
        """Where the log comes from and whom to thank, in lines, as far as the header says."""
        keys = "Computer", "Installation", "Acknowledge", "Information"
        return "\n".join(f"{key}: {printable(self.values[key])}" for key in keys if self.values.get(key))

    def epoch(self) -> tuple[datetime | None, str | None]:
        """The wall-clock time of second 0 in the log's own time zone, if it says so, and a note if it is
        unsure.
        """
        start = self.number("UnixStartTime")
        if self.misread("UnixStartTime"):
            value = shown(self.values["UnixStartTime"])
            return None, f"UnixStartTime is {value}: no number of seconds since 1970; the log has no months"
        if start is None or start <= 0:
            return None, None
        zone, note = self._zone()
        try:
            return datetime.fromtimestamp(start, zone), note
        except (ValueError, OverflowError, OSError):
            return None, f"UnixStartTime is {start}: no time that a calendar knows; the log has no months"

    def _zone(self) -> tuple[tzinfo, str | None]:
        """TimeZoneString; where that is absent or unknown TimeZone, seconds from Greenwich, which has no
        summer.
        """
        name = self.values.get("TimeZoneString", "")
        if name:
            from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

            # ValueError and OSError: texts that could be no zone's name, such as that of a folder.
            with suppress(ZoneInfoNotFoundError, ValueError, OSError):
                return ZoneInfo(name), None
        offset = self.number("TimeZone")
        if offset is not None and abs(offset) < _FARTHEST_ZONE:
            note = (
                f"the time zone {shown(name)} is not known here: TimeZone {offset} is taken" if name else None
            )
            return timezone(timedelta(seconds=offset)), note
        what = f"the time zone {shown(name)} is not known here" if name else "the header names no time zone"
        return UTC, f"{what}: UTC is taken"
