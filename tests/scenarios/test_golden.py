"""The jobs of every model and the estimates of every kind, to the last second."""

import hashlib
import platform
from collections.abc import Sequence
from fractions import Fraction

import pytest

from shadowtime.scenarios import Estimates, Job, Workload, estimated
from shadowtime.scenarios.models.registry import Recipe

HERE = platform.system(), platform.machine()
pytestmark = pytest.mark.skipif(
    HERE != ("Linux", "x86_64"),
    reason="the last digit of exp and log is the C library's: known for Linux x86-64",
)

MODELS = {
    "bf5368c9ccb6012a": Recipe("lublin99", 2000),
    "b0b3fd1a986e9d2d": Recipe("lublin99", 2000, seed=7, load=Fraction(4, 5), kind="untyped"),
    "e956919ad46be71c": Recipe("lublin99", 2000, kind="batch"),
    "227243393237f1b9": Recipe("lublin99", 2000, kind="interactive"),
    "b9c5fb3f61c9bc20": Recipe("feitelson96", 2000),
    "134f3aaf6d9b8728": Recipe("feitelson96", 2000, seed=7, load=Fraction(4, 5)),
    "66687715de519eaf": Recipe("feitelson97", 2000),
    "1bae07ee9d5ad1de": Recipe("means", 2000),
    "a55d8322650f23b9": Recipe("means", 2000, seed=7, load=Fraction(4, 5)),
    "00fede20e4176324": Recipe("feitelson97", 2000, seed=7, load=Fraction(4, 5)),
}
RULES = {
    "539526fdbef9374e": Estimates("exact"),
    "793f29717604c95b": Estimates("uniform", factor=Fraction(7, 2), seed=3),
    "fadbeee086124dbe": Estimates("alpha", alpha=Fraction(1, 3)),
    "f4255abd63d199b0": Estimates("tsafrir"),
    "026c1550209bcc39": Estimates("tsafrir", seed=5, max=200_000, popular=12, share=Fraction(9, 10)),
}


def digest(*columns: Sequence[object]) -> str:
    """The beginning of the sha256 of the columns."""
    text = "\n".join(" ".join(map(str, row)) for row in zip(*columns, strict=True))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize(
    ("expected", "recipe"), MODELS.items(), ids=lambda value: getattr(value, "model", "")
)
def test_the_jobs_of_the_models(expected: str, recipe: Recipe) -> None:
    """Ids, submissions, runtimes, sizes, classes, and which job is run again."""
    made = recipe.make(128 if recipe.load is None else 1024)
    jobs = made.workload
    again = made.preceding or [0] * len(jobs)
    assert digest(jobs.id, jobs.submit, jobs.runtime, jobs.size, jobs.klass, again) == expected


@pytest.mark.parametrize(("expected", "rule"), RULES.items(), ids=lambda value: getattr(value, "kind", ""))
def test_the_estimates_of_the_kinds(expected: str, rule: Estimates) -> None:
    """Of a workload that no model has made."""
    jobs = Workload.of(Job(i, 1, i, 1 + i**3 % 50_000, 60 * (i % 900) + 50_000) for i in range(1, 2001))
    assert digest(estimated(jobs, rule).estimate) == expected
