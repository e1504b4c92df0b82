"""Widgets, screens and the app keep off the names that the framework keeps for itself."""

import ast
import importlib
import inspect
import textwrap
from functools import lru_cache

from textual.message_pump import MessagePump

from tests.commandline import ROOT

MODULES = tuple(
    ".".join(("shadowtime", *path.relative_to(ROOT).with_suffix("").parts))
    for path in sorted((ROOT / "console").rglob("*.py"))
    if "class " in path.read_text(encoding="utf-8")
)

MEANT = {"_return_code", "_border_title", "_border_subtitle"}
"""Those that are set as the framework means them."""


@lru_cache
def own_names(kind: type) -> frozenset[str]:
    """The private names that a class gives itself in its methods."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))
    return frozenset(
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        and node.attr.startswith("_")
    )


def test_no_private_name_of_the_framework_is_given_another_meaning() -> None:
    """A widget whose `_running` was its own was not painted until the next key."""
    taken = set()
    for name in MODULES:
        for kind in vars(importlib.import_module(name)).values():
            if isinstance(kind, type) and issubclass(kind, MessagePump) and kind.__module__ == name:
                bases = [base for base in kind.__mro__ if base.__module__.startswith("textual.")]
                theirs = frozenset[str]().union(*map(own_names, bases))
                taken |= {(name, kind.__name__, each) for each in own_names(kind) & theirs - MEANT}
    assert not taken
