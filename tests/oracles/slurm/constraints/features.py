"""Constraints on the features of nodes (section 9), and on their size (section 4, rule 5)."""

import re

from shadowtime.scenarios.slurm import Request
from tests.oracles.slurm.holding import Machine

COUNTED = re.compile(r"([^][()&|*:\s]+)\*(\d{1,9})")


def terms(request: Request) -> list[tuple[str, int]]:
    """Feature and number of nodes, for `a*2` and `[a*2&b*1]`; none for any other constraint."""
    text = request.features.strip()
    inner = text[1:-1] if text.startswith("[") and whole(text) else text
    found = [COUNTED.fullmatch(term.strip()) for term in parts(inner, "&,")]
    if request.required_nodes or not all(found):
        return []
    return [(each[1], int(each[2])) for each in found if each is not None]


def alternatives(text: str) -> list[str]:
    """The constraints that are tried one by one: those of `[a|b]`, or the only one."""
    text = text.strip()
    if text.startswith("[") and whole(text):
        return parts(text[1:-1], "|")
    return [text]


def whole(text: str) -> bool:
    """Whether the bracket that opens a text closes at its end."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter in "[(") - (letter in "])")
        if depth == 0:
            return place == len(text) - 1
    return False


def parts(text: str, signs: str) -> list[str]:
    """A text, cut at the signs that stand in no bracket."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "[(") - (letter in "])")
        if letter in signs and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return found


def meets(features: frozenset[str], text: str) -> bool:
    """Whether features meet `a&b|c`: & binds closer; brackets of both kinds group."""
    text = text.strip()
    if text[:1] in ("(", "[") and whole(text):
        return meets(features, text[1:-1])
    for signs, every in (("|", False), ("&,", True)):
        terms = parts(text, signs)
        if len(terms) > 1:
            found = [meets(features, term) for term in terms]
            return all(found) if every else any(found)
    return text in features


def matching(here: Machine, nodes: frozenset[int], text: str) -> frozenset[int]:
    """The nodes that meet a constraint; an empty one is met by all."""
    return frozenset(node for node in nodes if not text or meets(here.features[node], text))


def large_enough(here: Machine, nodes: frozenset[int], request: Request) -> frozenset[int]:
    """The nodes that are configured with the memory and the CPUs that are asked for by node."""
    memory, cpus = request.memory_per_node, request.least_cpus_per_node
    return frozenset(node for node in nodes if here.memory[node] >= memory and here.cpus[node] >= cpus)
