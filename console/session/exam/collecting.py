"""The result files of a class, counted: by trainee, by topic, by question."""

import csv
import io
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from console.session.exam.paper import Given, Paper, PaperError, read
from console.session.training import POINTS, RIGHT, SKIPPED

COLUMNS = ("table", "course", "seed", "name", "asked", "answered", "right", "points", "most", "mean_seconds")


def gather(paths: Iterable[Path]) -> tuple[Paper, ...]:
    """Return the papers of files, each exam once: of several files of one exam that with most answers.

    PaperError carries a line for every file that cannot be used; then nothing is collected.
    """
    found: dict[tuple[str, str, int, str], Paper] = {}
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


def tables(papers: Sequence[Paper]) -> str:
    """Return three tables as one CSV; the first column names the table: trainee, topic, question.

    A trainee's `asked` are all questions of the exam, and the most points are theirs; a topic is a kind of
    question. A question that was not reached counts for the trainee alone.
    """
    rows: dict[tuple[str, str, str, str], list[Given]] = defaultdict(list)
    asked: dict[tuple[str, str, str, str], int] = {}
    for paper in papers:
        seed = str(paper.seed)
        trainee = ("trainee", paper.course, seed, f"{paper.operator} {paper.begun}")
        rows[trainee] += paper.answers
        asked[trainee] = paper.questions
        for it in paper.answers:
            rows["topic", paper.course, "", it.ask].append(it)
            rows["question", paper.course, seed, f"{it.lesson} {it.question}"].append(it)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    order = {"trainee": 0, "topic": 1, "question": 2}
    for key in sorted(rows, key=lambda key: (order[key[0]], key)):
        writer.writerow((*key, *_counted(rows[key], asked.get(key, len(rows[key])))))
    return text.getvalue()


def _counted(given: Sequence[Given], asked: int) -> tuple[object, ...]:
    answered = [it for it in given if it.verdict != SKIPPED]
    seconds = f"{sum(it.seconds for it in answered) / len(answered):.1f}" if answered else ""
    right = sum(it.verdict == RIGHT for it in answered)
    return (asked, len(answered), right, sum(it.points for it in given), POINTS * asked, seconds)
