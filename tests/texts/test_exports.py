"""What is written of hostile files has their texts as texts, and is read back equal."""

import json
from pathlib import Path

import attrs
import pytest

from shadowtime.console.recording import Cast
from shadowtime.console.session import Case, load, open_session
from shadowtime.console.session.comparison.runs import compare
from shadowtime.console.session.comparison.sweep import save_csv
from shadowtime.console.session.exam.collecting import TABLES, gather, tables
from shadowtime.console.session.exam.forms import FORMS
from shadowtime.console.session.exam.paper import Given, Paper, read, save
from shadowtime.console.session.exam.verifying import certificate, save_certificate
from shadowtime.console.session.files.exports import WAYS, Export
from shadowtime.console.session.files.tidy import read_rows
from shadowtime.console.widgets.picture.svg import drawing
from shadowtime.scenarios import Job, Workload
from tests.amount import every
from tests.oracles.jobs import Job as NaiveJob
from tests.oracles.jobs import Workload as Naive
from tests.session.build import case_of
from tests.texts.files import scenario_file
from tests.texts.hostile import Supply, flaws, texts, toml_texts

GROUPS = 20
NUMBERS = ("id", "submit", "size", "runtime", "estimate")
NAMES = ("user", "klass", "queue", "name", "command")


def hostile_case(some: list[str]) -> Case:
    """A case with these texts as title, users, classes and queues; not one of them was in a file."""
    case = case_of(Naive([NaiveJob(n, 60, 1 + n % 4, 90) for n in range(len(some))], 4))
    jobs = [
        Job(n + 1, 1 + n % 4, n, 60, 90, user=text, klass=text, queue=text, name=text, command=text)
        for n, text in enumerate(some)
    ]
    scenario = attrs.evolve(case.scenario, title=some[0], workload=Workload.of(jobs))
    return attrs.evolve(case, scenario=scenario)


def test_a_queue_with_a_line_end_makes_no_job(tmp_path: Path) -> None:
    """Neither a row nor a key of the header."""
    path = tmp_path / "story.toml"
    path.write_text(
        'title = "a\\n; MaxProcs: 9"\nmachine = {nodes = 4}\npolicy = {name = "fcfs"}\n'
        '[[job]]\nid = 1\nsize = 2\nsubmit = 0\nruntime = 60\nuser = "u\\u001b[2J\\u0000\\u009b"\n'
        'queue = "a\\n99 0 0 3600 4 -1 -1 4 3600 -1 1 1 1 1 1 1 -1 -1\\n"\n'
    )
    session = open_session(load(path))
    session.go_end()
    Export(session, "swf", tmp_path / "out.swf").run()
    back = load(tmp_path / "out.swf")
    assert (list(back.columns.id), back.nodes) == ([1], 4)
    assert not flaws((tmp_path / "out.swf").read_text())


@pytest.mark.parametrize("kind", WAYS)
def test_every_way_out(kind: str, tmp_path: Path) -> None:
    """Of two thousand names one job each: a log, tables, lines of JSON."""
    session = open_session(hostile_case(texts()))
    session.go_end()
    out = tmp_path / f"out{WAYS[kind].ending}"
    Export(session, kind, out).run()
    text = out.read_text(encoding="utf-8")
    assert not flaws(text)
    lines = text.splitlines()
    if kind == "events":
        assert [json.loads(line)["n"] for line in lines] == list(range(1, session.number + 1))
    elif kind == "swf":
        assert sum(not line.startswith(";") for line in lines) == len(texts())
        back, case = load(out).columns, session.case.columns
        assert all(list(getattr(back, name)) == list(getattr(case, name)) for name in NUMBERS)
    else:
        assert len(list(read_rows(text))) == len(texts()) + 1


@pytest.mark.parametrize("group", every(GROUPS, range(GROUPS)))
@pytest.mark.parametrize("policy", [None, "easy"])
def test_a_saved_session_is_read_back(group: int, policy: str | None, tmp_path: Path) -> None:
    """As the file that was opened, and as one of another policy, which is written anew."""
    source = scenario_file(tmp_path / "a\n[b]\u202e.toml", Supply(toml_texts()[group * 90 :]), 20)
    session = open_session(load(source, policy=policy))
    session.go("10m")
    session.act("hold 10")
    session.operator.save(tmp_path / "saved.toml")
    case, back = session.case.scenario, load(tmp_path / "saved.toml").scenario
    assert (back.title, back.about, back.paper) == (case.title, case.about, case.paper)
    assert [note.text for note in back.notes] == [note.text for note in case.notes]
    assert all(list(getattr(back.workload, n)) == list(getattr(case.workload, n)) for n in NAMES + NUMBERS)
    if policy is not None:
        assert not flaws((tmp_path / "saved.toml").read_text(encoding="utf-8"))


def test_exams_are_collected(tmp_path: Path) -> None:
    """A result file is read back; a table has names that no spreadsheet computes."""
    files = []
    for number, text in enumerate(texts()[::20]):
        given = Given(text, 1, "why", 60, 3, text, "right", 3, 9, value=text)
        begun = "2026-01-01T00:00:00+00:00"
        exam = Paper(text, f"{number:064}", number, text, 60, begun, 1, (given,), ended=True)
        for form in FORMS:
            paper = attrs.evolve(exam, sign=form, form=form)
            files.append(tmp_path / f"{number}-{form}.json")
            save(files[-1], paper)
            assert read(files[-1]) == paper
            assert not flaws(files[-1].read_text(encoding="utf-8"))
        save_certificate(tmp_path / "c.json", certificate(attrs.evolve(paper, mark=3)))
        assert not flaws((tmp_path / "c.json").read_text(encoding="utf-8"))
    papers = [*gather(files).values()]
    for name, out in tables(papers).items():
        rows = list(read_rows(out))
        assert not flaws(out) and tuple(rows[0]) == TABLES[name]
        assert {row[0] for row in rows[1:]} == {paper.course for paper in papers}
    of_trainees = list(read_rows(tables(papers)["trainees"]))[1:]
    assert sorted(row[3] for row in of_trainees) == sorted(it.operator for it in papers)


def test_a_sweep_and_lanes_with_hostile_names(tmp_path: Path) -> None:
    names = texts()[::50]
    case = case_of(Naive([NaiveJob(0, 60, 2, 90)], 4))
    found = attrs.evolve(compare([case] * len(names)), names=tuple(names))
    save_csv(found, tmp_path / "sweep.csv")
    text = (tmp_path / "sweep.csv").read_text(encoding="utf-8")
    assert not flaws(text) and next(read_rows(text)) == ["metric", *names]


def test_a_recording_and_a_picture_have_any_title(tmp_path: Path) -> None:
    for number, text in enumerate(texts()[:300]):
        with Cast(tmp_path / f"{number}.cast", text) as cast:
            cast.output("\x1b[31mred\r\n")
        written = (tmp_path / f"{number}.cast").read_text(encoding="utf-8")
        head, shown = map(json.loads, written.splitlines())
        assert (head["title"], shown[1:]) == (text, ["o", "\x1b[31mred\r\n"]) and not flaws(written)
        assert not flaws(drawing((), 1, 1, text, "#000000"))
