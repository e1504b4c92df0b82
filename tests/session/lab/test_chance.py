"""What chance would meet, beside a count of every order of the labels."""

from decimal import Decimal
from itertools import pairwise, permutations, product
from pathlib import Path

import attrs
import pytest

from shadowtime.console.session.lab.intervals import Value, difference, mean_over
from shadowtime.console.session.lab.judging.chance import of_claim, of_value
from shadowtime.console.session.lab.judging.data import Data, data_of
from shadowtime.console.session.lab.judging.rows import headline, rows_of
from shadowtime.console.session.lab.judging.verdicts import Verdict, verdict_of_all
from shadowtime.scenarios.experiment import Claim, Experiment
from tests.session.lab.support import experiment_of, given, judged


@pytest.fixture
def experiment(tmp_path: Path) -> Experiment:
    return experiment_of(tmp_path)


def naive(claim: Claim, labels: int, groups: int) -> float:
    """The share of all orders of so many labels, in each of the groups, in which a claim holds."""
    held = total = 0
    for orders in product(permutations(range(labels)), repeat=groups):
        comparisons = list[bool]()
        for order in orders:
            if claim.order:
                comparisons += [one < other for one, other in pairwise(order)]
            elif claim.least is not None:
                comparisons += [order[0] < other for other in order[1:]]
            else:
                comparisons += [
                    min(order[0], order[1]) < other < max(order[0], order[1]) for other in order[2:]
                ]
        total += 1
        held += sum(comparisons) >= claim.share * len(comparisons)
    return held / total


@pytest.mark.parametrize("groups", [1, 2, 3])
def test_a_claim_holds_in_as_many_orders(groups: int, experiment: Experiment) -> None:
    """An order of three, the least of three, one between two others, at so many labels of its axis."""
    plain = attrs.evolve(experiment.claims[0], order=())
    order = attrs.evolve(plain, order=("easy", "fcfs", "order"))
    least = attrs.evolve(plain, least="easy")
    between = attrs.evolve(plain, between=("easy", "fcfs"))
    for claim, comparisons in ((order, 2), (least, 2), (between, 1)):
        assert of_claim(claim, comparisons * groups, groups) == pytest.approx(naive(claim, 3, groups))
    half = attrs.evolve(plain, order=("easy", "fcfs"), share=0.5)
    assert of_claim(half, groups, groups) == pytest.approx(naive(half, 2, groups))
    mostly = attrs.evolve(between, share=0.5)
    assert of_claim(mostly, groups, groups) == pytest.approx(naive(mostly, 3, groups))
    assert of_claim(attrs.evolve(plain, above=3), 4, 1) is None


def test_another_value_of_the_table_may_lie_in_the_band(experiment: Experiment) -> None:
    """Of 1000 ± 20 % one of the three others; a table of one value has no other."""
    values = {("", label): Decimal(said) for label, said in (("a", 1000), ("b", 1200), ("c", 700), ("d", 3))}
    table = attrs.evolve(experiment.tables[0], values=values)
    assert of_value(table, "", "a", Value(1)) == pytest.approx(1 / 3)
    assert of_value(attrs.evolve(table, bound="at most"), "", "a", Value(1)) == 1
    assert of_value(attrs.evolve(table, values={("", "a"): Decimal(1000)}), "", "a", Value(1)) is None


def test_runs_of_common_seeds_are_compared_in_pairs() -> None:
    """Their difference is certain where each of the means is not; a seed that one lacks is left out."""
    one = mean_over({"1": 1.0, "2": 10.0, "3": 100.0})
    other = mean_over({"1": 2.0, "2": 11.0, "3": 101.0})
    assert difference(one, other) == Value(-1.0, 0.0, 3)
    missed = mean_over({"2": 11.0, "3": 101.0, "4": 2.0})
    assert difference(one, missed) == Value(-1.0, 0.0, 2)
    assert difference(Value(1.0, 3.0), Value(2.0, 4.0)) == Value(-1.0, 5.0)
    assert difference(Value(1.0), Value(2.0)) == Value(-1.0)


def test_a_sentence_of_several_values_has_one_verdict(experiment: Experiment) -> None:
    """All, or three quarters; else the weakest."""
    good, bad, open_ = Verdict.REPRODUCED, Verdict.CONTRADICTS, Verdict.UNDECIDED
    assert verdict_of_all([good, good]) is good
    assert verdict_of_all([good, good, good, bad]) is Verdict.PATTERN
    assert verdict_of_all([good, open_, bad]) is bad
    assert verdict_of_all([good, open_]) is open_
    table = attrs.evolve(experiment.tables[0], sentence=True)
    found = judged(attrs.evolve(experiment, tables=(table,)), given({"easy": 997.5, "fcfs": 9000}))
    assert [row.published for row in rows_of(found)] == ["1,000, 2,000", "EASY waits less"]
    assert rows_of(found)[0].verdict is Verdict.PATTERN


def test_the_data_of_a_row_are_those_of_its_grid(experiment: Experiment) -> None:
    """A model, a log, a cleaned log, the text; a stand-in whatever it is."""
    grid = experiment.grids["g"]

    def data(workload: dict[str, object] | None, cause: str | None = None) -> Data:
        base = {key: value for key, value in grid.base.items() if key != "workload"}
        if workload is not None:
            base["workload"] = workload
        other = attrs.evolve(grid, base=base, axes=grid.axes[:1])
        source = attrs.evolve(experiment.source, cause=cause)
        return data_of(attrs.evolve(experiment, grids={"g": other}), source, "g")

    assert data({"model": "feitelson96"}) is Data.MODEL
    assert data({"log": "KTH-SP2-1996-2.swf"}) is Data.OWN
    assert data({"log": "KTH-SP2-1996-2.1-cln.swf"}) is Data.CLEANED
    assert data(None) is Data.TEXT
    assert data({"model": "feitelson96"}, "data") is Data.STAND_IN


def test_the_headline_of_the_page_is_that_of_its_rows() -> None:
    """The counts by paper add up to the line above them."""
    from tests.pages.test_papers import PAPERS

    block = PAPERS[PAPERS.index("<!-- headline -->") :].split("<!-- end -->")[0].splitlines()
    table = [line.strip("| ").split(" | ") for line in block if line.startswith("| ")]
    head, papers = table[0][:-1], [row[1:-1] for row in table[1:]]
    sums = [sum(map(int, column)) for column in zip(*papers, strict=True)]
    counts = dict(zip(head[1:], sums, strict=True))
    assert block[1].startswith(f"{counts['rows']} rows; ")
    assert sum(counts[each] for each in map(str, Verdict)) == counts["rows"]
    for verdict in Verdict:
        words = (
            f"{counts['no data']} without data"
            if verdict is Verdict.NO_DATA
            else f"{counts[verdict]} {verdict}"
        )
        assert words in block[1]
    assert headline([]) == "0 rows"
