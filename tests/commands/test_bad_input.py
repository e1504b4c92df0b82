"""Bad input, end to end: one clear line a fault on stderr, nothing on stdout, exit code 2."""

import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commandline import Shadowtime

HEADER = "; MaxProcs: 4\n"
ROW = "1 0 0 10 2 -1 -1 2 10 -1 1 1 1 1 1 1 -1 -1\n"
HEAD = 'title = "t"\n[machine]\nnodes = 4\n'
EASY = HEAD + '[policy]\nname = "easy"\n'
JOB = "[[job]]\nid = 1\nsize = 1\nsubmit = 0\nruntime = 10\n"
NOISE = bytes(range(256)) * 8


def packed(text: str, pack: Callable[[bytes], bytes]) -> bytes:
    """Return a text packed, with the end cut off."""
    whole = pack(text.encode())
    return whole[: len(whole) * 2 // 3]


# Name of a file, what is in it, and words of the line that answers it (after the name of the file).
FILES: dict[str, tuple[bytes | str, str]] = {
    "empty.toml": ("", "is empty"),
    "empty.swf": ("", "is empty"),
    "binary.toml": (NOISE, "is a binary file"),
    "binary.swf": (NOISE, "is a binary file"),
    "cut.swf.gz": (packed(HEADER + ROW * 9, gzip.compress), "is not a whole gzip archive"),
    "cut.swf.xz": (packed(HEADER + ROW * 9, lzma.compress), "is not a whole xz archive"),
    "few.swf": (HEADER + "1 0 0 10 2\n", ":2:11: the row has 5 fields; expected 18"),
    "many.swf": (HEADER + ROW.strip() + " 7\n", "the row has 19 fields; expected 18"),
    "letters.swf": (HEADER + ROW.replace("10", "ten", 1), ":2:7: run time is ten; expected a number"),
    "nan.swf": (HEADER + ROW.replace("10", "nan", 1), "run time is nan"),
    "huge.swf": (HEADER + ROW.replace("10", "1e400", 1), "run time is 1e400"),
    "negative.swf": (HEADER + ROW.replace("1 0", "1 -5", 1), "submit time is -5; expected 0 or more"),
    "late.swf": (HEADER + ROW.replace("1 0", f"1 {2**63}", 1), f"submit time is {2**63}"),
    "twice.swf": (HEADER + ROW + ROW, ":3:1: job 1 is on line 2 already"),
    "no-jobs.swf": (HEADER, "no rows"),
    "no-job-left.swf": (HEADER + ROW.replace("10", "0", 1), "no job is left"),
    "no-machine.swf": (ROW, "expected one of them, or --nodes"),
    "large.toml": (EASY + JOB.replace("size = 1", "size = 9"), ":8:8: size is 9; the machine has 4 nodes"),
    "no-jobs.toml": (EASY, "the file has no jobs"),
    "policy.toml": (HEAD + '[policy]\nname = "nope"\n' + JOB, 'name is "nope"; expected fcfs, easy'),
    "parameter.toml": (EASY + "speed = 3\n" + JOB, ":6:1: unknown parameter speed"),
    "choice.toml": (EASY + 'scan = "up"\n' + JOB, ':6:8: scan is "up"; expected arrival'),
    "type.toml": (EASY + JOB.replace("size = 1", 'size = "1"'), 'size is "1"; expected a whole number'),
    "syntax.toml": ('title = "t"\n[machine\nnodes = 4\n', ":2:9: not TOML"),
    "nan.toml": (EASY + JOB.replace("10", "nan"), "runtime is nan; expected a duration"),
    "huge.toml": (EASY + JOB.replace("10", "1e400"), "expected a duration"),
    "late.toml": (EASY + JOB.replace("submit = 0", f"submit = {2**63}"), f"submit is {2**63}"),
    "negative.toml": (EASY + JOB.replace("submit = 0", "submit = -1"), "submit is -1; expected 0"),
    "twice.toml": (EASY + JOB + JOB, "id is 1; the job on line 7 has it already"),
    "key.toml": (EASY + JOB + "sise = 1\n", ":11:1: unknown key sise; did you mean size?"),
    "gone.toml": (EASY + '[workload]\nlog = "gone.swf"\n', "the log gone.swf was not found"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_bad_file_is_answered_by_one_line(name: str, tmp_path: Path, shadowtime: Shadowtime) -> None:
    """One fault, one line: the file first, then what is wrong and what was expected."""
    content, words = FILES[name]
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    ended = shadowtime("run", path)
    assert ended.code == 2
    assert ended.out == ""
    assert len(ended.complaints) == 1
    assert ended.err.startswith(str(path))
    assert words in ended.err


@pytest.mark.parametrize("arguments", [["run"], ["open", "--text"], ["compare"], ["check"]])
@pytest.mark.parametrize("name", ["missing.toml", "missing.swf", "."])
def test_no_file_there(name: str, arguments: list[str], tmp_path: Path, shadowtime: Shadowtime) -> None:
    """A file that does not exist, and a folder, are bad input for every command that takes a FILE."""
    ended = shadowtime(*arguments, tmp_path / name)
    assert (ended.code, ended.out, len(ended.complaints)) == (2, "", 1)
    assert ("is a folder" if name == "." else "no such file") in ended.err


def test_every_fault_of_a_file_is_reported(tmp_path: Path, shadowtime: Shadowtime) -> None:
    """Several faults are all reported, one line each, in the order of the file."""
    path = tmp_path / "many.toml"
    bad_job = "[[job]]\nid = 1\nsize = 9\nsubmit = -3\nruntime = 0.5\ncolour = 7\n"
    path.write_text(HEAD + '[policy]\nname = "nope"\n' + bad_job)
    ended = shadowtime("run", path)
    places = [line.removeprefix(f"{path}:").split(":")[0] for line in ended.complaints]
    assert ended.code == 2
    assert places == ["5", "8", "9", "10", "11"]


def test_a_missing_log_is_reported_with_its_source(tmp_path: Path, shadowtime: Shadowtime) -> None:
    """The line says where the log was looked for, where logs come from, and how to name another folder."""
    path = tmp_path / "gone.toml"
    path.write_text(EASY + '[workload]\nlog = "gone.swf"\n')
    ended = shadowtime("open", path, "--text", "--traces", tmp_path / "logs")
    assert ended.code == 2
    for words in (str(tmp_path / "logs"), "Parallel Workloads Archive", "--traces", "SHADOWTIME_TRACES"):
        assert words in ended.err


def test_a_log_is_found_in_the_folder_of_logs(tmp_path: Path, shadowtime: Shadowtime) -> None:
    """By its plain name, packed; a name that no folder has is refused."""
    packed = tmp_path / "mine.swf.gz"
    with gzip.open(packed, "wt") as stream:
        stream.write("; MaxNodes: 4\n1 0 -1 10 1 -1 -1 1 20 -1 1 1 -1 -1 -1 -1 -1 -1\n")
    named = shadowtime("run", "mine.swf", "--traces", tmp_path, "--json")
    assert (named.code, named.out) == (0, shadowtime("run", packed, "--json").out)
    assert "no such file" in shadowtime("run", "other.swf", "--traces", tmp_path).err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--policy", "nope"], "there is no policy 'nope'; expected one of fcfs, easy"),
        (["--set", "speed=3"], "speed"),
        (["--set", "scan"], "expected key=value"),
        (["--set", "scan=up"], "scan"),
        (["--set", "scan=3"], "scan"),
        (["--variant", "gnag"], "there is no variant 'gnag'"),
        (["--variant", "easy", "--policy", "easy"], "cannot both be named"),
        (["--nodes", "0"], "expected"),
        (["--nodes", "-4"], "expected"),
        (["--nodes", "64"], "size is 128; the machine has 64 nodes"),
        (["--nodes", "many"], "'many' is not a valid integer"),
        (["--until", "soon"], "--until"),
    ],
)
def test_a_bad_option_is_answered_by_one_line(
    arguments: list[str], words: str, story: Callable[[str], Path], shadowtime: Shadowtime
) -> None:
    """What an option says is checked like what a file says."""
    ended = shadowtime("run", story("fj97/dilemma.toml"), *arguments)
    assert (ended.code, ended.out, len(ended.complaints)) == (2, "", 1)
    assert words in ended.err


def test_a_strange_name_cannot_make_two_lines(tmp_path: Path, shadowtime: Shadowtime) -> None:
    """A file may have a line end or an escape in its name; the terminal sees neither."""
    ended = shadowtime("run", tmp_path / "two\nlines\x1b[31m.toml")
    assert (ended.code, len(ended.complaints)) == (2, 1)
    assert "\x1b" not in ended.err
