"""What `import shadowtime` gives, and that nothing else is needed for it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import shadowtime as face
from tests.commandline import ROOT, Ended, Shadowtime

DILEMMA = ROOT / "scenarios" / "fj97" / "dilemma.toml"
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)


def alone(program: str, folder: Path) -> Ended:
    """Run a program in a process of its own, in a folder that has links to what is shipped."""
    (folder / "scenarios").symlink_to(ROOT / "scenarios")
    found = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False
    )
    return Ended(found.returncode, found.stdout, found.stderr)


@pytest.mark.parametrize("program", PROGRAMS, ids=range(len(PROGRAMS)))
def test_a_program_of_the_page_runs(program: str, tmp_path: Path) -> None:
    """Each by itself, as a reader copies it."""
    ended = alone(program, tmp_path)
    assert (ended.code, ended.err) == (0, "") and ended.out


def test_the_notebook_runs(tmp_path: Path) -> None:
    """Cell by cell, from a log to a figure with a line for each policy, in ten lines."""
    notebook = json.loads((ROOT / "docs" / "notebook.ipynb").read_text(encoding="utf-8"))
    cells = [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert any("chart(" in cell and len(list(filter(None, cell.splitlines()))) <= 10 for cell in cells)
    ended = alone("\n".join(f"exec({cell!r})" for cell in cells), tmp_path)
    assert (ended.code, ended.err) == (0, "") and "quantiles.wait" in ended.out
    picture = (tmp_path / "waits.svg").read_text()
    assert picture.count('<path d="M') >= 3 and all(f">{name}<" in picture for name in ("fcfs", "easy"))


def test_the_page_names_every_call() -> None:
    """Each function is shown at work, or named."""
    calls = [name for name in face.__all__ if name.islower()]
    assert not [name for name in calls if f"shadowtime.{name}" not in PAGE]


def test_the_import_loads_nothing() -> None:
    """Neither the session nor a screen, until something is asked for."""
    code = "import sys, shadowtime; print(*(name for name in sys.modules if name.startswith('shadowtime')))"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert sorted(found.stdout.split()) == ["shadowtime", "shadowtime.lazily"]


def test_a_run_is_that_of_the_command(shadowtime: Shadowtime) -> None:
    """The same report, for a file and for a case, with the same options."""
    wanted = json.loads(shadowtime("run", DILEMMA, "--policy", "easy:scan=shortest", "--json").out)
    assert face.run(DILEMMA, policy="easy:scan=shortest").report() == wanted
    case = face.load(DILEMMA)
    assert face.run(case, policy="easy", settings=["scan=shortest"]).report()["metrics"] == wanted["metrics"]
    assert face.run(case, variant="easy").report() == face.run(DILEMMA, variant="easy").report()


def test_a_session_is_asked_by_the_ids_of_jobs(tmp_path: Path, shadowtime: Shadowtime) -> None:
    """Why, when, and what is written: the same as in line mode and on the command line."""
    session = face.open(DILEMMA, policy="easy")
    session.go("#4")
    assert face.expected_starts(session) == {2: 28800}
    assert face.why(session, 2).startswith("job 2 waits")
    with pytest.raises(face.SessionError, match="there is no job 99"):
        face.why(session, 99)
    session.go_end()
    shadowtime("run", DILEMMA, "--policy", "easy", "--swf", tmp_path / "wanted.swf")
    face.export(session, "swf", tmp_path / "found.swf")
    assert (tmp_path / "found.swf").read_bytes() == (tmp_path / "wanted.swf").read_bytes()
    with pytest.raises(face.SessionError, match="no way out"):
        face.export(session, "pdf", tmp_path / "found.pdf")


def test_what_goes_with_a_file_does_not_go_with_a_case() -> None:
    """The machine of a case is settled."""
    with pytest.raises(face.SessionError, match="nodes goes with a file"):
        face.open(face.load(DILEMMA), nodes=4)


def test_policies_are_compared_by_their_spelling() -> None:
    """Those that are named; without any the scenario's own and its variants."""
    assert face.compare(DILEMMA, ["fcfs", "easy"]).names == ("fcfs", "easy")
    case = face.load(DILEMMA)
    assert len(face.compare(case).names) == 1 + len(case.scenario.variants)
