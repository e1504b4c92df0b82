"""The compiled schedulers give the small cases that were worked out by hand."""

import pytest

from tests.kernels.drive import finished
from tests.oracles.jobs import Workload
from tests.oracles.small_cases import ROW_NAMES, ROWS, SmallCase


@pytest.mark.parametrize(("case", "policy", "setting"), ROWS, ids=ROW_NAMES)
def test_the_starts_of_a_small_case(case: SmallCase, policy: str, setting: str) -> None:
    """Each policy gives each small case exactly the starts that were worked out."""
    results = finished(Workload(case.jobs, case.nodes), f"{policy}-{setting}").results()
    assert list(results["start"]) == case.starts[policy, setting]
