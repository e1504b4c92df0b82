"""The priorities of jobs in each of their partitions and what they are made of, of `sprio`."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path

import attrs

from shadowtime.scenarios.errors import shown
from shadowtime.scenarios.slurm.documents import find, read_text
from shadowtime.scenarios.slurm.errors import CaptureError, broken


class Factor(StrEnum):
    """What adds points to a priority, by its title in `sprio`; the points of NICE are taken away."""

    SITE = "SITE"
    AGE = "AGE"
    ASSOCIATION = "ASSOC"
    FAIR_SHARE = "FAIRSHARE"
    SIZE = "JOBSIZE"
    PARTITION = "PARTITION"
    QUALITY = "QOS"
    NICE = "NICE"
    TRES = "TRES"


@attrs.frozen
class Priority:
    """A priority in a partition, and the points of its factors that the table has, each rounded."""

    total: int
    points: Mapping[Factor, int] = attrs.field(factory=dict)


TITLES = "JOBID", "PARTITION", "PRIORITY"
_POINTS = re.compile(r"-?\d{1,12}", re.ASCII)
_TRES = re.compile(r"(?:[^\s,=]+=)?(\d{1,12})", re.ASCII)


def read_priorities(folder: Path) -> Mapping[int, Mapping[str, Priority]]:
    """Return job -> partition -> priority; nothing without a table of `sprio`.

    The table of `sprio -l`, or one with commas of `sprio -o`, with TRES last. Of two columns PARTITION the
    second one has the points. CaptureError names the row that is none.
    """
    path = find(folder, ["sprio.txt"])
    head, *rows = read_text(path).splitlines() or [""] if path is not None else [""]
    mark = "," if "," in head else None
    titles = [title.strip() for title in head.split(mark)]
    found: dict[int, dict[str, Priority]] = defaultdict(dict)
    if path is None or not set(TITLES).issubset(titles):
        return found
    places = [titles.index(title) for title in TITLES]
    factors = {
        factor: place
        for factor in Factor
        for place, title in enumerate(titles)
        if title == factor and place not in places
    }
    for number, row in enumerate(rows, 2):
        words = [word.strip() for word in row.split(mark, len(titles) - 1)]
        job, partition, total = (words[place] if place < len(words) else "" for place in places)
        if not (job.isdecimal() and total.isdecimal()):
            expected = "a job, a partition and a priority"
            raise broken(path, f"the row is {shown(row.strip())}; expected {expected}", "", number)
        points = {factor: words[place] for factor, place in factors.items() if place < len(words)}
        try:
            found[int(job)][partition] = Priority(int(total), _points(points))
        except ValueError as error:
            raise _odd(path, str(error), number) from None
    return found


def _odd(path: Path, word: str, number: int) -> CaptureError:
    return broken(path, f"has the points {shown(word)}; expected a whole number", "", number)


def _points(words: Mapping[Factor, str]) -> dict[Factor, int]:
    """The points of each factor. ValueError carries the word that is no number."""
    found = {}
    for factor, text in words.items():
        parts: Sequence[str] = text.split(",") if factor is Factor.TRES else [text]
        pattern = _TRES if factor is Factor.TRES else _POINTS
        found[factor] = 0
        for part in filter(None, parts):
            number = pattern.fullmatch(part)
            if number is None:
                raise ValueError(part)
            found[factor] += int(number[number.lastindex or 0])
    return found
