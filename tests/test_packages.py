"""What is installed is what there is."""

from pathlib import Path

from setuptools import find_packages  # type: ignore[import-untyped]

ROOT = Path(__file__).parent.parent


def test_every_folder_of_code_is_installed() -> None:
    """A folder of code is a package; nothing of the tests is."""
    found = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for room in ("console", "kernels", "scenarios")
        for ending in ("*.py", "*.pyx")
        for path in (ROOT / room).rglob(ending)
    }
    rooms = ("console", "console.*", "kernels", "kernels.*", "scenarios", "scenarios.*")
    assert found == set(find_packages(str(ROOT), include=rooms))
