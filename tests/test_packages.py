"""What is installed is what there is: the list of packages, which setuptools does not find by itself here."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_every_folder_of_code_is_installed() -> None:
    """A package that is not listed is missing where shadowtime is installed, and nowhere else."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = settings["tool"]["setuptools"]["packages"]
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for room in ("console", "kernels", "scenarios")
        for path in (ROOT / room).rglob("*.py")
    }
    assert sorted(listed) == sorted(found)
