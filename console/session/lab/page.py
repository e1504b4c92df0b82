"""The verdicts in pages of prose: tables between marks, each row of which belongs to an experiment.

A mark is a line `<!-- verdicts: fw98 -->`; below it stand the rows of the experiments whose names begin so,
then the notes on them, up to the line `<!-- end -->`. Below the marks of `OVERVIEWS` stand overviews of all.
No cell is longer than a line of a terminal: what is longer is a note.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from shadowtime.console.session.files.writers import written_whole
from shadowtime.console.session.lab.judging.data import Data, data_of
from shadowtime.console.session.lab.judging.verdicts import Found, Verdict, counted
from shadowtime.console.session.lab.overview import (
    contradicted,
    counted_by_paper,
    nearness,
    table_row,
    without_data,
)
from shadowtime.scenarios.experiment import Claim, Experiment, Published

MANY = 6
"""Tables of one experiment; beyond so many they are summed up in a row."""
HEAD = (
    "| experiment | what is compared | data | verdict | by chance | how near |",
    "|---|---|---|---|---|---|",
)
OVERVIEWS: Mapping[str, Callable[[Sequence[Found]], str]] = {
    "headline": counted_by_paper,
    "nearness": nearness,
    "contradicted": contradicted,
    "without data": without_data,
}
_OVERVIEW = re.compile(rf"(<!-- (?P<name>{'|'.join(OVERVIEWS)}) -->\n).*?(<!-- end -->)", re.DOTALL)
_BLOCK = re.compile(r"(<!-- verdicts: (?P<prefix>\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages_of(path: Path) -> list[Path]:
    """Return the pages that a path stands for: itself, and those of the folder of its name beside it."""
    return [path, *sorted(path.with_suffix("").glob("*.md"))]


def fill(path: Path, found: Sequence[Found], *, whole: bool) -> None:
    """Write the rows of these experiments into the pages of a path. OSError if one cannot be read or written.

    The overviews are written if the experiments are the whole.
    """
    for page in pages_of(path):
        text = filled(page.read_text(encoding="utf-8"), found, whole=whole)
        with written_whole(page) as stream:
            stream.write(text)


def filled(page: str, found: Sequence[Found], *, whole: bool) -> str:
    """Return the page with the rows of these experiments in its tables; rows of others stay as they are.

    So do the overviews, unless the experiments are the whole.
    """

    def block(match: re.Match[str]) -> str:
        prefix = match["prefix"]
        rows = rows_of(match[0])
        for item in found:
            if item.experiment.name.startswith(prefix):
                rows[item.experiment.name] = [*_rows(item), *_notes(item)]
        lines = [line for name in sorted(rows) for line in rows[name]]
        notes = [line for line in lines if line.startswith("-")]
        lines = [*HEAD, *(line for line in lines if line.startswith("|")), *[""] * bool(notes), *notes]
        return match[1] + "\n".join(lines) + "\n" + match[3]

    page = _BLOCK.sub(block, page)
    if not whole:
        return page
    return _OVERVIEW.sub(lambda match: match[1] + OVERVIEWS[match["name"]](found) + match[3], page)


def rows_of(page: str) -> dict[str, list[str]]:
    """The rows of verdicts in a page and the notes on them, by the names of their experiments."""
    rows = dict[str, list[str]]()
    for match in _BLOCK.finditer(page):
        for line in match[0].splitlines():
            if line.startswith(("| `", "- `")):
                rows.setdefault(line.split("`")[1], []).append(line)
    return rows


def _rows(found: Found) -> Iterator[str]:
    """One for each table, claim and scenario; for figures alone one that says so."""
    experiment = found.experiment

    def row(what: str, data: str, verdict: str, chance: float | None, words: str) -> str:
        return table_row(f"`{experiment.name}`", what, data, verdict, _share(chance), words)

    if len(found.tables) > MANY:
        judged = [table for table in found.tables if table.table.source.is_judged]
        counts = counted(verdict for table in judged for verdict in table.verdicts)
        data = "/".join(dict.fromkeys(_data(experiment, table.table) for table in judged))
        yield row(experiment.title, data, counts, None, f"{len(found.tables)} tables")
    else:
        for table in found.tables:
            known = [line.chance for line in table.lines if line.chance is not None]
            chance = (
                fmean(known) if known and table.table.source.is_judged and not table.table.sentence else None
            )
            data = _data(experiment, table.table)
            yield row(table.table.view.title, data, table.word, chance, table.finding)
    for claim in found.claims:
        title, data = claim.claim.view.title, _data(experiment, claim.claim)
        yield row(
            title, data, claim.word, claim.chance if claim.claim.source.is_judged else None, claim.finding
        )
    for check in found.checks:
        yield row(f"scenario `{check.name}`", Data.TEXT, str(check.verdict), None, check.finding)
    for absent in experiment.absent:
        yield row(absent.title, Data.NONE, str(Verdict.NO_DATA), None, "")
    if not (found.tables or found.claims or found.checks or experiment.absent):
        yield row(experiment.title, "", "drawn", None, f"plots: {len(experiment.plots)}; the eye compares")


def _notes(found: Found) -> Iterator[str]:
    """Why what does not come near does not, each reason once."""
    reasons = [table.because for table in found.tables] + [claim.because for claim in found.claims]
    reasons += [absent.because for absent in found.experiment.absent]
    for reason in dict.fromkeys(filter(None, reasons)):
        yield f"- `{found.experiment.name}`: {reason}"


def _data(experiment: Experiment, shown: Published | Claim) -> str:
    return str(data_of(experiment, shown.source, shown.view.grid))


def _share(chance: float | None) -> str:
    return "" if chance is None else f"{chance:.2f}" if chance >= 0.005 else "< 0.01"
