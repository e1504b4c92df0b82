"""The settings of a cluster, from `scontrol show config`: what decides who starts when and where."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_type_hints

import attrs

from shadowtime.scenarios.errors import shown
from shadowtime.scenarios.slurm.documents import read_text
from shadowtime.scenarios.slurm.errors import CaptureError, broken
from shadowtime.scenarios.slurm.priorities import Factor
from shadowtime.scenarios.traces.slurm import parse_duration

MOST = 10**10
_LINE = re.compile(r"([A-Za-z_][\w\[\]]*)\s*=\s?(.*)")
_NUMBER = re.compile(r"(\d{1,11})(?:\s+(sec|min|msec|usec))?", re.ASCII)
_LICENSE = re.compile(r"([^:=,@]+)(?:@[^:=,]*)?(?:[:=](\d{1,9}))?", re.ASCII)
NONE = frozenset(("(null)", "NONE", "none", "N/A", ""))
REQUIRED = (
    "KillWait",
    "OverTimeLimit",
    "PreemptType",
    "PriorityType",
    "SLURM_VERSION",
    "SchedulerParameters",
    "SchedulerType",
    "SelectType",
    "SelectTypeParameters",
    "TopologyPlugin",
)


ASSUMED = "AssumedDefaults"
"""Our own line in a file of defaults: who read the cluster could not read its configuration."""
MULTIFACTOR = "priority/multifactor"
CALCULATED_EVERY = 300
"""Seconds: the default of `PriorityCalcPeriod`."""
PASSES = {
    "batch_sched_delay": "batch_delay",
    "default_queue_depth": "queue_depth",
    "sched_interval": "sched_interval",
}
"""Parameters of the main pass -> their names here."""


@attrs.frozen
class Backfill:
    """The parameters of `SchedulerParameters` that backfill obeys: each is `bf_` and its name.

    Times are seconds, but for `window`: minutes. 0 of a bound means no bound.
    """

    interval: int = 30
    """0: there are no cycles."""
    window: int = 1440
    resolution: int = 60
    max_job_test: int = 500
    max_job_user: int = 0
    max_job_part: int = 0
    max_job_user_part: int = 0
    max_job_assoc: int = 0
    max_job_start: int = 0
    max_job_array_resv: int = 20
    window_linear: int = 0
    """0: the window of a step doubles."""
    node_space_size: int = 0
    """0: as `max_job_test`."""
    min_prio_reserve: int = 0
    min_age_reserve: int = 0
    running_job_reserve: bool = False
    busy_nodes: bool = False
    one_resv_per_job: bool = False
    licenses: bool = False


@attrs.frozen
class Ageing:
    """How priorities grow with the age of a job under priority/multifactor. Seconds."""

    weight: int
    """`PriorityWeightAge`: the points of a job of the greatest age."""
    most: int
    """`PriorityMaxAge`: the age from which on a job has all of them."""
    period: int
    """`PriorityCalcPeriod`: from one calculation to the next."""


@attrs.frozen
class FairShare:
    """How the fair share of associations counts and moves under priority/multifactor."""

    weight: int
    """`PriorityWeightFairShare`: the points of a factor of 1; 0: usage counts for limits alone."""
    half_life: int
    """`PriorityDecayHalfLife` in seconds; 0: what was used is never forgotten."""
    period: int
    """`PriorityCalcPeriod` in seconds: from one calculation to the next."""
    tree: bool = True
    """Whether the factors are those of Fair Tree, not the classic ones."""
    dampening: int = 1
    """`FairShareDampeningFactor`."""
    oblivious: bool = False
    """Whether the factors are those of DEPTH_OBLIVIOUS, which stay."""
    reset: str = ""
    """`PriorityUsageResetPeriod`, such as DAILY; empty for none."""


WEIGHTS = {
    Factor.AGE: "PriorityWeightAge",
    Factor.ASSOCIATION: "PriorityWeightAssoc",
    Factor.FAIR_SHARE: "PriorityWeightFairShare",
    Factor.SIZE: "PriorityWeightJobSize",
    Factor.PARTITION: "PriorityWeightPartition",
    Factor.QUALITY: "PriorityWeightQOS",
}
"""Factors of a priority that have one weight each."""
ABOVE_NONE = (
    *("bf_resolution", "bf_window=", "bf_max_job_test", "bf_interval"),
    *("default_queue_depth", "sched_interval"),
)
"""With what a parameter begins that cannot be 0."""
_WEIGHT = re.compile(r"\d{1,10}", re.ASCII)
LARGEST = {
    "bf_resolution": 3600, "bf_window": 43_200, "bf_max_job_test": 1_000_000, "bf_max_job_array_resv": 1000,
}  # fmt: skip
"""The largest values of slurm.conf(5); a larger one counts as that."""


@attrs.frozen
class Settings:
    """What the configuration says."""

    version: str
    scheduler: str
    """`sched/backfill` or `sched/builtin`."""
    select: str
    select_parameters: frozenset[str]
    """In capitals, such as `CR_CORE_MEMORY`."""
    topology: str
    priority: str
    preempt: str
    preempt_mode: str
    kill_wait: int
    over_time_limit: int | None
    """Seconds; None: unlimited."""
    time_slice: int
    licenses: Mapping[str, int]
    limits_enforced: bool
    backfill: Backfill
    other_parameters: tuple[str, ...]
    """Words of `SchedulerParameters` that are none of backfill's above, nor of the three below."""
    queue_depth: int = 100
    """`default_queue_depth`: entries of a quick pass."""
    sched_interval: int = 60
    """Seconds between two passes of the whole queue; 0: there are none."""
    batch_delay: int = 3
    """`batch_sched_delay`: seconds from one pass to the next quick one."""
    preempt_exempt: int = 0
    """`PreemptExemptTime`: seconds for which a job runs before it may be requeued or cancelled."""
    cluster: str = ""
    ageing: Ageing | None = None
    """None: priorities do not grow."""
    accounts: bool = False
    """Whether a database knows the accounts, and which is below which."""
    fair_share: FairShare | None = None
    """None: usage is not kept, and the factor of fair share stays what it is."""
    safe: bool = False
    """Whether a job starts only if a limit on past usage lets it run to its end."""
    greatest_billing: bool = False
    """Whether a job is billed for the greatest of its weighted resources, not for their sum (MAX_TRES)."""
    weights: Mapping[Factor, int] = attrs.field(factory=dict)
    """The points of a factor of 1 under priority/multifactor, but for TRES; nothing without it."""
    private: frozenset[str] = frozenset()
    """What users do not see of each other: words of `PrivateData`, such as `jobs`."""

    assumed: bool = False
    """Whether the parameters are defaults, and those of the cluster are not known."""

    @property
    def calculation_period(self) -> int:
        """Seconds from one calculation of priorities to the next; 0 if none moves."""
        moves = self.ageing or self.fair_share
        return moves.period if moves else 0

    @property
    def backfills(self) -> bool:
        return self.scheduler == "sched/backfill" and self.backfill.interval > 0


