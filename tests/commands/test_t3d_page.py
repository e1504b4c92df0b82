"""What docs/t3d.md shows runs, and its tables are those of the kernel."""

import re
from pathlib import Path

import pytest

from console.session import load
from kernels.jobs import SERVICES
from kernels.policies.t3d_classes import CLASSES
from kernels.torus import SIZES
from scenarios import parse_duration

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/t3d.md").read_text(encoding="utf-8")
WORDS = {"1 year": 365 * 86400, "5 min": 300, "1 h": 3600, "0": 0}


def seconds(text: str) -> int:
    """A time as the table of the page writes it."""
    return WORDS[text] if text in WORDS else parse_duration(text.replace(" ", ""))


def test_the_scenario_of_the_page_runs(tmp_path: Path) -> None:
    """As it stands there, with the older limits, and without NQS: a job of 128 is loaded for 64 s."""
    found = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    as_told = found[1]
    without = re.sub(r"\[nqs\].*?\n\n", "", as_told, flags=re.DOTALL)
    texts = {as_told: 10 * 3600 + 64, as_told.replace('"after"', '"before"'): 10 * 3600 + 64, without: 64}
    assert len(texts) == 3
    for text, start in texts.items():
        path = tmp_path / "page.toml"
        path.write_text(text, encoding="utf-8")
        simulation = load(path).simulation()
        simulation.run()
        assert list(simulation.results()["start"]) == [start]


@pytest.mark.parametrize("name", SERVICES)
def test_the_table_of_classes_is_the_kernels(name: str) -> None:
    """Priority, longest wait, do-not-disturb time of a processor, processors."""
    found = re.search(rf"^\| {name} \| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$", PAGE, re.MULTILINE)
    assert found is not None
    priority, wait, undisturbed, limit = found.groups()
    assert (int(priority), seconds(wait), seconds(undisturbed), int(limit)) == CLASSES[name]


def test_the_sizes_of_the_page_are_those_of_blocks() -> None:
    told = ", ".join(map(str, SIZES[:-1])) + f" or {SIZES[-1]}"
    assert PAGE.count(told) == 2
