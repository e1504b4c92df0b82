"""Labels: one text for each job, kept as a small integer until somebody reads it."""

from array import array
from collections.abc import Iterable, Sequence
from typing import overload


class Labels(Sequence[str]):
    """A column of texts. `codes` holds a number for each job, -1 where it has none; texts are made when read.

    With `words`, code k stands for words[k]; without, for the number itself. No text is the empty one.
    """

    __slots__ = ("codes", "words")

    def __init__(self, codes: Sequence[int], words: Sequence[str] | None = None) -> None:
        self.codes = codes
        self.words = None if words is None else tuple(words)

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Labels":
        """The column of these texts; words are numbered in the order in which they first appear."""
        numbers: dict[str, int] = {}
        codes = array("q", (numbers.setdefault(text, len(numbers)) if text else -1 for text in texts))
        return cls(codes, tuple(numbers))

    @classmethod
    def none(cls, count: int) -> "Labels":
        """A column of `count` empty texts."""
        return cls(array("b", [-1]) * count, ())

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> "Labels": ...
    def __getitem__(self, index: int | slice) -> "str | Labels":
        if isinstance(index, slice):
            return Labels(self.codes[index], self.words)
        return self.text(self.codes[index])

    def distinct(self) -> frozenset[str]:
        """The texts that occur; O(jobs) and as many texts as there are are made."""
        return frozenset(self.text(code) for code in set(self.codes))

    def text(self, code: int) -> str:
        if code < 0:
            return ""
        return str(code) if self.words is None else self.words[code]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Labels) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        head = ", ".join(repr(text) for text in self[:3])
        return f"Labels({len(self)}: {head}{', ...' if len(self) > 3 else ''})"
