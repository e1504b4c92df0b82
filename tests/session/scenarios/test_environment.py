"""The torus of a scenario, the clock on its wall and NQS in front of it reach the kernel, or are refused."""

from pathlib import Path

import pytest

from shadowtime.console.session import SessionError, load, open_session

MACHINE = '[machine]\ntorus = [8, 4, 8]\nunit = "processor"\nper_node = 2\n'
POLICY = '[policy]\nname = "t3d"\n'
NQS = '[nqs]\nlimits = "before"\n'
Row = tuple[int, str, int, int]


def scenario(folder: Path, text: str, *rows: Row) -> Path:
    """A file with jobs of (submission, class, size, runtime), all of one user."""
    jobs = [
        f'[[job]]\nid = {number}\nsubmit = {submit}\nsize = {size}\nruntime = {runtime}\nuser = "kim"\n'
        + (f'class = "{klass}"\n' if klass else "")
        for number, (submit, klass, size, runtime) in enumerate(rows, 11)
    ]
    path = folder / "torus.toml"
    path.write_text(text + "".join(jobs), encoding="utf-8")
    return path


def starts(path: Path, policy: str | None = None) -> list[int]:
    """First runs, by job."""
    simulation = load(path, policy=policy).simulation()
    simulation.run()
    return list(simulation.results()["start"])


def test_classes_and_the_epoch_reach_the_kernel(tmp_path: Path) -> None:
    """By day 256 processors wait an hour, at night none; who has no class of the T3D's is production."""
    row: Row = (0, "production", 256, 100)
    for klass in ("production", "batch", ""):
        path = scenario(tmp_path, MACHINE + 'epoch = "1996-06-03 08:00"\n' + POLICY, (0, klass, 256, 100))
        assert starts(path) == [3728]
    assert starts(scenario(tmp_path, MACHINE + POLICY, row)) == [128]
    assert starts(scenario(tmp_path, MACHINE + 'epoch = "1996-06-08 08:00"\n' + POLICY, row)) == [128]
    debug: Row = (0, "debug", 128, 100)
    assert starts(scenario(tmp_path, MACHINE + POLICY, debug)) == [364]
    assert starts(scenario(tmp_path, MACHINE + POLICY + "classes.debug.limit = 128\n", debug)) == [64]


def test_nqs_stands_in_front(tmp_path: Path) -> None:
    """One job of a user at a time in the queue of 32 processors; interactive ones pass by."""
    rows: list[Row] = [(0, "production", 32, 100), (0, "production", 32, 100), (0, "interactive", 32, 100)]
    path = scenario(tmp_path, MACHINE + POLICY + NQS, *rows)
    assert starts(path) == [16, 132, 16]
    assert starts(path, "unicos") == [16, 132, 16]
    session = open_session(load(path))
    session.go_event(4)
    reason = session.why(12)
    assert reason is not None
    assert (reason.code, reason.numbers["queue"]) == ("nqs_queue_user", "pe32")


def test_a_torus_without_its_policy_is_flat(tmp_path: Path) -> None:
    """Other policies count its processors."""
    path = scenario(tmp_path, MACHINE + POLICY, (0, "production", 128, 100), (0, "production", 256, 100))
    assert starts(path, "easy") == [0, 100]
    assert starts(path, "unicos") == [64, 292]


@pytest.mark.parametrize(
    ("text", "size", "policy", "message"),
    [
        (
            "[machine]\nnodes = 256\n" + POLICY,
            8,
            None,
            "policy t3d: the machine is another one; expected torus",
        ),
        (MACHINE + POLICY, 48, None, "policy t3d: job 11 needs 48 processors; expected the size of a block"),
        (MACHINE + '[policy]\nname = "easy"\n', 48, "unicos", "policy unicos: job 11 needs 48 processors"),
        (
            MACHINE + POLICY + NQS,
            8,
            "easy",
            "policy easy: NQS lets jobs through to t3d and unicos on the torus",
        ),
        (MACHINE + POLICY, 8, 'pbas:candidates=["easy","t3d"]', "policy pbas: a candidate is t3d"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(
    tmp_path: Path, text: str, size: int, policy: str | None, message: str
) -> None:
    """A machine that the policy does not know, a job that fills no block, NQS in front of somebody else."""
    path = scenario(tmp_path, text, (0, "production", size, 100))
    with pytest.raises(SessionError) as caught:
        load(path, policy=policy)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)
