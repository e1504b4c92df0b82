"""The columns of an accounting dump: found by the header, and cut out of the lines of the rows.

sacct marks neither separators nor line breaks within a text, as in the name of a job; R and pandas put
texts in quotes. A row is what fills the columns: texts may give way, the other columns may not.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, islice

import attrs

from shadowtime.scenarios.errors import shown, single
from shadowtime.scenarios.traces.slurm import parse_job

UNITS = ("cpu", "node")
SIZES: Mapping[str, Sequence[str]] = {
    "cpu": ("alloccpus", "ncpus", "reqcpus"),
    "node": ("allocnodes", "nnodes", "reqnodes"),
}
TRES = "alloctres", "reqtres"
SEPARATORS = "|,;\t"
"""What may stand between the columns if nothing is said of it."""
_REQUIRED = (
    ("JobID", "JobIDRaw"),
    ("Submit",),
    ("Start",),
    ("Elapsed", "ElapsedRaw", "End"),
    ("State",),
)
_WRITTEN = {
    name.lower(): name
    for name in (
        "JobID", "JobIDRaw", "Submit", "Eligible", "Start", "End", "Elapsed", "ElapsedRaw", "State",
        "Suspended",
        "Timelimit", "TimelimitRaw", "AllocCPUS", "NCPUS", "ReqCPUS", "AllocNodes", "NNodes", "ReqNodes",
        "AllocTRES", "ReqTRES",
    )
}  # fmt: skip
_TEXTS = frozenset(
    (
        "jobname", "comment", "admincomment", "systemcomment", "workdir", "submitline", "reason", "extra",
        "container", "constraints", "stdin", "stdout", "stderr", "wckey",
    )
)  # fmt: skip
"""Columns in which a separator or a line break may stand."""
_MOST_READINGS = 1_000


def written(name: str) -> str:
    """The name of a column as sacct writes it."""
    return _WRITTEN.get(name, name)


def is_header(line: str) -> bool:
    small = line.lower()
    return "jobid" in small and "state" in small and "submit" in small


@attrs.frozen
class SacctLayout:
    """Where the columns are."""

    places: Mapping[str, int]
    wide: int
    """How many columns there are; a separator behind the last makes none."""
    separator: str
    unit: str
    texts: tuple[int, ...]
    """The columns that may hold separators and line breaks."""
    quoted: bool
    """Whether all texts are in quotes, as the names in the header are."""

    @classmethod
    def read(
        cls, header: str, separator: str | None, unit: str | None, file: str, line: int
    ) -> "SacctLayout":
        """Find the columns in a header. ScenarioError says which are missing, all at once.

        Without a `separator` it is the one of SEPARATORS that makes the most columns.
        """
        header = header.removeprefix("\ufeff").rstrip("\r\n")
        if "\0" in header:
            raise single(file, "it is no text; expected a dump of sacct -P", line)
        separator = separator or max(SEPARATORS, key=header.count)
        quoted = f'"{separator}"' in header and len(separator) == 1
        cells = _from_csv(header, separator) or [] if quoted else header.split(separator)
        names = [name.strip().lower().partition("%")[0] for name in cells]
        wide = max((place for place, name in enumerate(names, start=1) if name), default=0)
        places = {name: place for place, name in reversed(list(enumerate(names))) if name}
        if "jobid" not in places and "jobidraw" not in places and len(names) < 3:
            raise single(file, f"no header of sacct -P with {shown(separator)} between the columns", line)
        if any(_is_job(name) for name in names[:2]):
            raise single(file, "is a row; expected a header: sacct without --noheader", line)
        missing = [
            " or ".join(wanted) for wanted in _REQUIRED if not any(name.lower() in places for name in wanted)
        ]
        units = [name for name in UNITS if any(key in places for key in (*SIZES[name], *TRES))]
        if not units:
            missing.append("AllocCPUS or NNodes")
        elif unit is not None and unit not in units:
            missing.append("AllocCPUS" if unit == "cpu" else "NNodes")
        if missing:
            raise single(file, f"the header has no column {', no column '.join(missing)}", line)
        texts = tuple(sorted(places[name] for name in _TEXTS & places.keys()))
        return cls(places, wide, separator, unit or units[0], texts, quoted)

    @property
    def ends_in_text(self) -> bool:
        """Whether a line break in the last column leaves a line that looks whole."""
        return not self.quoted and bool(self.texts) and self.texts[-1] == self.wide - 1

    def split(self, line: str) -> list[str] | None:
        """The cells of a row that holds no separator or line break within a text; None for other lines."""
        if self.quoted:
            cells = _from_csv(line, self.separator)
            # The row names of R have no name themselves.
            return (
                cells[1:]
                if cells is not None and len(cells) == self.wide + 1 and cells[-1]
                else self._fit(cells)
            )
        return self._fit(line.split(self.separator))

    def _fit(self, cells: list[str] | None) -> list[str] | None:
        if cells is not None and len(cells) == self.wide + 1 and cells[-1] == "":
            cells.pop()
        return cells if cells is not None and len(cells) == self.wide else None

    def readings(self, text: str) -> Iterator[list[str]]:
        """Every way to cut a row, of a line or several, into columns; not more than are worth a try."""
        if (cells := self.split(text)) is not None:
            yield cells
        if self.quoted:
            return
        if '"' in text and (cells := self._fit(_from_csv(text, self.separator))) is not None:
            yield cells
        parts = text.split(self.separator)
        extra = len(parts) - self.wide
        if extra <= 0:
            return
        for chosen in islice(combinations_with_replacement(self.texts, extra), _MOST_READINGS):
            yield self._joined(parts, chosen)

    def _joined(self, parts: Sequence[str], chosen: Sequence[int]) -> list[str]:
        """The columns if each of `chosen` holds one separator more, for each time that it is chosen."""
        cells, place = [], 0
        for column in range(self.wide):
            end = place + 1 + chosen.count(column)
            cells.append(self.separator.join(parts[place:end]))
            place = end
        return cells

    def known(self, cells: Sequence[str]) -> tuple[str, ...]:
        """The cells of the columns that are no texts."""
        return tuple(cell for place, cell in enumerate(cells) if place not in self.texts)

    def starts(self, line: str) -> bool:
        """Whether a line has the id of a job where a row has it."""
        place = self.places.get("jobid", self.places.get("jobidraw", 0))
        cells = line.split(self.separator, place + 1)
        return len(cells) > place and _is_job(cells[place])

    def may_go_on(self, text: str) -> bool:
        """Whether a row that begins so may have a line break behind it."""
        if self.quoted:
            return text.count('"') % 2 == 1
        place = self.places.get("jobid", self.places.get("jobidraw", 0))
        count = text.count(self.separator)
        return bool(self.texts) and count >= self.texts[0] and (count < place or self.starts(text))

    def miscounted(self, line: str) -> str:
        """What is wrong with a line that does not fill the columns."""
        return f"{line.count(self.separator) + 1} columns; the header has {self.wide}"


def _is_job(text: str) -> bool:
    try:
        return bool(parse_job(text))
    except ValueError:
        return False


def _from_csv(text: str, separator: str) -> list[str] | None:
    """The cells of a row with quotes; None where a quote is not closed, or something else is no CSV."""
    if len(separator) != 1 or text.count('"') % 2:
        return None
    try:
        return next(csv.reader([text], delimiter=separator), None)
    except csv.Error:
        return None
