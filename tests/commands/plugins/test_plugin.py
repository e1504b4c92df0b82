"""A policy of another package: the example of the documentation, built and installed as anybody would."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.plugins.packages import installed

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/policies.md").read_text(encoding="utf-8")
DILEMMA = ROOT / "scenarios/fj97/dilemma.toml"
LISTING = "from importlib.metadata import entry_points; print(len(entry_points(group='shadowtime.policies')))"


def block(language: str) -> str:
    """The first block of that language on the page."""
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def install(folder: Path, site: Path, **files: str) -> Path:
    """Build and install a package of these files; return the folder to be put on the path."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-build-isolation",
        "--no-deps",
        "--no-index",
    ]
    subprocess.run([*command, "--target", str(site), str(folder)], check=True, capture_output=True)
    return site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example installed."""
    folder = tmp_path_factory.mktemp("plugin")
    return install(
        folder / "patience", folder / "site", patience_py=block("python"), pyproject_toml=block("toml")
    )


def shadowtime(site: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own, with the installed package on the path."""
    return subprocess.run(
        [sys.executable, "-m", "shadowtime", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(site), "SHADOWTIME_PATIENCE": "1"},
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_example_is_twenty_lines() -> None:
    """The page says so."""
    code = [line for line in block("python").splitlines() if line.strip() and '"""' not in line]
    assert len(code) <= 20


@pytest.mark.proof
def test_the_example_that_backfills_is_easy(tmp_path: Path) -> None:
    """Every job waits as long under both, as the page says."""
    source = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
    site, day = installed(tmp_path, "backfill", source), ROOT / "scenarios/generated/day-1024.toml"
    compared = shadowtime(site, "compare", str(day), "--policy", "easy", "--policy", "backfill", "--json")
    (report, other), verdict = (json.loads(compared.stdout)[name] for name in ("policies", "verdict"))
    assert (report["metrics"]["backfill_ratio"] > 0.5, other["policy"]) == (True, "backfill")
    assert (verdict["all"]["better"], verdict["all"]["worse"]) == ([0], [0])


@pytest.mark.proof
def test_it_is_listed(site: Path) -> None:
    """With its parameter, a duration by its default, and the package that it comes from."""
    listed = json.loads(shadowtime(site, "policies", "--json").stdout)
    entry = next(entry for entry in listed if entry["name"] == "patience")
    assert entry["paper"] == "the package patience"
    assert [(p["name"], p["kind"], p["default"]) for p in entry["parameters"]] == [
        ("limit", "duration", 3600)
    ]


def test_it_runs_and_compares(site: Path) -> None:
    """Its parameters are typed like any other's, and a wrong one is one line."""
    ran = shadowtime(site, "run", str(DILEMMA), "--policy", "patience:limit=30m", "--json")
    assert ran.returncode == 0, ran.stderr
    report = json.loads(ran.stdout)
    assert (report["policy"], report["parameters"]) == ("patience", {"limit": 1800})
    compared = shadowtime(site, "compare", str(DILEMMA), "--policy", "fcfs", "--policy", "patience", "--json")
    assert compared.returncode == 0, compared.stderr
    wrong = shadowtime(site, "run", str(DILEMMA), "--policy", "patience:limit=soon")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert "limit" in wrong.stderr


@pytest.mark.proof
def test_it_explains_itself_in_the_console(site: Path) -> None:
    """Line mode shows the sentence of the policy for a job that waits, and steps back."""
    asked = shadowtime(
        site, "open", str(DILEMMA), "--policy", "patience", "--text", typed="n\n" * 8 + "e\np\nq\n"
    )
    assert asked.returncode == 0, asked.stderr
    assert "in the order of patience" in asked.stdout


@pytest.mark.proof
def test_what_a_broken_package_raises_is_one_line(tmp_path: Path) -> None:
    """One that cannot be imported disturbs nobody else; one that fails in a pass says where."""
    bad = block("toml").replace("patience", "bad").replace("Patience", "Bad")
    site = install(
        tmp_path / "bad", tmp_path / "site", bad_py="import nothing_of_that_name\n", pyproject_toml=bad
    )
    named = shadowtime(site, "run", str(DILEMMA), "--policy", "bad")
    assert (named.returncode, named.stderr.count("\n")) == (2, 1)
    assert "policy bad of bad: ModuleNotFoundError" in named.stderr
    assert shadowtime(site, "run", str(DILEMMA)).returncode == 0
    (site / "bad.py").write_text(
        "class Bad:\n    def schedule(self, machine):\n        machine.start(machine.waiting[0])\n"
    )
    failed = shadowtime(site, "run", str(DILEMMA), "--policy", "bad")
    assert (failed.returncode, failed.stderr.count("\n")) == (2, 1)
    assert re.search(r"policy bad failed at \d+ s: (ValueError|IndexError): .*bad\.py:3", failed.stderr)


HOSTILE = """
import os, sys


class Exits:
    def schedule(self, machine):
        sys.exit(0)


class Closes:
    def schedule(self, machine):
        sys.stdout.close()


class Loops:
    def schedule(self, machine):
        while True:
            try:
                while True:
                    pass
            except Exception:
                pass


class Mute(Exception):
    def __str__(self):
        raise self


class Raises:
    def schedule(self, machine):
        raise Mute


class Escapes:
    def schedule(self, machine):
        raise BaseException("out")


class Promises:
    def schedule(self, machine):
        for job in machine.waiting[:1]:
            if job.size <= machine.free:
                machine.start(job)

    def promise(self, machine, job):
        return Mute()
"""
POINTS = ("exits", "closes", "loops", "raises", "escapes", "promises")


@pytest.mark.proof
def test_a_hostile_package_costs_one_line(tmp_path: Path) -> None:
    """One that exits, closes the output, never returns, or raises what cannot be shown; the code is 2.

    A name that another policy has is refused at the start by its own package, and that policy is as it was.
    """
    head, _, _ = block("toml").replace("patience", "hostile").partition("[project.entry-points")
    lines = [f'{name} = "hostile:{name.capitalize()}"' for name in POINTS]
    lines += ['easy = "hostile:Exits"', 'quits = "quits:Any"']
    points = '[project.entry-points."shadowtime.policies"]\n' + "\n".join(lines) + "\n"
    project = head + points + '\n[tool.setuptools]\npy-modules = ["hostile", "quits"]\n'
    site = install(
        tmp_path / "hostile",
        tmp_path / "site",
        hostile_py=HOSTILE,
        quits_py="raise SystemExit\n",
        pyproject_toml=project,
    )
    plain = shadowtime(tmp_path, "run", str(DILEMMA), "--policy", "easy", "--json")
    ours = shadowtime(site, "run", str(DILEMMA), "--policy", "easy", "--json")
    taken = (
        "policy easy of hostile is not used: shadowtime has a policy of that name; expected another name\n"
    )
    assert (ours.returncode, ours.stdout, ours.stderr) == (0, plain.stdout, taken)
    for name, words in (
        ("exits", "failed at 0 s: it asked the program to exit"),
        ("closes", "failed at 0 s: it closed standard output"),
        ("loops", "failed at 0 s: it has not returned for 1 s"),
        ("raises", "failed at 0 s: Mute: an exception that cannot be shown"),
        ("escapes", "failed at 0 s: BaseException: out"),
        ("quits", "of hostile: it asked the program to exit"),
    ):
        ended = shadowtime(site, "run", str(DILEMMA), "--policy", name)
        found = ended.stderr.replace(taken, "")
        assert (ended.returncode, ended.stdout, found.count("\n")) == (2, "", 1), ended.stderr
        assert found.startswith(f"policy {name} {words}")
    opened = shadowtime(site, "open", str(DILEMMA), "--policy", "promises", "--text", typed="")
    assert opened.returncode in (0, 2) and "Traceback" not in opened.stderr
    listed = shadowtime(site, "policies")
    assert listed.returncode == 0 and taken in listed.stderr and "policy quits of hostile" in listed.stderr
