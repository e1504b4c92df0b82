"""What the README and the guide show is what happens: commands, walks, figures, files."""

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from tests.pages.shown import TOP, Walk, as_pattern, blocks, commands, follow, run, walks

PAGES = {
    str(path.relative_to(TOP)): path.read_text(encoding="utf-8")
    for path in (TOP / "README.md", TOP / "docs/README.md", *sorted((TOP / "docs/guide").glob("*.md")))
}
NOT_PROSE = re.compile(
    r"^```.*?^```|`[^`]*`|\(https?:[^)]*\)|<https?:[^>]*>|(?:Python|Slurm) [\d.]+", re.DOTALL | re.MULTILINE
)
"""Code, addresses, and versions of other programs."""


@pytest.mark.parametrize(
    ("command", "lines"),
    [pytest.param(*each, id=f"{name} {each[0]}") for name, page in PAGES.items() for each in commands(page)],
)
def test_commands_print_what_is_shown(command: str, lines: list[str], tmp_path: Path) -> None:
    printed = run(command, tmp_path)
    assert fnmatchcase(printed.strip("\n"), as_pattern(lines)), printed


SMALL, LARGE = (80, 24), (120, 36)
WALKS = [
    *(
        pytest.param(walk, SMALL, id=f"{name} {walk.command}")
        for name, page in PAGES.items()
        for walk in walks(page)
    ),
    *(
        pytest.param(walk, LARGE, id=f"{walk.command} large", marks=pytest.mark.proof)
        for walk in walks(PAGES["README.md"])
    ),
]


@pytest.mark.parametrize(("walk", "size"), WALKS)
def test_a_walk_shows_what_stands_beside_its_keys(
    walk: Walk, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Key by key, on a small screen and on a larger one."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    follow(walk, size)


@pytest.mark.parametrize("name", PAGES)
def test_a_figure_stands_in_a_block_of_its_page(name: str) -> None:
    """A number of two digits or more is one that a command or a walk of the page shows."""
    page = PAGES[name]
    shown = " ".join(text for language in ("console", "keys") for text in blocks(page, language))
    prose = NOT_PROSE.sub("", page)
    figures = re.findall(r"(?<![\w.-])\d[\d.,]*\d(?:[hms]\d*[hms]?)?", prose)
    assert not [figure for figure in figures if figure not in shown]


@pytest.mark.parametrize("name", PAGES)
def test_files_and_targets_exist(name: str) -> None:
    """Every file that a page leads to is there, and every target of make."""
    page, folder = PAGES[name], (TOP / name).parent
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page):
        assert (folder / link).exists(), link
    for path in re.findall(r"`((?:docs|scenarios|tests|console|kernels)/[\w/.-]*)`", page):
        assert (TOP / path).exists(), path
    targets = re.findall(r"^(\w+):", (TOP / "Makefile").read_text(), flags=re.MULTILINE)
    for target in re.findall(r"(?:^|`)make (\w+)", page, flags=re.MULTILINE):
        assert target in targets, target


def test_the_readme_is_short() -> None:
    """Two screens of text: what lies deeper is in the guide and the reference."""
    assert len(PAGES["README.md"].splitlines()) <= 120


def test_every_page_is_in_the_index() -> None:
    """docs/README.md leads to each page of the guide and of the reference."""
    listed = set(re.findall(r"\]\(([\w/-]+\.md)", PAGES["docs/README.md"]))
    there = {
        str(path.relative_to(TOP / "docs"))
        for folder in (".", "guide")
        for path in (TOP / "docs" / folder).glob("*.md")
    }
    assert there - listed == {"README.md"}
