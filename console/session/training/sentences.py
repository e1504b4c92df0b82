"""Sentences of texts, with the jobs and the instants that they name: all that a reader of them sees."""

import re
from collections.abc import Iterable, Iterator

import attrs

END = re.compile(r"(?<=[.!?])\s+")
JOBS = re.compile(r"\bjobs? ((?:\d+(?:, (?:and )?| and | or )?)+)", re.IGNORECASE)
INSTANT = re.compile(r"(?:(\d+)d? )?\b(\d+):(\d\d):(\d\d)\b")
NOT = re.compile(r"\b(?:not|no|none|nobody|never)\b", re.IGNORECASE)


@attrs.frozen
class Sentence:
    """A sentence, the jobs and the instants that it names."""

    text: str
    jobs: frozenset[int]
    instants: frozenset[int]

    def says(self, word: re.Pattern[str]) -> bool:
        """Whether a word stands in it, and nothing that denies it."""
        return bool(word.search(self.text)) and not NOT.search(self.text)

    def quotes(self, text: str) -> bool:
        """Whether a text stands in it, not as a part of a word."""
        return bool(re.search(rf"(?<!\w){re.escape(text)}(?!\w)", self.text))


def sentences(texts: Iterable[str]) -> Iterator[Sentence]:
    """Yield the sentences of texts, in their order."""
    for text in texts:
        for part in END.split(" ".join(text.split())):
            yield Sentence(part, frozenset(_jobs(part)), frozenset(_instants(part)))


def _jobs(text: str) -> Iterator[int]:
    for found in JOBS.finditer(text):
        yield from map(int, re.findall(r"\d+", found[1]))


def _instants(text: str) -> Iterator[int]:
    for days, hours, minutes, seconds in INSTANT.findall(text):
        yield ((int(days or 0) * 24 + int(hours)) * 60 + int(minutes)) * 60 + int(seconds)
