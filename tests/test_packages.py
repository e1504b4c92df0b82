"""What is installed is what there is, under one version."""

import re
import tomllib
from pathlib import Path

from setuptools import find_packages  # type: ignore[import-untyped]

ROOT = Path(__file__).parent.parent


def test_every_folder_of_code_is_installed() -> None:
    """A folder of code is a package; nothing of the tests is."""
    found = {
        ".".join(("shadowtime", *path.parent.relative_to(ROOT).parts))
        for room in ("console", "kernels", "scenarios")
        for ending in ("*.py", "*.pyx")
        for path in (ROOT / room).rglob(ending)
    }
    assert {"shadowtime"} | found == set(find_packages(str(ROOT), include=("shadowtime", "shadowtime.*")))


def test_every_file_that_names_the_version_names_the_same() -> None:
    """The version has its home in pyproject.toml; the changelog and the citation follow."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert newest is not None and cited is not None
    assert newest[1] == cited[1] == version
