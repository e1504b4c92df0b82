"""The sizes and the terminals that every page is drawn for."""

import os
from collections.abc import Mapping

import attrs

SIZES = ((80, 24), (120, 36), (200, 50))
ASKED = ("TERM", "COLORTERM", "NO_COLOR")
"""What the environment says of a terminal."""


@attrs.frozen
class Look:
    """A terminal: what its environment says, and the theme."""

    environment: Mapping[str, str]
    theme: str = "dark"

    def wear(self) -> None:
        """Let this process believe that it is on such a terminal."""
        for name in ASKED:
            os.environ.pop(name, None)
        os.environ.update(self.environment)


MANY = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
LOOKS: Mapping[str, Look] = {
    "dark": Look(MANY),
    "light": Look(MANY, "light"),
    "sixteen": Look({"TERM": "xterm-16color"}),
    "none": Look({"TERM": "xterm-256color", "NO_COLOR": "1"}),
}
"""The terminals by name: many colours in both themes, sixteen colours, no colour."""
