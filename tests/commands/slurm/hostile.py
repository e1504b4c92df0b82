"""Captured folders that are broken, truncated, huge or hostile: one drawn from a seed each."""

import json
import lzma
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from tests.scenarios.slurm.mutations import PARSERS, places
from tests.scenarios.slurm.support import ASSOCIATIONS, files, write

HUGE = "9" * 4000
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, -(2**63), 10**30, 10**300, 1.5, -0.0, 1e300, float("nan"),
    float("inf"), float("-inf"), "", " ", "\x00", "\ud800", "0", "-1", "NaN", "n[1-4", "n[1-999999999999]",
    "n[1-300000]", "n[4-1]", "[", "]", "n1,n1,n1", "(null)", "UNLIMITED", "batch,batch,batch",
    "no" * 40_000, [],
    {}, [[]], [{}], [None], {"set": True, "infinite": False, "number": 10**18},
    {"set": True, "infinite": True, "number": 0}, {"set": False, "infinite": False, "number": 7},
    {"number": {"number": 1}}, "1-1000000000", "1-5:0", "5-1", "1-4%999999999", "afterok:1(unfulfilled)",
    "gres/gpu:99999999999999", "gpu:a100:4,gpu:a100:4", "ib&&|[", "[a|b|c|d]", "RUNNING",
    ["RUNNING", "COMPLETING"], "v0.0.999", "data_parser/v0.0.45",
)  # fmt: skip
SETTINGS = (
    "bf_window=99999999999", "bf_window=-1", "bf_resolution=0", "bf_resolution=1", "bf_resolution=999999999",
    "bf_max_job_test=0", "bf_max_job_test=999999999", "bf_window_linear=1", "bf_max_job_array_resv=999999999",
    "bf_node_space_size=2", "bf_interval=0", "bf_interval=999999999", "bf_licenses", "bf_busy_nodes", "bf_=",
    "default_queue_depth=0", "bf_max_time=x", "sched_interval=1", "=,=,=", "bf_window=1,bf_window=2",
)  # fmt: skip
ODD_WORDS = (
    "", "x", "-1", HUGE, "n[1-999999]", "2026-13-45T99:99:99", "99999-00:00:00", "=", "node=9" * 9,
)  # fmt: skip
Mutation = Callable[[Path, Random], None]


def some_file(folder: Path, random: Random) -> Path:
    """One of the files of a folder."""
    return random.choice(sorted(path for path in folder.iterdir() if path.is_file()))


def truncated(folder: Path, random: Random) -> None:
    """A file ends anywhere."""
    path = some_file(folder, random)
    data = path.read_bytes()
    path.write_bytes(data[: random.randrange(len(data) + 1)])


def struck(folder: Path, random: Random) -> None:
    """Some bytes are others, or more, or gone."""
    path = some_file(folder, random)
    data = bytearray(path.read_bytes())
    for _ in range(random.choice([1, 1, 3, 40])):
        place = random.randrange(len(data) + 1)
        how = random.randrange(3)
        if how == 0:
            data[place:place] = random.randbytes(random.choice([1, 2, 9]))
        elif how == 1:
            data[place : place + 1] = random.randbytes(1)
        else:
            del data[place : place + random.choice([1, 5, 50])]
    path.write_bytes(data)


def swapped(folder: Path, random: Random) -> None:
    """Values of a JSON file are others: types, sizes, signs, NaN, lists of nodes that are none."""
    found = [path for path in sorted(folder.glob("*.json")) if path.stat().st_size]
    if not found:
        struck(folder, random)
        return
    path = random.choice(found)
    value = json.loads(path.read_text())
    for _ in range(random.choice([1, 1, 1, 2, 6])):
        at = random.choice([at for at in places(value) if at] or [()])
        if not at:
            break
        inside = value
        for step in at[:-1]:
            inside = inside[step]
        odd = random.choice(ODD)
        if random.random() < 0.12:
            del inside[at[-1]]
        else:
            inside[at[-1]] = json.loads(json.dumps(odd))
    path.write_text(json.dumps(value))


def huge_number(folder: Path, random: Random) -> None:
    """A number of four thousand digits, or a fraction with a huge exponent."""
    path = random.choice(sorted(folder.glob("*.json")))
    text = path.read_text()
    digits = [place for place, letter in enumerate(text) if letter.isdigit()]
    place = random.choice(digits)
    path.write_text(
        text[:place] + random.choice([HUGE, "1e999999", "-" + HUGE, "0x10", "1_000"]) + text[place + 1 :]
    )


def nested(folder: Path, random: Random) -> None:
    """Brackets in brackets, a hundred thousand deep."""
    path = random.choice(sorted(folder.glob("*.json")))
    deep = random.choice(["[", '{"jobs":', '{"a":[']) * 100_000
    text = path.read_text()
    place = random.choice([0, text.find(":") + 1])
    path.write_text(text[:place] + deep + text[place:])


def repeated(folder: Path, random: Random) -> None:
    """A key, a record or a whole list is there twice."""
    path = random.choice(sorted(folder.glob("*.json")))
    value = json.loads(path.read_text())
    lists = [it for it in value.values() if isinstance(it, list) and it]
    if lists and random.random() < 0.6:
        chosen = random.choice(lists)
        chosen.append(random.choice(chosen))
        path.write_text(json.dumps(value))
        return
    key = random.choice(sorted(value))
    text = json.dumps(value)
    path.write_text(text[:-1] + f', "{key}": {json.dumps(json.loads(json.dumps(random.choice(ODD))))}}}')


