"""Constraints on the features of nodes, as jobs write them: `ib`, `ib&avx`, `a100|h100`, `[rack1|rack2]`."""

import re
from collections.abc import Callable, Iterable

COUNTED = re.compile(r"[*:]\d")
"""A number of nodes with a feature, such as `ib*4`: not regarded."""


def meets(text: str) -> Callable[[Iterable[str]], bool]:
    """Return whether features meet a constraint, as a function of them; an empty one is met by all."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    if not text:
        return lambda _: True
    choices = [frozenset(part.replace(",", "&").split("&")) for part in text.split("|")]
    return lambda features: any(choice.issubset(features) for choice in choices)
