"""The verdicts in a page of prose: tables between marks, each row of which belongs to an experiment.

A mark is a line `<!-- verdicts: fw98 -->`; the table below it has the experiments whose names begin so, and
ends with the line `<!-- end -->`. Below the marks `<!-- headline -->`, `<!-- contradicted -->` and
`<!-- without data -->` stand the overviews of all experiments.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.lab.overview import contradicted, counted_by_paper, table_row, without_data
from shadowtime.console.session.lab.rows import UNKNOWN
from shadowtime.console.session.lab.verdicts import Found, TableFound, Verdict, counted
from shadowtime.scenarios.experiment import CAUSES

MANY = 6
"""Tables of one experiment; beyond so many they are summed up in a row."""
HEAD = (
    "| experiment | what is compared | verdict | cause | how near, and why no nearer |",
    "|---|---|---|---|---|",
)
OVERVIEWS: Mapping[str, Callable[[Sequence[Found]], str]] = {
    "headline": counted_by_paper,
    "contradicted": contradicted,
    "without data": without_data,
}
_OVERVIEW = re.compile(rf"(<!-- (?P<name>{'|'.join(OVERVIEWS)}) -->\n).*?(<!-- end -->)", re.DOTALL)
_BLOCK = re.compile(r"(<!-- verdicts: (?P<prefix>\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def fill(path: Path, found: Sequence[Found]) -> None:
    """Write the rows of these experiments into a page. OSError if it cannot be read or written.

    The overviews are written if all experiments of the page are given.
    """
    text = filled(path.read_text(encoding="utf-8"), found)
    with written_whole(path) as stream:
        stream.write(text)


def filled(page: str, found: Sequence[Found]) -> str:
    """Return the page with the rows of these experiments in its tables; rows of others stay as they are.

    So do the overviews, unless all experiments of the page are given.
    """

    def block(match: re.Match[str]) -> str:
        prefix = match["prefix"]
        rows = rows_of(match[0])
        for item in found:
            if item.experiment.name.startswith(prefix):
                rows[item.experiment.name] = list(_rows(item))
        lines = [*HEAD, *(line for name in sorted(rows) for line in rows[name])]
        return match[1] + "\n".join(lines) + "\n" + match[3]

    page = _BLOCK.sub(block, page)
    if not rows_of(page).keys() <= {item.experiment.name for item in found}:
        return page
    return _OVERVIEW.sub(lambda match: match[1] + OVERVIEWS[match["name"]](found) + match[3], page)


def rows_of(page: str) -> dict[str, list[str]]:
    """The rows of verdicts in a page, by the names of their experiments."""
    rows = dict[str, list[str]]()
    for match in _BLOCK.finditer(page):
        for line in match[0].splitlines():
            if line.startswith("| `"):
                rows.setdefault(line.split("`")[1], []).append(line)
    return rows


def _rows(found: Found) -> Iterator[str]:
    """One for each table, claim and scenario; for figures alone one that says so."""
    experiment = found.experiment

    def row(what: str, verdict: str, cause: str, words: str) -> str:
        return table_row(f"`{experiment.name}`", what, verdict, cause, words)

    if len(found.tables) > MANY:
        judged = [table for table in found.tables if table.table.source.is_judged]
        counts = counted(line.verdict for table in judged for line in table.lines)
        reasons = " ".join(dict.fromkeys(table.because for table in found.tables if table.because))
        causes = "/".join(dict.fromkeys(filter(None, map(_cause, judged))))
        yield row(experiment.title, counts, causes, f"{len(found.tables)} tables. {reasons}")
    else:
        for table in found.tables:
            words = _explained(table.finding, table.because)
            yield row(table.table.view.title, table.word, _cause(table), words)
    for claim in found.claims:
        missed = claim.verdict in (Verdict.PATTERN, Verdict.CONTRADICTS, Verdict.NO_DATA)
        cause = (claim.claim.source.cause or UNKNOWN) if missed and claim.claim.source.is_judged else ""
        yield row(claim.claim.view.title, claim.word, cause, _explained(claim.finding, claim.because))
    for check in found.checks:
        yield row(f"scenario `{check.name}`", str(check.verdict), "", check.finding)
    for absent in experiment.absent:
        yield row(absent.title, str(Verdict.NO_DATA), CAUSES[0], absent.because)
    if not (found.tables or found.claims or found.checks or experiment.absent):
        yield row(experiment.title, "drawn", "", f"plots: {len(experiment.plots)}; the eye compares")


def _cause(found: TableFound) -> str:
    """The cause of what is not reproduced; '' if all is, or the table is not judged."""
    if not found.table.source.is_judged or all(line.near for line in found.lines):
        return ""
    return found.table.source.cause or UNKNOWN


def _explained(words: str, because: str) -> str:
    return f"{words}. {because}" if because else words
