"""Construct every compiled class without its parts and use what comes of it, each in a process of its own.

The names of those that a signal ends are printed, and then how many there are.
"""

import copy
import importlib
import os
import pickle
import pkgutil
import random
import resource
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import product

import shadowtime.kernels
import shadowtime.scenarios

HEAP = 1 << 9
"""The flag of a class that is made by a `class` statement: the others are compiled."""
VALUES: tuple[object, ...] = (None, 0, 1, -1, "fcfs", (), {})
SECONDS = 20


def compiled() -> Iterator[type]:
    """Yield the classes of all compiled modules."""
    for room in (shadowtime.kernels, shadowtime.scenarios):
        for found in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            module = importlib.import_module(found.name)
            for kind in vars(module).values():
                if isinstance(kind, type) and kind.__module__ == found.name and not kind.__flags__ & HEAP:
                    yield kind


def tried(call: Callable[..., object], *arguments: object) -> object:
    """Return what a call returns, None if it raises."""
    with suppress(Exception):
        return call(*arguments)
    return None


def made(kind: type) -> list[object]:
    """Return objects of a class, as far as it can be made without what belongs to it."""
    ways = [(kind,), (kind.__new__, kind), (object.__new__, kind)]
    found = [
        tried(*way, *values) for way in ways for count in range(3) for values in product(VALUES, repeat=count)
    ]
    found += [
        tried(kind, *values) for values in random.Random(1).choices(list(product(VALUES, repeat=5)), k=200)
    ]
    found += [tried(copy.copy, each) for each in found] + [
        tried(pickle.loads, tried(pickle.dumps, each)) for each in found[:1]
    ]
    return [each for each in found if type(each) is kind]


def use(kind: type) -> None:
    """Call every public method and property of the objects of a class."""
    found = made(kind)
    given = list(product((*VALUES, *found[:1]), repeat=1)) + list(
        product((None, 0, found[0] if found else 1), repeat=2)
    )
    for each in found[:12]:
        for call in (
            repr,
            hash,
            len,
            iter,
            bool,
            str,
            lambda it: it == it,
            lambda it: it[0],
            lambda it: it[-1],
        ):
            tried(call, each)
        for name in dir(kind):
            if name.startswith("_"):
                continue
            method = tried(getattr, each, name)
            if callable(method):
                for values in ((), *given, (None,) * 3, (0,) * 3, (1,) * 4):
                    tried(method, *values)
            else:
                tried(setattr, each, name, None)
                tried(repr, method)


def ended(kind: type) -> int:
    """Return the number of the signal that ends the use of a class, 0 for none."""
    child = os.fork()
    if child == 0:
        signal.alarm(SECONDS)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            use(kind)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main() -> None:
    """Try them all."""
    sys.unraisablehook = lambda _: None
    kinds = list(compiled())
    for kind in kinds:
        if number := ended(kind):
            print(kind.__module__, kind.__name__, number, flush=True)
    print(len(kinds))


if __name__ == "__main__":
    main()
