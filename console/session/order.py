"""The order of the queue: sorted by a column, filtered by what is typed, stable."""

from collections.abc import Callable, Mapping, Sequence

from console.session.errors import SessionError
from console.session.filters import Fields, parse_filter

Key = Callable[[int], int | str | None]
"""What a job, by index, is sorted by; None goes last in either direction."""


def ordered(
    jobs: Sequence[int], key: str, keys: Mapping[str, Key], reverse: bool, text: str, fields: Fields
) -> Sequence[int]:
    """Return the jobs that pass the filter, sorted by a key; equal ones stay in the order they had.

    `queue` is the order of the jobs as they come. SessionError where the key or the filter is none.
    """
    if key != "queue" and key not in keys:
        raise SessionError(f"the queue cannot be sorted by {key!r}; expected one of queue, {', '.join(keys)}")
    shown: Sequence[int] = jobs
    for test in parse_filter(text, fields):
        shown = [job for job in shown if test(job)]
    if key == "queue":
        return shown[::-1] if reverse else shown
    return _sorted(shown, keys[key], reverse)


def _sorted(jobs: Sequence[int], key: Key, reverse: bool) -> list[int]:
    values = [(key(job), job) for job in jobs]
    known = [value for value in values if value[0] is not None]
    known.sort(key=_first, reverse=reverse)
    return [job for _, job in known] + [job for value, job in values if value is None]


def _first(pair: tuple[int | str | None, int]) -> int | str:
    value = pair[0]
    assert value is not None
    return value
