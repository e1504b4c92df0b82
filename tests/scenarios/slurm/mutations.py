"""Captured clusters with odd values in odd places, drawn by Hypothesis."""

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from tests.scenarios.slurm.support import RELEASES, files

PARSERS = sorted(RELEASES)


def places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place of a JSON value."""
    yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))


WHOLE = {parser: files(parser) for parser in PARSERS}
PLACES = {
    parser: [
        (name, path)
        for name, value in contents.items()
        if name.endswith("json")
        for path in places(value)
        if path
    ]
    for parser, contents in WHOLE.items()
}
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**25), 10**25),
    st.floats(),
    st.text(max_size=6),
    st.sampled_from(
        ["n[1-99999999999]", "n[3-1]", "[", "]", "(null)", "\ud800", "batch,batch", "-1", "v0.0.44"]
    ),
    st.builds(list),
    st.builds(dict),
    st.builds(lambda: [[]]),
    st.builds(lambda: {"set": True, "infinite": False, "number": "7"}),
    st.builds(lambda: {"set": True, "infinite": True}),
)


def mutated(parser: int, data: st.DataObject) -> dict[str, Any]:
    """The files of a cluster with one to three changes."""
    contents = copy.deepcopy(WHOLE[parser])
    for _ in range(data.draw(st.integers(1, 3))):
        name, path = data.draw(st.sampled_from(PLACES[parser]))
        change(contents[name], path, data)
    return contents


def change(value: Any, path: tuple[str | int, ...], data: st.DataObject) -> None:
    """Put an odd value at a place, or remove what is there; a place that is gone stays so."""
    for step in path[:-1]:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return
    try:
        if data.draw(st.booleans()):
            del value[path[-1]]
        else:
            value[path[-1]] = data.draw(ODD)
    except (KeyError, IndexError, TypeError):
        return
