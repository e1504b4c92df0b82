"""How associations share a cluster, and their factors of fair share (docs/slurm-cycle.md, section 13)."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from shadowtime.scenarios.slurm import Association, Tree


def tree_of(associations: Sequence[Association]) -> Tree | None:
    """Return how they share; None if no account is above all others."""
    accounts = {each.account: each for each in associations if not each.user}
    parents: dict[int, Association | None] = {}
    for each in associations:
        parents[each.id] = accounts.get(each.account if each.user else each.parent)
    roots = [each.id for each in accounts.values() if parents[each.id] is None]
    if len(roots) != 1:
        return None
    children: dict[int, list[int]] = defaultdict(list)
    for each in associations:
        above = parents[each.id]
        while above is not None and above.shares is None and parents[above.id] is not None:
            above = parents[above.id]
        if above is not None and (each.user or each.shares is not None):
            children[above.id].append(each.id)
    return Tree(
        root=roots[0],
        children={id_: tuple(below) for id_, below in children.items()},
        shares={each.id: each.shares for each in associations},
        above={each.id: _above(each, parents) for each in associations},
        users=frozenset(each.id for each in associations if each.user),
    )


def _above(own: Association, parents: Mapping[int, Association | None]) -> tuple[int, ...]:
    """An association and the accounts above it, from below; an account above itself ends the list."""
    found = [own.id]
    above = parents[own.id]
    while above is not None and above.id not in found:
        found.append(above.id)
        above = parents[above.id]
    return tuple(found)


def fair_tree(tree: Tree, usage: Mapping[int, float]) -> dict[int, float]:
    """Return the factor of each user by the rank among all users."""
    count = rank = left = len(tree.users)
    factors: dict[int, float] = {}
    pending = [(tree.root, False)]
    while pending:
        each, tied = pending.pop()
        if each in tree.users:
            rank = rank if tied else left
            factors[each] = rank / count
            left -= 1
        else:
            pending += reversed(list(_visited(tree, usage, each, tied)))
    return factors


def _visited(tree: Tree, usage: Mapping[int, float], account: int, tied: bool) -> Iterator[tuple[int, bool]]:
    """The children of an account from the highest level down, and whether each ties with the one before.

    The first one ties if the account does.
    """
    siblings = tree.children.get(account, ())
    shares = sum(tree.shares[each] or 0 for each in siblings)
    used = sum(usage[each] for each in siblings)
    levels = {each: _level(tree.shares[each], shares, usage[each], used) for each in siblings}
    before = None
    for each in sorted(siblings, key=lambda each: -levels[each]):
        yield each, tied if before is None else levels[each] == before
        before = levels[each]


def _level(own: int | None, shares: int, usage: float, used: float) -> float:
    if own == 0:
        return 0.0
    return own / shares / (usage / used) if own and usage > 0 else math.inf


class Classic:
    """The classic factors of a calculation: what the accounts have used counts as it was before it."""

    def __init__(self, tree: Tree, usage: Mapping[int, float], dampening: int) -> None:
        self._tree, self._dampening = tree, dampening
        self._part, self._effective = {tree.root: 1.0}, {tree.root: 1.0}
        self._of: dict[int, tuple[int, float | None]] = {}
        """User -> the account whose shares it has a part of, and that part; None: it has all of them."""
        pending = [tree.root]
        while pending:
            account = pending.pop()
            for each, share in _parts(tree, account):
                if each in tree.users:
                    self._of[each] = account, share
                elif share is not None:
                    self._part[each] = self._part[account] * share
                    self._effective[each] = self._counts(usage, each, account, share)
                    pending.append(each)

    def has(self, user: int) -> bool:
        """Return whether an association is a user of the tree."""
        return user in self._of

    def factor(self, usage: Mapping[int, float], user: int) -> float:
        """Return the factor of a user by what is used now."""
        account, share = self._of[user]
        part, effective = self._part[account], self._effective[account]
        if share is not None:
            part, effective = part * share, self._counts(usage, user, account, share)
        return float(2 ** -(effective / part / self._dampening)) if part else 0.0

    def _counts(self, usage: Mapping[int, float], each: int, account: int, share: float) -> float:
        """The usage of an association as it counts, as a share of all."""
        whole = usage[self._tree.root]
        own = usage[each] / whole if whole else 0.0
        return own if account == self._tree.root else own + (self._effective[account] - own) * share


def _parts(tree: Tree, account: int) -> Iterator[tuple[int, float | None]]:
    """Who shares what an account has, and the part of each; None: all of it."""
    siblings = tree.children.get(account, ())
    shares = sum(tree.shares[each] or 0 for each in siblings)
    for each in siblings:
        own = tree.shares[each]
        yield each, own if own is None else own / shares if shares else 0.0
