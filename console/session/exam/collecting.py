"""The result files of a class, counted: by trainee, by topic, by question and by what was answered."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import StatisticsError, correlation

from shadowtime.console.session.exam.forms import FORMS
from shadowtime.console.session.exam.paper import Given, Paper, PaperError, read
from shadowtime.console.session.files.tidy import Table
from shadowtime.console.session.training import POINTS, RIGHT, SKIPPED

COUNTED = ("asked", "answered", "right", "points", "most", "mean_seconds")
TABLES: Mapping[str, tuple[str, ...]] = {
    "trainees": ("course", "seed", "form", "name", "begun", "sign", *COUNTED, "mark", "passed"),
    "gains": ("course", "seed", "name", "pre", "pre_most", "post", "post_most", "gain"),
    "topics": ("course", "ask", *COUNTED),
    "questions": ("course", "seed", "form", "lesson", "question", "ask", *COUNTED, "discrimination"),
    "choices": ("course", "seed", "form", "lesson", "question", "value", "right", "given", "share"),
    "answers": (
        "course", "seed", "form", "name", "begun", "sign", "lesson", "question", "ask", "value",
        "verdict", "points", "seconds",
    ),
}  # fmt: skip
"""The tables of a class, and their columns."""
TableRows = list[tuple[object, ...]]


def gather(paths: Iterable[Path]) -> Mapping[Path, Paper]:
    """Return the papers of files, each exam once: of several files of one exam that with most answers.

    PaperError carries a line for every file that cannot be used; then nothing is collected.
    """
    found = dict[tuple[str, str, int, str, str], tuple[Path, Paper]]()
    refused = list[str]()
    for path in paths:
        try:
            paper = read(path)
        except PaperError as error:
            refused.append(str(error))
            continue
        known = found[paper.key][1] if paper.key in found else None
        if known is None or (len(paper.answers), paper.ended) > (len(known.answers), known.ended):
            found[paper.key] = (path, paper)
    if refused:
        raise PaperError(*refused)
    return dict(found[key] for key in sorted(found))


def sat_before(found: Mapping[Path, Paper]) -> Mapping[Path, Path]:
    """Return the files of trainees who had sat the same exam before, each with the file of the first.

    Who begins before the last answer of the other is another trainee of one account.
    """
    firsts, again = dict[tuple[object, ...], Path](), dict[Path, Path]()
    for path, paper in sorted(found.items(), key=lambda it: it[1].begins):
        first = firsts.get(paper.sheet)
        if first is not None and found[first].answers_end <= paper.begins:
            again[path] = first
        elif first is None and paper.answers:
            firsts[paper.sheet] = path
    return again


def tables(papers: Sequence[Paper]) -> Mapping[str, str]:
    """Return the tables of a class as CSV, by name: trainees, gains, topics, questions, choices, answers.

    A trainee's `asked` are all questions of the exam, and the most points are theirs; a topic is a kind of
    question. A question that was not reached counts for the trainee alone. Copies of a course are one;
    courses of one title that differ in content have the beginning of their digest behind it.
    """
    topics: dict[tuple[object, ...], list[Given]] = defaultdict(list)
    items: dict[tuple[object, ...], list[tuple[Given, Paper]]] = defaultdict(list)
    found: dict[str, TableRows] = {name: [] for name in TABLES}
    for paper in papers:
        course = _course_of(paper, papers)
        exam = (course, paper.seed, paper.form, paper.operator, paper.begun, paper.sign)
        counted = _counted(paper.answers, paper.questions)
        found["trainees"].append((*exam, *counted, paper.mark, int(paper.passed)))
        for it in paper.answers:
            topics[course, it.ask].append(it)
            items[course, paper.seed, paper.form, it.lesson, it.question].append((it, paper))
            kept = (it.value, it.verdict, it.points, it.seconds)
            found["answers"].append((*exam, it.lesson, it.question, it.ask, *kept))
    for topic, given in sorted(topics.items()):
        found["topics"].append((*topic, *_counted(given, len(given))))
    for item, taken in sorted(items.items()):
        given = [it for it, _ in taken]
        counted = (*_counted(given, len(given)), _discrimination(taken))
        found["questions"].append((*item, given[0].ask, *counted))
        found["choices"] += [(*item, *row) for row in _chosen(given)]
    found["gains"] += _gains(papers)
    return {name: Table.of_rows(TABLES[name], rows).csv() for name, rows in found.items()}


def _gains(papers: Sequence[Paper]) -> Iterator[tuple[object, ...]]:
    """The pairs of a test before a course and one after it: of a trainee and a seed the last of each.

    The gain is the part of the points that were missing before, and are there after (R. R. Hake, 1998).
    """
    pairs: dict[tuple[object, ...], dict[str, Paper]] = defaultdict(dict)
    for paper in sorted(papers, key=lambda it: it.begun):
        if paper.form and paper.ended:
            pairs[_course_of(paper, papers), paper.seed, paper.operator][paper.form] = paper
    for who, forms in sorted(pairs.items()):
        if len(forms) == len(FORMS) and all(it.questions for it in forms.values()):
            (pre, most), (post, after) = ((forms[it].points, POINTS * forms[it].questions) for it in FORMS)
            before = pre / most
            gain = f"{(post / after - before) / (1 - before):.3f}" if before < 1 else ""
            yield (*who, pre, most, post, after, gain)


def _chosen(given: Sequence[Given]) -> Iterator[tuple[object, ...]]:
    """Each value that was answered, the most frequent first: whether it is right, how often, which share.

    Answers in files of the version before have no value.
    """
    answered = [(it.value, it.verdict == RIGHT) for it in given if it.value]
    for (value, right), count in Counter(answered).most_common():
        yield value, int(right), count, f"{count / len(answered):.3f}"


def _discrimination(taken: Sequence[tuple[Given, Paper]]) -> str:
    """The correlation of right answers with the points for all other questions; empty if there is none."""
    right = [float(it.verdict == RIGHT) for it, _ in taken]
    rest = [float(paper.points - it.points) for it, paper in taken]
    try:
        return f"{correlation(right, rest):.3f}"
    except StatisticsError:
        # Fewer than two exams, or all alike.
        return ""


def _course_of(paper: Paper, papers: Sequence[Paper]) -> str:
    """The title of a course, and of several different ones with this title the digest."""
    digests = {it.digest for it in papers if it.course == paper.course}
    return paper.course if len(digests) == 1 else f"{paper.course} {paper.digest[:8]}"


def _counted(given: Sequence[Given], asked: int) -> tuple[object, ...]:
    answered = [it for it in given if it.verdict != SKIPPED]
    seconds = f"{sum(it.seconds for it in answered) / len(answered):.1f}" if answered else ""
    right = sum(it.verdict == RIGHT for it in answered)
    return (asked, len(answered), right, sum(it.points for it in given), POINTS * asked, seconds)
