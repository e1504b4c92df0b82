"""The order of the queue: sorted by a column, filtered by what is typed, stable."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shadowtime.console.session.errors import SessionError
from shadowtime.console.session.jobs.filters import Fields, parse_filter
from shadowtime.scenarios import Labels

Key = Callable[[int], int | str | None]
"""What a job, by index, is sorted by; None goes last in either direction."""
OLDER = {"predicted": "starts"}
"""Older words for columns."""


def ordered(
    jobs: Sequence[int],
    key: str,
    keys: Mapping[str, Callable[[], Key]],
    reverse: bool,
    text: str,
    fields: Fields,
) -> Sequence[int]:
    """Return the jobs that pass the filter, sorted by a key; equal ones stay in the order they had.

    `queue` is the order of the jobs as they come. SessionError for an unknown key or a wrong filter.
    """
    key = OLDER.get(key, key)
    if key != "queue" and key not in keys:
        raise SessionError(f"the queue cannot be sorted by {key!r}; expected one of queue, {', '.join(keys)}")
    shown: Sequence[int] = jobs
    for test in parse_filter(text, fields):
        shown = [job for job in shown if test(job)]
    if key == "queue":
        return shown[::-1] if reverse else shown
    return _sorted(shown, keys[key](), reverse)


def alphabet(texts: Sequence[str]) -> Key:
    """Return a key in the order of the texts, numbers by their value; quick if they are codes."""
    if not isinstance(texts, Labels):
        return texts.__getitem__
    codes, words = texts.codes, texts.words
    if words is None:
        return codes.__getitem__
    ranks = [0] * len(words) + [-1]  # the last one is for the code -1: no text
    for rank, code in enumerate(sorted(range(len(words)), key=words.__getitem__)):
        ranks[code] = rank
    return lambda job: ranks[codes[job]]


def _sorted(jobs: Sequence[int], key: Key, reverse: bool) -> list[int]:
    values: list[Any] = list(map(key, jobs))
    places = [place for place, value in enumerate(values) if value is not None]
    places.sort(key=values.__getitem__, reverse=reverse)
    known = [jobs[place] for place in places]
    if len(known) == len(jobs):
        return known
    return known + [job for job, value in zip(jobs, values, strict=True) if value is None]
