"""What all rooms share: folders of real logs and of published starts, Hypothesis' settings."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.commandline import shadowtime, story

__all__ = ["shadowtime", "story"]

# The same examples on every machine and in every run: a failure found once is found again. Shared machines
# are slow at times, so nothing is judged by the clock. When there is time, SHADOWTIME_EXAMPLES asks for more.
EXAMPLES = int(os.environ.get("SHADOWTIME_EXAMPLES", "20"))
settings.register_profile(
    "same_examples", max_examples=EXAMPLES, derandomize=True, deadline=None, database=None
)
settings.load_profile("same_examples")


def folder(variable: str) -> Path:
    """The folder that an environment variable names; without it the test is skipped, with the reason."""
    value = os.environ.get(variable)
    if not value:
        pytest.skip(f"{variable} is not set")
    path = Path(value).expanduser()
    assert path.is_dir(), f"{variable} is {value!r}; expected a folder"
    return path


@pytest.fixture(scope="session", autouse=True)
def data_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A data folder of their own: the user's ledger is neither read nor written."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session")
def traces() -> Path:
    """The folder with logs in the Standard Workload Format, from $SHADOWTIME_TRACES."""
    return folder("SHADOWTIME_TRACES")


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder with job lists and their published starts, from $SHADOWTIME_ORACLES."""
    return folder("SHADOWTIME_ORACLES")
