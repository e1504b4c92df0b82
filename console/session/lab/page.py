"""The verdicts in a page of prose: tables between marks, each row of which belongs to an experiment.

A mark is a line `<!-- verdicts: fw98 -->`; the table below it has the experiments whose names begin so, and
ends with the line `<!-- end -->`.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from console.session.files.writers import written_whole
from console.session.lab.verdicts import Found

MANY = 6
"""Tables of one experiment; beyond so many they are summed up in a row."""
HEAD = ("| experiment | what is compared | verdict | how near, and why no nearer |", "|---|---|---|---|")
_BLOCK = re.compile(r"(<!-- verdicts: (?P<prefix>\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def fill(path: Path, found: Sequence[Found]) -> None:
    """Write the rows of these experiments into a page. OSError if it cannot be read or written."""
    text = filled(path.read_text(encoding="utf-8"), found)
    with written_whole(path) as stream:
        stream.write(text)


def filled(page: str, found: Sequence[Found]) -> str:
    """Return the page with the rows of these experiments in its tables; rows of others stay as they are."""

    def block(match: re.Match[str]) -> str:
        prefix = match["prefix"]
        rows = rows_of(match[0])
        for item in found:
            if item.experiment.name.startswith(prefix):
                rows[item.experiment.name] = list(_rows(item))
        lines = [*HEAD, *(line for name in sorted(rows) for line in rows[name])]
        return match[1] + "\n".join(lines) + "\n" + match[3]

    return _BLOCK.sub(block, page)


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

    def row(what: str, verdict: str, words: str) -> str:
        cells = (f"`{experiment.name}`", what, verdict, words)
        return "| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |"

    if len(found.tables) > MANY:
        kinds = dict.fromkeys(table.verdict for table in found.tables)
        counts = ", ".join(f"{sum(table.verdict is kind for table in found.tables)} {kind}" for kind in kinds)
        reasons = " ".join(dict.fromkeys(table.because for table in found.tables if table.because))
        yield row(experiment.title, str(found.verdict), f"{len(found.tables)} tables: {counts}. {reasons}")
    else:
        for table in found.tables:
            yield row(table.table.view.title, str(table.verdict), _explained(table.finding, table.because))
    for claim in found.claims:
        yield row(claim.claim.view.title, claim.word, _explained(claim.finding, claim.because))
    for check in found.checks:
        yield row(f"scenario `{check.name}`", str(check.verdict), check.finding)
    if not (found.tables or found.claims or found.checks):
        yield row(experiment.title, str(found.verdict), f"plots: {len(experiment.plots)}")


def _explained(words: str, because: str) -> str:
    return f"{words}. {because}" if because else words
