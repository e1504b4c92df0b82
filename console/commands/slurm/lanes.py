"""Which policies `shadowtime compare` puts side by side: those named, or the scenario's own ones."""

from collections.abc import Sequence
from pathlib import Path

from shadowtime.console.commands.slurm.cluster import refuse_policy
from shadowtime.console.session import Case, cases_of
from shadowtime.console.session.comparison.runs import Elsewhere
from shadowtime.console.session.slurm import is_folder
from shadowtime.console.session.slurm.lanes.whole_run import slurm_lane, spoken_lane
from shadowtime.console.session.slurm.parameters import Overrides, is_slurm, split_policies


def lanes_of(file: str, case: Case, policies: Sequence[str]) -> list[Case | Elsewhere]:
    """Return what is compared, in order; of a captured cluster also Slurm. SessionError, UsageError."""
    if not policies:
        first = [slurm_lane(Path(file), case, Overrides())] if is_folder(Path(file)) else []
        return [*first, *cases_of(case)]
    texts = list(split_policies(policies))
    if any(map(is_slurm, texts)):
        refuse_policy(file)
    return [spoken_lane(Path(file), case, text) for text in texts]
