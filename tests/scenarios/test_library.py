"""What is shipped, what a browser shows, and how little an import loads."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from shadowtime.scenarios import Head, cluster_folders, read_head, scenario_files
from shadowtime.scenarios.slurm import read_capture
from tests.scenarios.support import GOOD, Desk


def test_shipped_files() -> None:
    """In folders, one a paper, each a file that is there."""
    files = scenario_files()
    assert files == sorted(files, key=lambda path: ("courses" in path.parts, path)), "lessons come last"
    assert all(path.suffix == ".toml" and path.is_file() for path in files)


@pytest.mark.parametrize(
    "path", [*scenario_files(), *cluster_folders()], ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_shipped_heads(path: Path) -> None:
    """Each has a title and says what to look at."""
    head = read_head(path)
    assert head.fault is None
    assert head.title != path.stem and head.about


@pytest.mark.parametrize("folder", cluster_folders(), ids=lambda folder: folder.name)
def test_shipped_clusters(folder: Path) -> None:
    """Each is a small folder that names nobody, with the plan that is expected of it."""
    files = sorted(folder.iterdir())
    assert sum(path.stat().st_size for path in files) < 150_000
    assert {"cluster.toml", "config.txt", "plan.csv"} <= {path.name for path in files}
    assert read_head(folder).cluster
    capture = read_capture(folder)
    assert capture.taken and all(re.fullmatch(r"user\d+", job.user) for job in capture.jobs)
    text = "".join(path.read_text() for path in files)
    assert not re.search(r"/home/|@|\b(?:ada|grace|linus|edsger|barbara|donald|physics|biology)\b", text)


def test_heads(desk: Desk) -> None:
    """The texts at the top, nothing else; what is no TOML has the reason in their place."""
    path = desk.write('title = " T "\npaper = "P"\nabout = """\nA"""\n[policy]\nname = "unknown"\n')
    assert read_head(path) == Head(path, "T", "P", "A")
    assert read_head(desk.write("title = 3\n" + GOOD)).title == "gang"
    head = read_head(desk.write("a = = 1\n"))
    assert (head.title, head.fault) == ("gang", f"{head.path}:1:5: not TOML: invalid value")
    assert read_head("/nowhere.toml").fault == "/nowhere.toml: no such file"


def loaded(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after some code."""
    script = f"{code}\nimport sys; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


@pytest.mark.proof
def test_an_import_loads_next_to_nothing() -> None:
    """What is needed later is loaded later: tree-sitter only when a place is asked for."""
    assert not loaded("import scenarios") & {"attrs", "attr", "typing", "tomllib", "tree_sitter"}
    reading = loaded("from shadowtime.scenarios import read_scenario")
    assert "tomllib" in reading
    assert not reading & {
        "tree_sitter",
        "platformdirs",
        "lzma",
        "gzip",
        "shadowtime.scenarios.models.lublin",
        "random",
        "zoneinfo",
    }
