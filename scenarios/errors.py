"""What is wrong with a scenario or a log: faults with their places, and the exception that carries them."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time
from decimal import Decimal

import attrs

from shadowtime.scenarios.text.gate import printable

LONGEST_SHOWN = 40


@attrs.frozen
class Fault:
    """One thing that is wrong: where, what, and what was expected. Lines and columns are counted from 1."""

    file: str
    line: int | None
    column: int | None
    message: str
    hint: str | None = None
    """Advice beyond the message, for those who show it apart; the message is complete without it."""

    def __str__(self) -> str:
        """The fault in one line: `gang.toml:14:9: size is 200; the machine has 128 nodes`."""
        places = [str(place) for place in (self.file or None, self.line, self.column) if place is not None]
        return printable(": ".join([":".join(places), self.message] if places else [self.message]))


class ScenarioError(Exception):
    """Bad input, scenario or log: every fault that was found, in order of place. Nothing has been run."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults: tuple[Fault, ...] = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


class LogMissing(ScenarioError):
    """The log that is asked for is not on this machine; nothing else is wrong."""


def single(file: object, message: str, line: int | None = None, column: int | None = None) -> ScenarioError:
    """The error that holds one fault."""
    return ScenarioError([Fault(str(file), line, column, message)])


def shown(value: object) -> str:
    """A value as a scenario file writes it, cut to a length that fits a message."""
    text = _written(value)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


def _written(value: object) -> str:
    if isinstance(value, str):
        text = printable(
            value[: LONGEST_SHOWN + 1].replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
        )
        return f'"{text}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**LONGEST_SHOWN else "a number of more than 40 digits"
    if isinstance(value, Decimal):
        return "nan" if value.is_nan() else str(value).lower().replace("infinity", "inf")
    if isinstance(value, date | time):
        return str(value)
    return _written_group(value)


def _written_group(value: object) -> str:
    if isinstance(value, Mapping):
        return "a table" if value else "an empty table"
    if isinstance(value, Sequence):
        # A long or deep array is not written out to be cut off again.
        if len(value) > LONGEST_SHOWN or any(isinstance(item, list | dict) for item in value):
            return f"an array of {len(value)}"
        return "[" + ", ".join(map(_written, value)) + "]"
    return repr(value)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word most like this one, or None."""
    import difflib

    found = difflib.get_close_matches(word[:80], sorted(known), n=1, cutoff=0.6)
    return found[0] if found else None


def one_of(known: Iterable[str], word: str = "") -> str:
    """What to say after an unknown word: the known one it resembles, or all of them."""
    words = list(known)
    close = nearest(word, words) if word else None
    return f"did you mean {close}?" if close is not None else f"expected {_either(words)}"


def _either(words: Sequence[str]) -> str:
    if not words:
        return "nothing here"
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]
