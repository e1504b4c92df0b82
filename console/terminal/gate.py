"""The gate in front of stdout and stderr: whatever a command writes, a terminal gets printable lines.

What this program draws itself (colours of a table, a progress bar) goes to the stream beneath.
"""

from typing import Any, TextIO


def gated(text: str) -> str:
    """The text with its line ends and each line printable."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    # Loaded for the few texts that need it: help has none, and the session takes a while.
    from shadowtime.console.session.texts import printable_lines

    return printable_lines(text)


class Gate:
    """A stream of text that passes on what `gated` leaves of it.

    It has no `buffer`: who writes bytes would go around it.
    """

    def __init__(self, beneath: TextIO) -> None:
        self.beneath = beneath

    def write(self, text: str) -> int:
        """Write a text; return its length. Raises OSError."""
        self.beneath.write(gated(text))
        return len(text)

    def writelines(self, lines: "list[str]") -> None:
        """Write several texts. Raises OSError."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        if name == "buffer":
            raise AttributeError(name)
        return getattr(self.beneath, name)


def beneath(stream: TextIO) -> TextIO:
    """The stream behind the gate, for what this program draws itself."""
    found: TextIO = getattr(stream, "beneath", stream)
    return found
