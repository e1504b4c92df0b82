"""What Feitelson & Weil 1998 publish of the log of KTH is in the log of today: it is the paper's."""

from collections import Counter
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from shadowtime.console.session.lab.measures import MEASURES
from shadowtime.scenarios.experiment import FOLDER
from shadowtime.scenarios.experiment_reader import read_experiment
from shadowtime.scenarios.traces.finding import find_log
from tests.scenarios.traces.reading import read_swf


def published(name: str, column: str) -> dict[str, Decimal]:
    """The published values of a column of an experiment, by row."""
    tables = read_experiment(FOLDER / f"{name}.toml", MEASURES).tables
    return {row: value for table in tables for (row, label), value in table.values.items() if label == column}


@pytest.mark.parametrize("policy", ["easy", "conservative"])
def test_table_1_weighted_by_the_months_of_the_log_is_table_2(traces: Path, policy: str) -> None:
    """With the log's jobs of each month as weights the means of the months give the mean of the whole log."""
    log = read_swf(find_log("KTH-SP2-1996-2.swf", Path(), traces))
    assert log.epoch is not None
    months = Counter(f"{log.epoch + timedelta(seconds=submit):%Y-%m}" for submit in log.submit)
    means = published("fw98-table1", policy)
    assert means.keys() == months.keys()
    whole = sum(means[month] * count for month, count in months.items()) / len(log)
    assert round(whole) == published("fw98-table2", policy)["users"]
