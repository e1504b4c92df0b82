"""Marks: positions that the operator named with a letter, and the one before the last jump."""

from collections.abc import Mapping


class Marks:
    """Event numbers by letter. Every jump remembers where it began, so that the operator can return."""

    def __init__(self) -> None:
        self._marks: dict[str, int] = {}
        self._before: int | None = None

    def set(self, letter: str, number: int) -> None:
        self._marks[letter] = number

    def get(self, letter: str) -> int | None:
        return self._marks.get(letter)

    @property
    def all(self) -> Mapping[str, int]:
        return self._marks

    @property
    def letters(self) -> str:
        return " ".join(sorted(self._marks))

    def jumped(self, origin: int) -> None:
        self._before = origin

    @property
    def before(self) -> int | None:
        """Where the last jump began."""
        return self._before
