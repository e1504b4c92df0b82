"""The [machine] of a scenario file, the [nqs] in front of it, and [policy] and [[variant]] beside it."""

from datetime import datetime
from math import prod

import attrs

from shadowtime.scenarios.policy import Check, Policies, PolicyChoice, read_policy
from shadowtime.scenarios.text.table import Table
from shadowtime.scenarios.values import (
    CHECKPOINT,
    CHECKPOINT_INTERVAL,
    NQS_LIMITS,
    ON_FAILURE,
    UNITS,
    Machine,
    Variant,
)
from shadowtime.scenarios.workload import MAX_NODES

EPOCH_EXPECTED = 'a local time such as "1996-06-03 08:00"'
_EPOCH_FORMATS = ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d")


@attrs.frozen
class Draft:
    """What a scenario file says of its machine. A log's header may know the nodes where the file does not."""

    nodes: int | None = None
    torus: tuple[int, int, int] | None = None
    unit: str = "node"
    per_node: int = 1
    epoch: datetime | None = None
    on_failure: str = "kill"
    checkpoint_interval: int = CHECKPOINT_INTERVAL

    def machine(self, nodes: int) -> Machine:
        """The machine, with so many nodes where the file gives no number of its own."""
        return Machine(
            self.nodes or nodes, self.torus, self.unit, self.per_node, self.epoch,
            self.on_failure, self.checkpoint_interval,
        )  # fmt: skip


def read_machine(root: Table, nodes: int | None) -> Draft | None:
    """What a scenario file says of its machine; `nodes`, where given, stands for the file's own number.

    None, with a fault, where it is wrong. An absent table says nothing.
    """
    table = root.table("machine", "[machine]")
    if table is None:
        return None if "machine" in root.values else Draft(nodes)
    unit = table.choice("unit", UNITS) or "node"
    per_node = table.integer("per_node", 1, MAX_NODES) or 1
    epoch = _read_epoch(table)
    torus = _read_torus(table)
    on_failure = table.choice("on_failure", ON_FAILURE) or "kill"
    interval = table.seconds("checkpoint_interval", 1) or CHECKPOINT_INTERVAL
    flat = table.integer("nodes", 1, MAX_NODES)
    if "per_node" in table.values and unit != "processor":
        table.fault("per_node", 'expected unit = "processor" with it')
    if "checkpoint_interval" in table.values and on_failure != CHECKPOINT:
        table.fault("checkpoint_interval", 'expected on_failure = "checkpoint" with it')
    table.close()
    if torus is not None and not table.flawed:
        flat = _torus_nodes(table, torus, per_node if unit == "processor" else 1, nodes)
    elif nodes is None and unit == "processor" and table.values.keys().isdisjoint(("nodes", "torus")):
        table.missing("nodes and no torus; expected one of them")
    if table.flawed:
        return None
    return Draft(nodes or flat, torus, unit, per_node, epoch, on_failure, interval)


def _torus_nodes(table: Table, torus: tuple[int, int, int], per_node: int, nodes: int | None) -> int:
    """The nodes of a torus whose sides count processors, so many to a node."""
    count, rest = divmod(prod(torus), per_node)
    if "nodes" in table.values:
        table.fault("nodes", "the torus has its own number of nodes; expected one of the two")
    elif rest:
        table.fault("per_node", f"expected a number that divides the {prod(torus)} processors of the torus")
    elif not 1 <= count <= MAX_NODES:
        table.fault("torus", f"it has {count} nodes; expected at most {MAX_NODES}")
    elif nodes not in (None, count):
        table.fault("torus", f"it has {count} nodes; --nodes cannot change a torus")
    return count


def _read_torus(table: Table) -> tuple[int, int, int] | None:
    expected = "expected three whole numbers above 0, such as [8, 4, 8]"
    value = table.take("torus", expected)
    if value is None:
        return None
    if (
        isinstance(value, list)
        and [type(side) for side in value] == [int] * 3
        and all(0 < side <= MAX_NODES for side in value)
    ):
        return value[0], value[1], value[2]
    table.fault("torus", expected)
    return None


def _read_epoch(table: Table) -> datetime | None:
    text = table.take("epoch", EPOCH_EXPECTED)
    if text is None:
        return None
    for form in _EPOCH_FORMATS:
        try:
            return datetime.strptime(str(text) if isinstance(text, str) else "", form)
        except ValueError:
            continue
    table.fault("epoch", f"expected {EPOCH_EXPECTED}")
    return None


def read_nqs(root: Table) -> str | None:
    """Read the limits of the front end; None without a front end, or with a fault."""
    table = root.table("nqs", "[nqs]")
    if table is None:
        return None
    limits = table.choice("limits", NQS_LIMITS, required=True)
    table.close()
    return limits


def read_base_policy(root: Table, policies: Policies, check: Check | None = None) -> PolicyChoice | None:
    """The [policy] of a scenario file."""
    table = root.table("policy", "[policy]")
    if table is None:
        if "policy" not in root.values:
            root.missing("[policy]; expected one with a name")
        return None
    return read_policy(table, policies, check)


def read_variants(
    root: Table, policies: Policies, base: PolicyChoice | None, check: Check | None = None
) -> tuple[Variant, ...]:
    """The variants, each with a name of its own that is not the base policy's."""
    variants: list[Variant] = []
    names = {base.name: "the name of the base policy"} if base else {}
    for table in root.tables("variant"):
        name = table.text("name", required=True, empty=False)
        if name in names:
            table.fault("name", f"that is {names[name]}; expected another name")
        inner = table.table("policy", "the policy", required=True)
        policy = read_policy(inner, policies, check) if inner else None
        table.close()
        if name is not None:
            names[name] = "a variant before it"
        if name is not None and policy is not None:
            variants.append(Variant(name, policy))
    return tuple(variants)
