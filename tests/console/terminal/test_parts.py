"""What stands between the terminal and the console: the decoder, the parser, the report of a crash."""

import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from random import Random

import pytest
from textual.events import AppBlur, Key

from shadowtime.console import app
from shadowtime.console.app import Shadowtime, open_console
from shadowtime.console.screens.console.screen import ConsoleScreen
from shadowtime.console.session import open_session
from shadowtime.console.session.permissions import Permissions
from shadowtime.console.terminal.crash import write_report
from shadowtime.console.terminal.driver import Decoder, Parser
from tests.amount import every
from tests.commandline import ROOT
from tests.console.operator import Operator, case, operate


def test_the_decoder_leaves_out_what_is_no_text() -> None:
    """A letter in two pieces arrives; half a letter and a stray byte do not."""
    decoder = Decoder("utf-8")
    assert decoder.decode(b"a\xff\xc3") + decoder.decode(b"\xa9b\xe2") + decoder.decode(b"c") == "aéb" + "c"


@pytest.mark.parametrize("seed", every(5, range(5)))
def test_no_bytes_end_the_parser(seed: int) -> None:
    """Whatever a terminal sends: bytes by chance, and escape sequences with numbers by chance."""
    random = Random(seed)
    parser, decoder = Parser(), Decoder("utf-8")
    for _ in range(2000):
        numbers = ";".join(
            str(random.choice((0, 1, 48, 55296, 2**40, random.randrange(300)))) for _ in range(4)
        )
        ending = random.choice("umMtRHyc~")
        sequence = f"\x1b[{random.choice(('', '<', '?', '48;'))}{numbers}{ending}".encode()
        for data in (sequence, random.randbytes(random.randrange(1, 40))):
            for token in parser.feed(decoder.decode(data) or "x"):
                if isinstance(token, Key) and token.character:
                    token.character.encode()


@pytest.mark.proof
def test_an_error_of_our_own_is_one_line_that_names_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The file has the traceback, the versions, the last keys, the scenario and the event."""

    async def story(operator: Operator) -> None:
        await operator.press("n", "n")
        await operator.press("colon")
        await operator.type("why 1")
        operator.app._handle_exception(KeyError("what is missing"))

    reports: list[str] = []

    def run(self: Shadowtime, mouse: bool) -> None:
        self._return_code, self.crash = 1, reports[0]

    with pytest.raises(KeyError):
        operate_and_note(story, reports)
    for part in (
        "KeyError",
        "textual: ",
        "python: ",
        "dilemma.toml",
        "event: 2",
        "\nn\nn\n",
        "command: why 1",
    ):
        assert part in reports[0], reports[0]
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(Shadowtime, "run", run)
    assert open_console(case()) == app.INTERNAL_ERROR
    (line,) = capsys.readouterr().err.splitlines()
    (file,) = (tmp_path / "shadowtime").iterdir()
    assert line.startswith("internal error: KeyError: 'what is missing'") and str(file) in line
    assert file.read_text(encoding="utf-8") == reports[0]
    file.unlink()
    assert open_console(case(), permissions=Permissions(no_files=True)) == app.INTERNAL_ERROR
    first, *lines = capsys.readouterr().err.splitlines()
    assert first == "internal error: KeyError: 'what is missing'; the report follows"
    assert len(lines) == len(reports[0].splitlines()) and not list((tmp_path / "shadowtime").iterdir())


def test_a_report_is_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in the folder of temporary files, where everybody can place a link; the text may be no text."""
    (tmp_path / "file").write_text("")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    for data, folder in (("data", tmp_path / "data" / "shadowtime"), ("file", tmp_path / "temporary")):
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / data))
        names = {write_report("a\udcff\n") for _ in range(2)}
        assert names == set(folder.iterdir()) and len(names) == 2
        for path in names:
            assert path is not None and path.stat().st_mode & 0o777 == 0o600
            assert path.read_text() == "a\\udcff\n"


def operate_and_note(story: "object", reports: list[str]) -> None:
    """Operate, and note the report of the crash."""

    async def noted(operator: Operator) -> None:
        await story(operator)  # type: ignore[operator]
        reports.append(operator.app.crash)

    operate(noted)


