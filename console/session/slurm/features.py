"""Constraints on the features of nodes, as jobs write them: `ib`, `ib&avx`, `a100|h100`, `[rack1|rack2]`."""

import re
from collections.abc import Callable, Collection, Iterator

from shadowtime.scenarios.slurm import Request

COUNTED = re.compile(r"[*:]\d")
"""A number of nodes with a feature, such as `ib*4`."""
_TERM = re.compile(r"([^][()&|*:\s]+)\*(\d{1,9})")
_WORD = re.compile(r"[][()&|,]|[^][()&|,\s]+")
_BINDS = {"|": 1, "&": 2}


def alternatives(text: str) -> tuple[str, ...]:
    """Return the constraints of `[a|b]`, one of which all nodes of a job must meet, or the only one."""
    words = _words(text)
    depths = list(_depths(words))
    if not words or words[0] != "[" or words[-1] != "]" or 0 in depths[:-1]:
        return (text,)
    found: list[list[str]] = [[]]
    for word, depth in zip(words[1:-1], depths[1:-1], strict=True):
        if word == "|" and depth == 1:
            found.append([])
        else:
            found[-1].append(word)
    return tuple("".join(each) for each in found)


def terms(request: Request) -> tuple[tuple[str, int], ...]:
    """Return each feature with its number of nodes, of `ib*4` and `[rack1*2&rack2*1]`.

    Nothing for any other constraint, also for one that mixes features with and without numbers, and for a
    job that requires nodes.
    """
    text = request.features.strip()
    inner = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text
    found = [_TERM.fullmatch(word.strip()) for word in re.split("[&,]", inner)]
    if request.required_nodes or not all(found):
        return ()
    return tuple((each[1], int(each[2])) for each in found if each is not None)


def meets(text: str) -> Callable[[Collection[str]], bool]:
    """Return whether features meet a constraint, as a function of them; an empty one is met by all.

    `&` binds closer than `|`; brackets of both kinds group. What is no constraint is read as far as can be.
    """
    program = list(_postfix(text))
    if not program:
        return lambda _: True
    return lambda features: _run(program, features)


def _words(text: str) -> list[str]:
    """Names, signs and brackets; a comma stands for `&`."""
    return ["&" if word == "," else word for word in _WORD.findall(text)]


def _depths(words: list[str]) -> Iterator[int]:
    """In how many brackets each word stands; a bracket itself with those that it opens or leaves open."""
    depth = 0
    for word in words:
        depth += (word in "[(") - (word in ")]")
        yield depth


def _postfix(text: str) -> Iterator[str]:
    """The words of a constraint, each sign after the two that it joins."""
    waiting: list[str] = []
    for word in _words(text):
        if word in "[(":
            waiting.append("(")
        elif word in "])":
            while waiting and waiting[-1] != "(":
                yield waiting.pop()
            if waiting:
                waiting.pop()
        elif word in _BINDS:
            while waiting and _BINDS.get(waiting[-1], 0) >= _BINDS[word]:
                yield waiting.pop()
            waiting.append(word)
        else:
            yield word
    yield from (word for word in reversed(waiting) if word != "(")


def _run(program: list[str], features: Collection[str]) -> bool:
    found: list[bool] = []
    for word in program:
        if word not in _BINDS:
            found.append(word in features)
        elif len(found) > 1:
            last, before = found.pop(), found.pop()
            found.append(last and before if word == "&" else last or before)
    return all(found)
