"""Constraints on the features of nodes (section 9), and on their size (section 4, rule 5)."""

from shadowtime.scenarios.slurm import Request
from tests.oracles.slurm.holding import Machine


def alternatives(text: str) -> list[str]:
    """The constraints that are tried one by one: those of `[a|b]`, or the only one."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return text[1:-1].split("|")
    return [text]


def matching(here: Machine, nodes: frozenset[int], text: str) -> frozenset[int]:
    """The nodes that have what `a&b|c` asks for: & binds closer."""
    if not text:
        return nodes
    choices = [frozenset(each.split("&")) for each in text.replace(",", "&").split("|")]
    return frozenset(node for node in nodes if any(choice <= here.features[node] for choice in choices))


def large_enough(here: Machine, nodes: frozenset[int], request: Request) -> frozenset[int]:
    """The nodes that are configured with the memory and the CPUs that are asked for by node."""
    memory, cpus = request.memory_per_node, request.least_cpus_per_node
    return frozenset(node for node in nodes if here.memory[node] >= memory and here.cpus[node] >= cpus)
