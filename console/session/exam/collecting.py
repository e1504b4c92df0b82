"""The result files of a class, counted: by trainee, by topic, by question."""

import io
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from shadowtime.console.session.exam.paper import Given, Paper, PaperError, read
from shadowtime.console.session.files.cells import Cells
from shadowtime.console.session.training import POINTS, RIGHT, SKIPPED

COLUMNS = ("table", "course", "seed", "name", "asked", "answered", "right", "points", "most", "mean_seconds")


def gather(paths: Iterable[Path]) -> tuple[Paper, ...]:
    """Return the papers of files, each exam once: of several files of one exam that with most answers.

    PaperError carries a line for every file that cannot be used; then nothing is collected.
    """
    found: dict[tuple[str, str, int, str, str], Paper] = {}
    refused = list[str]()
    for path in paths:
        try:
            paper = read(path)
        except PaperError as error:
            refused.append(str(error))
            continue
        known = found.get(paper.key)
        if known is None or (len(paper.answers), paper.ended) > (len(known.answers), known.ended):
            found[paper.key] = paper
    if refused:
        raise PaperError("\n".join(refused))
    return tuple(found[key] for key in sorted(found))


def unfinished(paths: Iterable[Path], papers: Sequence[Paper]) -> tuple[tuple[Path, Paper], ...]:
    """Return the files whose exams were collected but not handed in: each exam once. Raises PaperError."""
    open_ones = {paper.key: paper for paper in papers if not paper.ended}
    found = dict[tuple[str, str, int, str, str], tuple[Path, Paper]]()
    for path in paths:
        paper = read(path)
        if open_ones.get(paper.key) == paper:
            found.setdefault(paper.key, (path, paper))
    return tuple(found.values())


def tables(papers: Sequence[Paper]) -> str:
    """Return three tables as one CSV; the first column names the table: trainee, topic, question.

    A trainee's `asked` are all questions of the exam, and the most points are theirs; a topic is a kind of
    question. A question that was not reached counts for the trainee alone. Copies of a course are one;
    courses of one title that differ in content have the beginning of their digest behind it, and trainees of
    one name who began in the same second the beginning of their exam's sign.
    """
    rows: dict[tuple[str, str, str, str], list[Given]] = defaultdict(list)
    asked: dict[tuple[str, str, str, str], int] = {}
    for paper in papers:
        seed, course = str(paper.seed), _course_of(paper, papers)
        trainee = ("trainee", course, seed, _name_of(paper, papers))
        rows[trainee] += paper.answers
        asked[trainee] = paper.questions
        for it in paper.answers:
            rows["topic", course, "", it.ask].append(it)
            rows["question", course, seed, f"{it.lesson} {it.question}"].append(it)
    text = io.StringIO()
    cells = Cells(text)
    cells.row(COLUMNS)
    order = {"trainee": 0, "topic": 1, "question": 2}
    for key in sorted(rows, key=lambda key: (order[key[0]], key)):
        cells.row((*key, *_counted(rows[key], asked.get(key, len(rows[key])))))
    return text.getvalue()


def _name_of(paper: Paper, papers: Sequence[Paper]) -> str:
    """A trainee's name and when the exam began, and its sign if that leaves two exams."""
    name = f"{paper.operator} {paper.begun}"
    same = {it.key for it in papers if (it.operator, it.begun) == (paper.operator, paper.begun)}
    return name if len(same) == 1 else f"{name} {paper.sign[:8]}".rstrip()


def _course_of(paper: Paper, papers: Sequence[Paper]) -> str:
    """The title of a course, and of several different ones with this title the digest."""
    digests = {it.digest for it in papers if it.course == paper.course}
    return paper.course if len(digests) == 1 else f"{paper.course} {paper.digest[:8]}"


def _counted(given: Sequence[Given], asked: int) -> tuple[object, ...]:
    answered = [it for it in given if it.verdict != SKIPPED]
    seconds = f"{sum(it.seconds for it in answered) / len(answered):.1f}" if answered else ""
    right = sum(it.verdict == RIGHT for it in answered)
    return (asked, len(answered), right, sum(it.points for it in given), POINTS * asked, seconds)