@pytest.mark.proof
def test_the_palette_opens_once_whatever_the_size() -> None:
    """Again after the terminal was too small for it."""

    async def story(operator: Operator) -> None:
        await operator.press("ctrl+p")
        await operator.resize(40, 10)
        await operator.press("ctrl+p")
        assert "too small" in operator.text
        await operator.resize(120, 36)
        await operator.press("escape")
        assert isinstance(operator.app.screen, ConsoleScreen)

    operate(story)


@pytest.mark.proof
@pytest.mark.parametrize("after", [0.06, 0.12, 0.2, 0.35])
def test_an_interrupt_in_the_first_instants_leaves_no_traceback(after: float) -> None:
    """The exit code is 130, from the first line of ours on; before that the traceback is Python's own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "shadowtime", "run", "scenarios/fj97/t3d-day.toml"],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    _, complaints = process.communicate(timeout=60)
    # Before Python reads signals, and after all is done, the process ends as any other does.
    assert process.returncode in (130, -signal.SIGINT, 0, 1)
    assert "console" not in complaints


@pytest.mark.parametrize(
    "then", ["time.sleep(60)", "threading.Thread(target=time.sleep, args=(60,)).start()"]
)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_process_that_hangs_after_a_signal_ends_all_the_same(when: str, then: str) -> None:
    """The console has ended, and what follows waits: the exit code is that of the signal."""
    script = f"""
import os, signal, threading, time
from shadowtime.console.terminal import signals
signals.GRACE = 0.2
waiting = signals.Signals(lambda: None)
waiting.begin()
kill = lambda: os.kill(os.getpid(), signal.SIGTERM)
if "{when}" == "before":
    kill()
else:
    usual = signal.signal
    signal.signal = lambda *given: (kill(), usual(*given))
waiting.end()
assert waiting.code == 143
{then}
"""
    run = partial(subprocess.run, cwd=ROOT, capture_output=True, text=True, timeout=40, check=False)
    ended = run([sys.executable, "-c", script])
    assert ended.returncode == 143 and "Traceback" not in ended.stderr


@pytest.mark.proof
def test_ctrl_q_asks_as_q_does() -> None:
    async def story(operator: Operator) -> None:
        operator.console.steering.do("policy fcfs")
        await operator.press("ctrl+q")
        assert "UNSAVED ACTIONS" in operator.text
        await operator.press("n")
        assert operator.app.is_running and isinstance(operator.app.screen, ConsoleScreen)

    operate(story)


def pressed(key: str) -> Key:
    """A key as a terminal gives it."""
    name = {":": "colon", "/": "slash", "#": "number_sign", " ": "space"}.get(key, key)
    return Key(name, key if len(key) == 1 else None)


@pytest.mark.proof
def test_keys_in_one_burst_arrive_in_their_order() -> None:
    """Among them some that open a line, a page and a question."""

    async def story(operator: Operator) -> None:
        burst = (*":goto #6", "enter", *":hold 2", "enter", "question_mark", "escape", *"/ada", "enter")
        for key in burst:
            operator.app.post_message(pressed(key))
        await operator.until(lambda: operator.app.typed_ahead.idle and operator.console.desk.filter == "ada")
        assert operator.console.snapshot.number == 7
        assert [action.do for action in operator.console.session.journal] == ["hold"]

    operate(story)


@pytest.mark.proof
@pytest.mark.parametrize("blurred_after", [0, 1, 4])
def test_keys_in_one_burst_arrive_in_their_order_at_a_page_without_focus(blurred_after: int) -> None:
    """A browser takes the focus from its page before the keys or between them; each key gives it back."""
    burst = (*":goto #6", "enter")

    async def story(operator: Operator) -> None:
        for number, key in enumerate(burst):
            if number == blurred_after:
                operator.app.post_message(AppBlur())
            operator.app.post_message(pressed(key))
        await operator.until(lambda: operator.console.snapshot.number == 6)

    operate(story, size=(80, 24))


def test_the_session_of_the_tests_is_kept_nowhere_else() -> None:
    assert not open_session(case()).operator.unsaved