def read_settings(path: Path) -> Settings:
    """Return the settings of a file. CaptureError names what it lacks, or the line that cannot be read."""
    lines = _lines(read_text(path))
    missing = [name for name in REQUIRED if name not in lines]
    if missing:
        raise broken(path, f"lacks {', '.join(missing)}; expected the output of `scontrol show config`")
    return _Config(path, lines).settings()


def _lines(text: str) -> dict[str, tuple[int, str]]:
    """Key -> the number of its line, its value."""
    found: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if match := _LINE.fullmatch(line.strip()):
            found.setdefault(match[1], (number, match[2].strip()))
    return found


@attrs.frozen
class _Config:
    path: Path
    lines: Mapping[str, tuple[int, str]]

    def settings(self) -> Settings:
        backfill, passes, others = self.parameters()
        select = self.words("SelectTypeParameters")
        enforced = {word.lower() for word in self.words("AccountingStorageEnforce")}
        return Settings(
            version=self.text("SLURM_VERSION"),
            scheduler=self.text("SchedulerType"),
            select=self.text("SelectType"),
            select_parameters=frozenset(word.upper() for word in select),
            topology=self.text("TopologyPlugin"),
            priority=self.text("PriorityType"),
            preempt=self.text("PreemptType") or "preempt/none",
            preempt_mode=self.text("PreemptMode"),
            kill_wait=self.seconds("KillWait") or 0,
            over_time_limit=self.seconds("OverTimeLimit"),
            time_slice=self.seconds("SchedulerTimeSlice") or 30,
            licenses=self.licenses(),
            limits_enforced=not enforced.isdisjoint(("limits", "safe", "all")),
            safe=not enforced.isdisjoint(("safe", "all")),
            backfill=backfill,
            other_parameters=others,
            **passes,
            preempt_exempt=max(0, self.seconds("PreemptExemptTime") or 0),
            cluster=self.text("ClusterName"),
            ageing=self.ageing(),
            accounts=self.accounts,
            assumed=ASSUMED in self.lines,
            fair_share=self.fair_share(),
            greatest_billing="MAX_TRES" in self.priority_flags(),
            weights=self.weights(),
            private=frozenset(word.lower() for word in self.words("PrivateData")),
        )

    def text(self, name: str) -> str:
        value = self.lines.get(name, (0, ""))[1]
        return "" if value in NONE else value

    def words(self, name: str) -> list[str]:
        return [word for word in self.text(name).split(",") if word]

    def error(self, name: str, value: str, expected: str) -> CaptureError:
        return broken(self.path, f"is {shown(value)}; expected {expected}", name, self.lines[name][0])

    def seconds(self, name: str) -> int | None:
        """Seconds of `30 sec`, `1 min`, a bare number or a duration; None: no limit, or no such line."""
        value = self.text(name)
        if not value or value.upper() in ("UNLIMITED", "INFINITE"):
            return None
        if found := _NUMBER.fullmatch(value):
            return int(found[1]) * (60 if found[2] == "min" else 1)
        try:
            return parse_duration(value)
        except ValueError:
            raise self.error(name, value, "a duration such as 30 sec") from None

    @property
    def accounts(self) -> bool:
        return self.text("AccountingStorageType") == "accounting_storage/slurmdbd"

    def ageing(self) -> Ageing | None:
        """How priorities grow with age; None if they do not."""
        weight, most = self.weight("PriorityWeightAge"), self.seconds("PriorityMaxAge")
        return Ageing(weight, most, self.period()) if weight and most else None

    def fair_share(self) -> FairShare | None:
        """How fair share moves; None where usage is not kept."""
        weight = self.weight("PriorityWeightFairShare")
        if weight is None:
            return None
        flags = self.priority_flags()
        return FairShare(
            weight,
            self.seconds("PriorityDecayHalfLife") or 0,
            self.period(),
            tree="NO_FAIR_TREE" not in flags,
            dampening=self.whole("FairShareDampeningFactor", "1") or 1,
            oblivious="DEPTH_OBLIVIOUS" in flags,
            reset=self.text("PriorityUsageResetPeriod"),
        )

    def priority_flags(self) -> frozenset[str]:
        """The flags of priority/multifactor, in capitals."""
        return frozenset(flag.upper() for flag in self.words("PriorityFlags"))

    def weight(self, name: str) -> int | None:
        """The weight of a factor; None without the accounts that age and fair share require."""
        counts = self.text("PriorityType") == MULTIFACTOR and self.accounts
        return self.whole(name, "0") if counts else None

    def whole(self, name: str, missing: str) -> int:
        """A whole number from 0."""
        text = self.text(name) or missing
        if not (text.isascii() and text.isdigit() and len(text) <= 10):
            raise self.error(name, text, "a whole number from 0")
        return int(text)

    def period(self) -> int:
        """Seconds from one calculation of priorities to the next."""
        return self.seconds("PriorityCalcPeriod") or CALCULATED_EVERY

    def weights(self) -> dict[Factor, int]:
        """Factor -> its weight; a line that has no number is one of a cluster without the factor."""
        if self.text("PriorityType") != MULTIFACTOR:
            return {}
        texts = {factor: self.text(name) for factor, name in WEIGHTS.items()}
        return {factor: int(text) if _WEIGHT.fullmatch(text) else 0 for factor, text in texts.items()}

    def licenses(self) -> dict[str, int]:
        """Licence -> how many there are."""
        try:
            return parse_licenses(self.text("Licenses"))
        except ValueError as error:
            raise self.error("Licenses", str(error), "licences such as matlab:8") from None

    def parameters(self) -> tuple[Backfill, dict[str, int], tuple[str, ...]]:
        """The parameters of backfill and of the main pass; the other words of `SchedulerParameters`."""
        kinds = get_type_hints(Backfill)
        found: dict[str, Any] = {}
        passes: dict[str, int] = {}
        others = []
        for word in self.words("SchedulerParameters"):
            name, equals, value = word.strip().partition("=")
            kind = kinds.get(name.removeprefix("bf_")) if name.startswith("bf_") else None
            if name in PASSES:
                passes[PASSES[name]] = 0 if value == "-1" else self.parameter(word, value)
            elif word == "bf_interval=-1":
                found["interval"] = 0
            elif kind is None:
                others.append(name)
            else:
                number = kind is bool or self.parameter(word, value)
                found[name.removeprefix("bf_")] = min(number, LARGEST.get(name, number))
            if kind is bool and equals:
                raise self.error("SchedulerParameters", word, f"{name} without a value")
        return Backfill(**found), passes, tuple(others)

    def parameter(self, word: str, value: str) -> int:
        if not (value.isascii() and value.isdigit() and int(value[:12]) < MOST):
            raise self.error("SchedulerParameters", word, "a number behind the sign")
        number = int(value)
        if number == 0 and word.startswith(ABOVE_NONE):
            raise self.error("SchedulerParameters", word, "a number above 0")
        return number


def parse_licenses(text: str) -> dict[str, int]:
    """Return licence -> count of a list such as `matlab:8,fluent`. ValueError carries a word that is none."""
    counts: dict[str, int] = {}
    for word in filter(None, text.split(",")):
        found = _LICENSE.fullmatch(word)
        if found is None:
            raise ValueError(word)
        counts[found[1]] = counts.get(found[1], 0) + int(found[2] or 1)
    return counts
