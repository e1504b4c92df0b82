"""Signals while a policy in Python works: the exit codes of every command, and no refusal for a stop."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import sleep

import pytest

from tests.amount import every
from tests.commands.plugins.packages import DILEMMA, installed, started

PATIENCE = 0.5
"""Seconds that a call may compute in these tests, and more than `Computes` does."""
POLICIES = '''
import sys, time


class _Starts:
    def schedule(self, machine):
        self.work()
        for job in machine.waiting:
            if job.size <= machine.free:
                machine.start(job)

    def work(self):
        """Compute for a tenth of a second, whatever else the machine does."""
        print("in", flush=True)
        until = time.thread_time() + 0.1
        while time.thread_time() < until:
            pass


def wait():
    print("in", flush=True)
    time.sleep(10_000)


class Computes(_Starts):
    pass


class Sleeps(_Starts):
    def work(self):
        wait()


class Swallows(_Starts):
    def work(self):
        try:
            wait()
        except BaseException:
            pass


class Turns(_Starts):
    def work(self):
        try:
            wait()
        except BaseException:
            raise ValueError("mine")


class Insists(_Starts):
    def work(self):
        while True:
            try:
                wait()
            except BaseException:
                pass


class Deletes(_Starts):
    def __del__(self):
        wait()

    def work(self):
        Deletes()


class Explains(_Starts):
    def work(self):
        pass

    def explain(self, machine, job):
        wait()
'''
LATE = """
import time
print("in", flush=True)
time.sleep(10_000)


class Late:
    pass
"""
SIGNALS = {signal.SIGTERM: 143, signal.SIGINT: 130}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the policies of this page."""
    return installed(tmp_path_factory.mktemp("site"), "signalled", POLICIES)


@pytest.fixture(scope="module")
def busy() -> Iterator[None]:
    """A machine with more to do than it has processors."""
    program = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(10_000))"
    others = [subprocess.Popen([sys.executable, "-c", program]) for _ in range(2 * (os.cpu_count() or 1) + 1)]
    yield
    for other in others:
        other.kill()
        other.wait()


def begun(running: "subprocess.Popen[str]") -> None:
    """Wait until the policy is at work."""
    assert running.stderr is not None and running.stderr.readline() == "in\n"


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize(
    "policy",
    [
        "swallows",
        *(
            pytest.param(name, marks=pytest.mark.proof)
            for name in ("computes", "sleeps", "turns", "insists", "deletes")
        ),
    ],
)
def test_a_signal_is_no_fault_of_the_policy(site: Path, policy: str, number: signal.Signals) -> None:
    """Whatever the policy makes of what the signal raises."""
    with started(site, "run", DILEMMA, "--policy", policy, "--json", patience=60) as running:
        begun(running)
        running.send_signal(number)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (SIGNALS[number], ""), err
    assert "policy" not in err and "Traceback" not in err


@pytest.mark.parametrize("number", every(2, SIGNALS))
def test_a_signal_while_a_policy_explains(site: Path, number: signal.Signals) -> None:
    """In the story of the console without a screen."""
    with started(site, "open", DILEMMA, "--policy", "explains", "--text", patience=60) as running:
        begun(running)
        running.send_signal(number)
        _, err = running.communicate(timeout=60)
    assert running.returncode == SIGNALS[number], err
    assert "policy" not in err


@pytest.mark.parametrize("number", every(2, SIGNALS))
def test_a_signal_while_a_package_is_imported(tmp_path: Path, number: signal.Signals) -> None:
    """Which is at the beginning of a command that knows policies."""
    with started(installed(tmp_path, "late", LATE), "run", DILEMMA, patience=60) as running:
        begun(running)
        running.send_signal(number)
        out, _ = running.communicate(timeout=60)
    assert (running.returncode, out) == (SIGNALS[number], "")


def test_a_stop_is_no_time_of_the_policy(site: Path) -> None:
    """A stop of several times the patience."""
    with started(site, "run", DILEMMA, "--policy", "computes", patience=PATIENCE) as running:
        begun(running)
        running.send_signal(signal.SIGSTOP)
        sleep(3 * PATIENCE)
        running.send_signal(signal.SIGCONT)
        _, err = running.communicate(timeout=60)
    assert running.returncode == 0, err


@pytest.mark.proof
@pytest.mark.parametrize("seed", range(int(os.environ.get("SHADOWTIME_SIGNALS", "24"))))
def test_signals_at_any_moment_on_a_busy_machine(site: Path, busy: None, seed: int) -> None:
    """Stops and, every other time, the end: the exit code is that of the contract."""
    random = Random(seed)
    ends = seed % 2 == 0
    with started(site, "run", DILEMMA, "--policy", "computes", "--json", patience=PATIENCE) as running:
        if seed % 4 < 3:
            begun(running)
        for _ in range(random.randrange(1, 3)):
            sleep(random.random() / 2)
            running.send_signal(signal.SIGSTOP)
            sleep(random.random() * 2 * PATIENCE)
            running.send_signal(signal.SIGCONT)
        sleep(random.random() / 2)
        if ends:
            running.send_signal(signal.SIGTERM)
        out, err = running.communicate(timeout=120)
    # Before Python reads signals, one ends the process as it ends any other; the run may have been over.
    expected = {0, 143, -signal.SIGTERM} if ends else {0}
    assert running.returncode in expected, err
    assert bool(out) == (running.returncode == 0)
    assert "policy" not in err and "Traceback" not in err
