"""The partitions of `scontrol show partitions`, as JSON or as lines."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs

from shadowtime.scenarios.slurm.fields import Record
from shadowtime.scenarios.slurm.oneliner import Line, read_lines
from shadowtime.scenarios.slurm.records import Partition

REQUIRED = "name", "nodes", "maximums", "priority"
UNKNOWN = "UNKNOWN"
"""The mode of a partition whose JSON has none: the generations before v0.0.45."""
FORCED = 0x8000
SHARES = 0x7FFF
"""The bits that count jobs; the one above them says FORCE in older generations.

The count is `maximums.oversubscribe.jobs`, and `maximums.shares` in v0.0.39.
"""


_WEIGHT = re.compile(r"([\w/:.-]+)=(\d{1,12}(?:\.\d{1,12})?)([KMGTP]?)B?", re.ASCII | re.IGNORECASE)
_SUFFIXES = " KMGTP"
"""Powers of 1024: how many units a weight is for."""


def parse_weights(text: str) -> dict[str, float]:
    """Return resource -> weight of a unit of it, as of `CPU=1.0,Mem=0.25G`: memory counts mebibytes.

    ValueError carries a word that is none.
    """
    found: dict[str, float] = {}
    for word in filter(None, text.split(",")):
        each = _WEIGHT.fullmatch(word)
        if each is None:
            raise ValueError(word)
        name, suffix = each[1].lower(), each[3].upper()
        unit = _SUFFIXES.index("M") if name == "mem" else 0
        found[name] = float(each[2]) / 1024 ** (_SUFFIXES.index(suffix or _SUFFIXES[unit]) - unit)
    return found


def read_partition(record: Record) -> Partition:
    record.require(REQUIRED)
    maximums, priority, state = (
        record.record("maximums"),
        record.record("priority"),
        record.record("partition"),
    )
    shares = maximums.record("oversubscribe").number("jobs", maximums.number("shares", 1))
    by_word = "exclusive" in state.values
    by_preemption = "preempt_mode" in record.values
    sharing = [word.upper() for word in state.words("oversubscribe")] if by_word else []
    exclusive = "NODE" in state.words("exclusive") if by_word else shares == 0
    return Partition(
        name=record.text("name"),
        nodes=record.record("nodes").hosts("configured"),
        tier=priority.number("tier"),
        job_factor=priority.number("job_factor"),
        most_minutes=maximums.bound("time"),
        most_nodes=maximums.bound("nodes"),
        least_nodes=record.record("minimums").number("nodes"),
        exclusive=exclusive,
        shares=max(1, shares & SHARES),
        least_loaded="LLN" in record.words("flags") or "LLN" in record.words("select_type"),
        qos=record.record("qos").text("assigned"),
        states=tuple(word.upper() for word in state.words("state")),
        preempt_mode=preempt_mode(record.words("preempt_mode")) if by_preemption else UNKNOWN,
        grace=record.number("grace_time"),
        forced="FORCE" in (*map(str.upper, maximums.record("oversubscribe").words("flags")), *sharing)
        or bool(shares & FORCED),
        allowed_qos=record.record("qos").words("allowed"),
        denied_qos=record.record("qos").words("deny"),
        allowed_accounts=record.record("accounts").words("allowed"),
        denied_accounts=record.record("accounts").words("deny"),
        most_cpus_per_node=maximums.bound("cpus_per_node") or None,
        exclusive_user="USER" in state.words("exclusive"),
        allowed_groups=record.record("groups").words("allowed"),
        billing=_billing(record.record("tres")),
    )


def _billing(record: Record) -> dict[str, float]:
    try:
        return parse_weights(record.text("billing_weights"))
    except ValueError as error:
        raise record.error("billing_weights", str(error), "weights such as CPU=1.0,Mem=0.25G") from None


def completed(partition: Partition, text: Partition | None) -> Partition:
    """Return a partition of a JSON file with what the lines alone say of it."""
    if text is None:
        return partition
    mode = text.preempt_mode if partition.preempt_mode == UNKNOWN else partition.preempt_mode
    return attrs.evolve(partition, preempt_mode=mode, needs_reservation=text.needs_reservation)


def preempt_mode(words: Iterable[str]) -> str:
    """Return SUSPEND, REQUEUE, CANCEL or OFF of the words of a mode; empty if no word is one of them."""
    found = {word.upper() for word in words} - {"GANG", "WITHIN", "PRIORITY", "CLUSTER_GLOBAL"}
    return next((mode for mode in ("SUSPEND", "REQUEUE", "CANCEL") if mode in found), "OFF" if found else "")


def read_partition_lines(path: Path) -> Iterator[Partition]:
    for line in read_lines(path, "PartitionName"):
        line.require("PartitionName", "Nodes", "MaxTime", "PriorityTier", "OverSubscribe")
        yield _from_line(line)


def _from_line(line: Line) -> Partition:
    sharing, _, count = line.text("OverSubscribe").partition(":")
    return Partition(
        name=line.text("PartitionName"),
        nodes=line.hosts("Nodes"),
        tier=line.count("PriorityTier"),
        job_factor=line.count("PriorityJobFactor"),
        most_minutes=line.minutes("MaxTime"),
        most_nodes=line.count("MaxNodes") or None,
        least_nodes=line.count("MinNodes"),
        exclusive=sharing == "EXCLUSIVE",
        shares=max(1, int(count)) if count.isascii() and count.isdigit() and len(count) < 6 else 1,
        least_loaded=line.text("LLN") == "YES",
        qos=line.text("QoS"),
        states=line.words("State"),
        preempt_mode=preempt_mode(line.words("PreemptMode")) if line.text("PreemptMode") else UNKNOWN,
        grace=line.count("GraceTime"),
        forced=sharing == "FORCE",
        allowed_qos=_listed(line, "AllowQos"),
        denied_qos=_listed(line, "DenyQos"),
        allowed_accounts=_listed(line, "AllowAccounts"),
        denied_accounts=_listed(line, "DenyAccounts"),
        most_cpus_per_node=line.count("MaxCPUsPerNode") or None,
        exclusive_user=line.text("ExclusiveUser") == "YES",
        allowed_groups=_listed(line, "AllowGroups"),
        needs_reservation=line.text("ReqResv") == "YES",
        billing=_billing_of(line),
    )


def _billing_of(line: Line) -> dict[str, float]:
    try:
        return parse_weights(line.text("TRESBillingWeights"))
    except ValueError:
        raise line.error("TRESBillingWeights", "weights such as CPU=1.0,Mem=0.25G") from None


def _listed(line: Line, name: str) -> tuple[str, ...]:
    """The words of a list of who is allowed or denied; ALL is no list."""
    return tuple(word for word in line.words(name) if word != "ALL")
