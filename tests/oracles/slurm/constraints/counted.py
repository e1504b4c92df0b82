"""Features with counts: a choice for each of them, and one for the nodes that are left (section 9)."""

from collections.abc import Callable

from tests.oracles.slurm.constraints.features import large_enough, matching, terms
from tests.oracles.slurm.entry import Cycle
from tests.oracles.slurm.room import Wish
from tests.oracles.slurm.will_run import Question, Start


def by_terms(
    cycle: Cycle, wish: Wish, nodes: frozenset[int], seek: Callable[[Question], Start | None]
) -> Start | None:
    """The latest of the starts that `seek` finds for the features, with the nodes of all choices."""
    left = large_enough(cycle.here, nodes, wish.request)
    found: list[Start] = []
    asked = terms(wish.request)
    for name, count in asked:
        having = matching(cycle.here, left, name)
        start = ask(cycle, wish._replace(least=count, wanted=count), having, seek)
        if start is None:
            break
        found.append(start)
        left -= start.nodes.keys()
    if not found:
        return None
    at = max(each.at for each in found)
    chosen = sum(len(each.nodes) for each in found)
    whole = (wish.exclusive or wish.version == "22.05") and len(found) == len(asked) and chosen <= wish.most
    if chosen < wish.least:
        wanted = max(wish.least, wish.wanted) - chosen
        rest = wish._replace(least=wish.least - chosen, wanted=wanted, most=wish.most - chosen)
        start = ask(cycle, rest, left, seek)
        if start is None:
            return None
        found.append(start)
        whole = whole and start.at <= cycle.now
    together = {node: cpus for each in found for node, cpus in each.nodes.items()}
    return Start(at, together, any(each.overdue for each in found), whole)


def ask(
    cycle: Cycle, wish: Wish, nodes: frozenset[int], seek: Callable[[Question], Start | None]
) -> Start | None:
    """One choice among some nodes; none if they are too few."""
    if len(nodes) < wish.least:
        return None
    return seek(Question(cycle.here, wish, nodes, cycle.now, cycle.limits.window_linear, busy(cycle)))


def busy(cycle: Cycle) -> frozenset[int] | None:
    """With `bf_busy_nodes`, the nodes in use now."""
    if not cycle.limits.busy_nodes:
        return None
    return frozenset(node for job in cycle.running for node in job.nodes)
