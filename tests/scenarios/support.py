"""What the tests of the readers share: a small table of policies, and files made on the spot."""

from pathlib import Path

import attrs
import pytest

from shadowtime.scenarios import Scenario, ScenarioError, read_scenario


@attrs.frozen
class Parameter:
    name: str
    kind: str
    default: object = None
    choices: tuple[str, ...] | None = None

    def takes(self, value: object) -> bool:
        """As the table of policies answers."""
        return not self.choices or self.kind == "classes" or value in self.choices


@attrs.frozen
class Policy:
    parameters: tuple[Parameter, ...] = ()


POLICIES = {
    "fcfs": Policy(),
    "easy": Policy((Parameter("scan", "choice", "arrival", ("arrival", "shortest", "longest")),)),
    "conservative": Policy((Parameter("compress", "choice", "arrival", ("arrival", "replan")),)),
    "gang": Policy(
        (
            Parameter("quantum", "duration", 10),
            Parameter("alternate", "bool", True),
            Parameter("slots", "int", 0),
            Parameter("share", "number", 0.5),
            Parameter("label", "text", ""),
            Parameter("candidates", "any", ()),
        )
    ),
}

POLICIES["best"] = Policy((Parameter("of", "policies", ()), Parameter("first", "policy", "easy")))

MACHINE = "[machine]\nnodes = 128\n"
POLICY = '[policy]\nname = "fcfs"\n'
JOB = '[[job]]\nid = 1\nsize = 64\nsubmit = 0\nruntime = "2h"\n'
GOOD = MACHINE + POLICY + JOB


class Desk:
    """A folder with the scenario file that the test writes, and whatever logs stand beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, content: str | bytes, name: str = "gang.toml") -> Path:
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def read(self, content: str | bytes, name: str = "gang.toml", **options: object) -> Scenario:
        return read_scenario(self.write(content, name), policies=POLICIES, **options)  # type: ignore[arg-type]

    def faults(self, content: str | bytes, name: str = "gang.toml", **options: object) -> list[str]:
        """The lines that a bad file is answered with, without the folder."""
        with pytest.raises(ScenarioError) as caught:
            self.read(content, name, **options)
        assert str(caught.value) == "\n".join(map(str, caught.value.faults))
        lines = [str(fault).replace(f"{self.folder}/", "") for fault in caught.value.faults]
        assert all("\n" not in line and line.isprintable() for line in lines)
        return lines


def row(
    number: object = 1,
    submit: object = 0,
    runtime: object = 100,
    *,
    wait: object = -1,
    allocated: object = 4,
    requested: object = 4,
    estimate: object = 200,
    user: object = -1,
    queue: object = -1,
    status: object = 1,
) -> str:
    """One row of a log."""
    fields = [number, submit, wait, runtime, allocated, -1, -1, requested, estimate]
    return " ".join(map(str, [*fields, -1, status, user, -1, -1, queue, -1, -1, -1]))


def log(*rows: str, header: str = "; MaxProcs: 100\n") -> str:
    """The text of a log."""
    return header + "".join(f"{line}\n" for line in rows)
