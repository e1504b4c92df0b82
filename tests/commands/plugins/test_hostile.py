"""Policies of other packages that are made in unexpected ways, print, and leave threads behind."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.amount import every
from tests.commandline import ROOT
from tests.commands.plugins.packages import DILEMMA, installed, policies_of, run_under, started

STARTS = """
import atexit, logging, os, subprocess, sys, threading, time, warnings


class _Plain:
    def schedule(self, machine):
        for job in machine.waiting:
            if job.size > machine.free:
                break
            machine.start(job)
"""
ODD = """
class ReadOnly(_Plain):
    @property
    def memory(self):
        return 3


class Lacking(_Plain):
    @property
    def memory(self):
        return self.nothing


class Raising(_Plain):
    @property
    def memory(self):
        raise OSError("no")


class Unsettled(_Plain):
    memory = property(lambda self: [1], lambda self, value: 1 / 0)


class Uneven(_Plain):
    memory = {1: 2}


class Explaining(_Plain):
    @property
    def explain(self):
        raise OSError("no")


class Numbered(_Plain):
    explain = 3


class Slotted:
    __slots__ = ("other",)
    memory = 5
    schedule = _Plain.schedule


class Lookup:
    schedule = _Plain.schedule

    def __getattr__(self, name):
        raise OSError(name)


class Papered(_Plain):
    paper = 3


class Noted(_Plain):
    notes = "a text"


class Counted(_Plain):
    notes = (1, 2)


class Unmade(_Plain):
    def __new__(cls):
        return None


class _Kind(type):
    def __call__(cls, *given):
        raise SystemExit(0)

    schedule = 3


class Metal(_Plain, metaclass=_Kind):
    pass


class _Masked(type):
    @property
    def paper(cls):
        raise KeyboardInterrupt


class Masking(_Plain, metaclass=_Masked):
    pass


class Interrupting(_Plain):
    def schedule(self, machine):
        raise KeyboardInterrupt


class _Fault(Exception):
    @property
    def __class__(self):
        raise RuntimeError

    def __getattribute__(self, name):
        raise RuntimeError(name)


class Faulty(_Plain):
    def schedule(self, machine):
        raise _Fault


class Pickled(_Plain):
    def schedule(self, machine):
        type(machine.plan())().free_at(0)


class Forged(_Plain):
    def schedule(self, machine):
        type(machine).__new__(type(machine)).waiting


class Jobless(_Plain):
    def schedule(self, machine):
        machine.start(type(machine.waiting[0])())


class Closing(_Plain):
    def schedule(self, machine):
        os.close(1)


class Silencing(_Plain):
    def schedule(self, machine):
        os.close(2)
        raise ValueError("unheard")
"""
FAILS = policies_of(ODD)
ASKED = ("explaining", "numbered")
"""Those that fail only if somebody asks why a job waits."""

LOUD = '''
class Quiet(_Plain):
    pass


class Loud(_Plain):
    def __init__(self):
        print("made")

    def schedule(self, machine):
        print("printed\\x1b[2J")
        sys.__stdout__.write("kept\\n")
        os.write(1, b"raw\\n")
        subprocess.run(["echo", "child"])
        warnings.warn("warned")
        logging.warning("logged")
        sys.stdout = open(os.devnull, "w")
        super().schedule(machine)


class Threads(_Plain):
    def schedule(self, machine):
        threading.Thread(target=lambda: 1 / 0).start()
        threading.Thread(target=lambda: time.sleep(10_000)).start()
        threading.Thread(target=self.talk, daemon=True).start()
        super().schedule(machine)

    def talk(self):
        while True:
            print("talk")

    def __del__(self):
        raise ValueError("deleted")


class Leaving(_Plain):
    def __init__(self):
        atexit.register(os._exit, 99)


class Keeps(_Plain):
    """Looks at a machine after the pass, and from another thread."""
    seen = []

    def schedule(self, machine):
        for other in self.seen:
            self.refused(lambda: other.waiting)
            self.refused(lambda: other.wake(10**9))
        self.seen.append(machine)
        beside = threading.Thread(target=lambda: self.refused(lambda: machine.running))
        beside.start()
        beside.join()
        super().schedule(machine)

    def refused(self, look):
        try:
            look()
        except ValueError:
            return
        os._exit(98)
'''


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the packages of this page."""
    folder = tmp_path_factory.mktemp("site")
    return installed(installed(folder, "odd", STARTS + ODD), "loud", STARTS + LOUD)


@pytest.mark.parametrize("name", every(9, [name for name in FAILS if name not in ASKED]))
def test_what_a_policy_defines_in_an_unexpected_way_is_one_line(site: Path, name: str) -> None:
    """And nothing else; the code is 2."""
    ended = run_under(site, name)
    assert (ended.returncode, ended.stdout) == (2, ""), ended.stderr
    assert ended.stderr.count("\n") == 1 and f"policy {name} " in ended.stderr


@pytest.mark.parametrize("name", every(2, ASKED))
def test_what_a_policy_cannot_be_asked_is_one_line_of_the_story(site: Path, name: str) -> None:
    """The story goes on."""
    with started(site, "open", DILEMMA, "--policy", name, "--text") as running:
        out, err = running.communicate(timeout=120)
    assert (running.returncode, err) == (0, "")
    assert f"policy {name} failed to explain" in out


def test_what_a_policy_prints_goes_to_standard_error(site: Path) -> None:
    """From Python, past it, and from a child; no control character reaches the terminal."""
    quiet = run_under(site, "quiet", "--json")
    loud = run_under(site, "loud", "--json")
    assert (quiet.returncode, loud.returncode) == (0, 0), loud.stderr
    assert {**json.loads(loud.stdout), "policy": ""} == {**json.loads(quiet.stdout), "policy": ""}
    for word in ("made", "printed", "kept", "raw", "child", "warned", "logged"):
        assert word in loud.stderr
    assert "\x1b" not in loud.stderr and "Traceback" not in loud.stderr


AFTER = """
import sys, threading
from shadowtime.console.main import run

assert run(["run", *sys.argv[1:], "--policy", "quiet"]) == 0
late = threading.Thread(target=print, args=("late",))
late.start()
late.join()
print("ours")
"""


def test_what_a_thread_prints_after_the_run_stays_apart(tmp_path: Path) -> None:
    """Until the process ends."""
    site = installed(tmp_path, "loud", STARTS + LOUD)
    ended = subprocess.run(
        [sys.executable, "-c", AFTER, DILEMMA],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (ended.returncode, ended.stderr) == (0, "late\n")
    assert ended.stdout.endswith("\nours\n") and "late" not in ended.stdout


@pytest.mark.parametrize("name", ["threads", "leaving", "keeps"])
def test_what_outlives_the_run_holds_nothing_up(site: Path, name: str) -> None:
    """A thread goes on for ever, one fails, and what is to be done at the end of Python is not."""
    ended = run_under(site, name, "--json")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["policy"] == name
    assert "Traceback" not in ended.stderr
    assert name != "threads" or "ZeroDivisionError" in ended.stderr
