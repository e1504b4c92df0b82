"""Packages whose names are imported when they are first asked for: a command loads only what it uses."""

from collections.abc import Callable
from importlib import import_module
from sys import modules


def names(package: str, file: str) -> tuple[Callable[[str], object], list[str]]:
    """Return `__getattr__` and `__all__` of a package, `file` being its `__init__.py`.

    The list of its names is `__init__.pyi` beside it, which type checkers read, too. Each name is a line
    `from MODULE import NAME as NAME`; nothing else there begins with `from`. No NAME may be that of a module
    of the package: the import of the module would bind it.
    """
    # pathlib would take longer than all the rest of `import shadowtime`.
    with open(f"{file}i", encoding="utf-8") as stub:  # noqa: PTH123
        lines = map(str.split, stub)
        homes = {words[3]: words[1] for words in lines if words[:1] == ["from"]}
    module = modules[package]

    def value(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        found = getattr(import_module(homes[name]), name)
        setattr(module, name, found)
        return found

    return value, list(homes)