def encoded(folder: Path, random: Random) -> None:
    """Another encoding."""
    path = some_file(folder, random)
    text = path.read_text()
    path.write_bytes(
        text.replace("n1", "nü").encode(random.choice(["utf-16", "utf-32", "latin-1", "utf-8-sig"]))
    )


def packed(folder: Path, random: Random) -> None:
    """An archive: whole, cut off, or of other bytes."""
    path = some_file(folder, random)
    data = lzma.compress(path.read_bytes(), preset=0)
    how = random.randrange(4)
    if how == 1:
        data = data[: random.randrange(len(data))]
    elif how == 2:
        data = random.randbytes(200)
    elif how == 3:
        place = random.randrange(len(data))
        data = data[:place] + random.randbytes(1) + data[place + 1 :]
    path.with_name(path.name + ".xz").write_bytes(data)
    path.unlink()


def bomb(folder: Path, random: Random) -> None:
    """An archive of a few kilobytes that unpacks to sixteen mebibytes, or that asks for 1.5 GiB to unpack."""
    path = some_file(folder, random)
    data = large(16) if random.random() < 0.5 else _asks_for_much()
    path.with_name(path.name + ".xz").write_bytes(data)
    path.unlink()


def large(mebibytes: int) -> bytes:
    """An archive of so many mebibytes of nothing."""
    return lzma.compress(b" " * (1 << 20), preset=0) * mebibytes


def _asks_for_much() -> bytes:
    """The head of an archive with a dictionary of 1.5 GiB, without making one."""
    data = bytearray(lzma.compress(b"{}", preset=0))
    # The size of the dictionary is one byte of the block's head, whose sum follows.
    place = data.index(b"\x21\x01") + 2
    data[place] = 38
    begin, size = 12, (data[12] + 1) * 4
    data[begin + size - 4 : begin + size] = zlib.crc32(bytes(data[begin : begin + size - 4])).to_bytes(
        4, "little"
    )
    return bytes(data)


def missing(folder: Path, random: Random) -> None:
    """Files are gone, or empty."""
    for _ in range(random.choice([1, 1, 2])):
        path = some_file(folder, random)
        if random.random() < 0.6:
            path.unlink()
        else:
            path.write_bytes(random.choice([b"", b" \n", b"\x00", b"\xef\xbb\xbf"]))


def linked(folder: Path, random: Random) -> None:
    """A link in place of a file: to nowhere, to itself, to a device, to a pipe, to another file."""
    path = some_file(folder, random)
    other = some_file(folder, random)
    path.unlink()
    kind = random.randrange(6)
    if kind == 0:
        os.mkfifo(path)
    else:
        target = ["", "nowhere", path.name, "/dev/zero", "/dev/full", other.name][kind]
        path.symlink_to(target)


def foldered(folder: Path, random: Random) -> None:
    """A folder in place of a file."""
    path = some_file(folder, random)
    path.unlink()
    path.mkdir()


def garbled(folder: Path, random: Random) -> None:
    """A configuration with odd settings, or of noise."""
    path = folder / "config.txt"
    text, kind = path.read_text(), random.randrange(4)
    if kind == 0:
        path.write_bytes(random.randbytes(2000))
        return
    if kind == 1:
        lines = text.splitlines()
        random.shuffle(lines)
        text = "\n".join(line.replace("=", random.choice(["", "==", " ", "=\x00"])) for line in lines)
    elif kind == 2:
        text = text.replace("bf_interval=5", ",".join(random.sample(SETTINGS, 3)))
    else:
        lines = text.splitlines()
        place = random.randrange(1, len(lines))
        name = lines[place].partition("=")[0]
        lines[place] = (
            f"{name}= {random.choice(['', '-1', HUGE, 'x' * 100000, '(null)', 'UNLIMITED', '1 sec x'])}"
        )
        text = "\n".join(lines)
    path.write_text(text)


def lined(folder: Path, random: Random) -> None:
    """The lines of 22.05, or those of the limits, are odd."""
    found = [path for path in sorted(folder.glob("*.txt")) if path.name != "config.txt"]
    if not found:
        garbled(folder, random)
        return
    path = random.choice(found)
    words = path.read_text().split(" ")
    for _ in range(random.choice([1, 2, 5])):
        place = random.randrange(len(words))
        name = words[place].partition("=")[0]
        odd = random.choice(ODD_WORDS)
        words[place] = f"{name}={odd}"
    path.write_text(" ".join(words))


MUTATIONS: tuple[Mutation, ...] = (
    truncated, struck, swapped, swapped, swapped, huge_number, nested, repeated, encoded, packed, bomb,
    missing, linked, foldered, garbled, garbled, lined,
)  # fmt: skip


def hostile(folder: Path, seed: int) -> str:
    """Write a broken folder, and return what was done to it."""
    random = Random(seed)
    parser = PARSERS[seed % len(PARSERS)]
    contents = files(parser)
    if random.random() < 0.3:
        contents["assoc_mgr.txt"] = ASSOCIATIONS
    if random.random() < 0.3:
        jobs = contents["squeue.json"]["jobs"]
        jobs[1] |= {"array_job_id": 2, "array_task_string": "1-9", "array_max_tasks": 2, "job_id": 2}
    write(folder, contents)
    mutation = MUTATIONS[seed // len(PARSERS) % len(MUTATIONS)]
    mutation(folder, random)
    return f"seed {seed}, {parser}: {mutation.__name__}"
