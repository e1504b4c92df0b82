"""What docs/papers.md, docs/experiments.md and docs/import.md show is what happens."""

import re
import shlex
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from shadowtime.console.session.lab.judging.verdicts import Found, Verdict
from shadowtime.console.session.lab.measures import MEASURES
from shadowtime.console.session.lab.page import filled, pages_of, rows_of
from shadowtime.console.session.lab.report import means_cells
from shadowtime.console.session.lab.reproduce import Lab, experiments
from shadowtime.console.session.lab.store import Store
from shadowtime.scenarios.experiment import experiment_files
from shadowtime.scenarios.experiment_reader import read_experiment
from tests.amount import SHARE
from tests.commandline import ROOT, Shadowtime
from tests.commands.files.test_fetch import Site
from tests.commands.files.test_fetch import site as site_fixture
from tests.pages.shown import as_pattern

site = site_fixture
EXPERIMENTS, IMPORT = (
    (ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("experiments.md", "import.md")
)
PAGES = {path: path.read_text(encoding="utf-8") for path in pages_of(ROOT / "docs" / "papers.md")}
PAPERS = "".join(PAGES.values())
LONGEST = 120
"""Characters of a cell that a reader takes in at a glance."""
QUICK = ("fj97-fig8", "fj97-figs1-4", "fj97-tables1-2", "n12-fig3", "s02-table1")
"""Experiments that need no log and little time."""


def shown(page: str) -> Iterator[tuple[str, list[str]]]:
    """Each command of a page, and the lines that are shown below it."""
    for block in re.findall(r"```console\n(.*?)```", page, flags=re.DOTALL):
        for part in block.split("$ ")[1:]:
            command, *lines = part.splitlines()
            yield command, lines


def printed_as_shown(shadowtime: Shadowtime, command: str, lines: list[str], real: str | None = None) -> None:
    """Run a command of a page, or what really stands for it; it prints what is shown."""
    ended = shadowtime(*shlex.split(real or command)[1:])
    assert ended.code == 0, ended.err
    # Some commands end with an empty line, and a page does not show at which column a line is blank.
    printed = "\n".join(line.rstrip() for line in ended.out.strip("\n").splitlines())
    assert fnmatchcase(printed, as_pattern(lines)), f"{command}\n{printed}"


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, with a cache of its own and room for wide tables."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path


def test_the_commands_of_import_print_what_is_shown(
    site: Site, place: Path, monkeypatch: pytest.MonkeyPatch, shadowtime: Shadowtime
) -> None:
    """The dump of the page becomes a log; a log is fetched, from a server on this machine."""
    monkeypatch.setenv("SHADOWTIME_ARCHIVE", site.base)
    dump = re.search(r"```text\n(.*?)```", IMPORT, flags=re.DOTALL)
    assert dump is not None
    (place / "march.txt").write_text(dump[1])
    commands = list(shown(IMPORT))
    assert len(commands) == 5
    for command, lines in commands:
        printed_as_shown(shadowtime, command, lines)


def test_the_columns_of_import_are_those_of_the_help(shadowtime: Shadowtime) -> None:
    """The command for Slurm is the same in both."""
    found = re.search(r"^  (JobID,\S+) > march.txt$", IMPORT, flags=re.MULTILINE)
    assert found is not None
    assert found[1] in shadowtime("import", "sacct", "--help").out.replace("\n", "")


def test_the_commands_of_experiments_print_what_is_shown(
    place: Path, monkeypatch: pytest.MonkeyPatch, shadowtime: Shadowtime
) -> None:
    """By processes, and by a cluster of two workers; the report is there."""
    distributed = pytest.importorskip("distributed", reason="the package distributed is an extra")
    listed, processes, cluster, *_ = shown(EXPERIMENTS)
    printed_as_shown(shadowtime, *listed)
    printed_as_shown(shadowtime, *processes)
    assert (place / "report/report.html").exists()
    monkeypatch.setenv("XDG_CACHE_HOME", str(place / "another"))
    local: dict[str, object] = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    # Workers of this process are there at once; test_reproducing.py has a cluster of processes.
    local |= {"processes": False, "protocol": "tcp"}
    with distributed.LocalCluster(**local) as workers:
        command, lines = cluster
        real = command.replace("tcp://head:8786", workers.scheduler_address)
        assert real != command
        printed_as_shown(shadowtime, command, lines, real)
    one, two = (sorted((place / name).rglob("*.json")) for name in ("cache", "another"))
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
    assert len(one) == 40


def test_the_bundle_of_the_page_is_the_same_here(shadowtime: Shadowtime) -> None:
    """It is written, and checked."""
    for command, lines in list(shown(EXPERIMENTS))[3:]:
        printed_as_shown(shadowtime, command, lines)


def test_the_experiment_of_the_page_runs(place: Path) -> None:
    """As it stands there: its table is judged, its claim holds."""
    study, shown_last = re.findall(r"```toml\n(.*?)```", EXPERIMENTS, flags=re.DOTALL)
    (place / "shown.toml").write_text(shown_last)
    experiment = read_experiment(place / "shown.toml", MEASURES)
    (judged,) = judge(Lab((experiment,), Store(place / "results")))
    (claim,), (table,) = judged.claims, judged.tables
    assert (judged.ran, claim.verdict) == (48, Verdict.REPRODUCED)
    assert all(line.ours is not None and line.ours.half for line in table.lines)
    (place / "study.toml").write_text(study)
    (found,) = judge(Lab((read_experiment(place / "study.toml", MEASURES),), Store(place / "results")))
    lines = [" ".join(row).split() for row in means_cells(found.means[0])]
    words = [line.split() for line in EXPERIMENTS.splitlines()]
    assert [line for line in lines[:4] if line not in words] == []


def test_the_measures_of_the_page_are_there() -> None:
    """Each that it names."""
    named = set(re.findall(r"`([a-z]+\.[a-z_]+)`", EXPERIMENTS)) - {"report.html", "rows.csv", "bundle.json"}
    assert named <= MEASURES
    assert len(named) == 21


def judge(lab: Lab) -> list[Found]:
    """What comes of the experiments of a lab, run here."""
    lab.run()
    return [lab.found(experiment) for experiment in lab.experiments]


def test_every_experiment_has_its_verdicts_in_the_page() -> None:
    """And no other."""
    assert sorted(rows_of(PAPERS)) == sorted(path.stem for path in experiment_files())


def listed() -> dict[str, str]:
    """The items of the list at the end of the page, joined, by the experiments that have their rows."""
    found = dict[str, str]()
    sections = (page.partition("## Every table, figure and claim")[2] for page in PAGES.values())
    for line in "".join(sections).splitlines():
        cells = line.strip("| ").split(" | ")
        for name in re.findall(r"`([^`]+)`", cells[-1] if len(cells) == 3 else ""):
            found[name] = found.get(name, "") + f"{cells[0].lower()}\n"
    return found


@pytest.mark.proof
def test_the_list_of_the_page_names_the_item_of_every_row() -> None:
    """Each experiment that judges something is in the list, with each item of its rows; and no other."""
    judged = dict[str, set[str]]()
    for experiment in experiments():
        sources = [table.source for table in experiment.tables]
        sources += [claim.source for claim in experiment.claims]
        sources += [absent.source for absent in experiment.absent]
        items = {source.item for source in sources if source.is_judged}
        items |= {experiment.source.item for _ in experiment.scenarios}
        if items:
            judged[experiment.name] = items
    found = listed()
    assert found.keys() >= judged.keys()
    assert found.keys() <= {path.stem for path in experiment_files()}
    for name, items in judged.items():
        wanted = {each for item in items for each in re.findall(r"(?:section )?[\d.]+", item.lower())}
        assert {each for each in wanted if each not in found[name]} == set(), name


def test_what_is_contradicted_shows_ours() -> None:
    """Each item has a table of values, or says in which comparisons it fails."""
    listed = PAPERS[PAPERS.index("<!-- contradicted -->") :].split("<!-- end -->")[0]
    sections = listed.split("### ")[1:]
    assert sections
    assert [
        each for each in sections if "| value | published | " not in each and "- not so: " not in each
    ] == []


def test_no_cell_is_longer_than_a_glance() -> None:
    """What is longer stands below the table, as a note."""
    cells = [cell.strip() for line in PAPERS.splitlines() if line.startswith("|") for cell in line.split("|")]
    assert [cell for cell in cells if len(cell) > LONGEST] == []


def assert_as_written(found: Sequence[Found]) -> None:
    """The rows of these experiments are those of the pages, which stay as they are when they are written."""
    for text in PAGES.values():
        assert filled(text, found, whole=False) == text
    emptied = re.sub(r"^[|-] `.*\n", "", PAPERS, flags=re.MULTILINE)
    rows = rows_of(filled(emptied, found, whole=False))
    assert rows == {item.experiment.name: rows_of(PAPERS)[item.experiment.name] for item in found}


@pytest.mark.proof
def test_the_verdicts_of_the_page_are_those_of_the_results(place: Path) -> None:
    """Of the experiments that need no log and little time."""
    assert_as_written(judge(Lab(experiments(QUICK), Store(place / "results"))))


def test_the_command_writes_the_verdicts_into_a_page(place: Path, shadowtime: Shadowtime) -> None:
    """`--page` changes the rows of what was run, and nothing else; the pages of its folder are its own."""
    page, other = place / "page.md", place / "page" / "other.md"
    other.parent.mkdir()
    wrong = re.sub(r"(`fj97-fig8` .*) \| 21 of 21 ", r"\1 | none of 21 ", PAPERS)
    for each in (page, other):
        each.write_text(wrong)
    assert wrong != PAPERS
    assert shadowtime("reproduce", "fj97-fig8", "--page", page).code == 0
    assert page.read_text() == other.read_text() == PAPERS
    ended = shadowtime("reproduce", "fj97-fig8", "--page", place / "none.md")
    assert (ended.code, len(ended.complaints)) == (3, 1)


@pytest.mark.proof
def test_the_verdicts_of_the_page_are_those_of_the_logs(place: Path, traces: Path) -> None:
    """Of the tables of the three logs, and of the T3D's generated months, with the figures of the prose.

    Two of them take minutes: only where all cases are asked for.
    """
    slow = ("n12-fig4", "fj97-figs9-12") if SHARE >= 1 else ()
    names = ("fw98-table1", "tf05-table2", "tf05-table3", "fj97-figs13-15", *slow)
    found = judge(Lab(experiments(names), Store(place / "results"), str(traces), jobs=2))
    assert_as_written(found)
    lines = {
        (item.experiment.name, table.table.view.title.split()[0], line.row, line.column): line.ours
        for item in found
        for table in item.tables
        for line in table.lines
    }
    expected = {
        ("n12-fig4", "CTC:", "", "p = 0.2"): "CTC is 36 % here",
        ("fj97-figs9-12", "Utilization", "", "gang"): "reaches 70 %",
        ("fj97-figs9-12", "Utilization", "", "before"): "allowed 57 %",
    }
    for key, words in expected.items():
        if key[0] not in names:
            continue
        ours, percent = lines[key], re.search(r"(\d+) %", words)
        assert ours is not None and percent is not None and words in PAPERS
        assert round(ours.mean if ours.mean > 1 else 100 * ours.mean) == int(percent[1])
