"""The house style that no formatter knows: sizes, stubs, and what has no place in the repository."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NOT_OURS = {".git", ".venv", ".hypothesis", "build", "dist", "__pycache__"}
TEXTS = {".py", ".pyi", ".pyx", ".pxd", ".toml", ".md", ".tcss", ".txt", ""}
PUBLIC = re.compile(r"^\s*(?:def|cpdef)\s(?:[^(\n]*\s)?[a-zA-Z]\w*\(", re.MULTILINE)


def files() -> Iterator[Path]:
    """Yield every file of the project, nothing that was built."""
    pending = [ROOT]
    while pending:
        for path in pending.pop().iterdir():
            if path.name in NOT_OURS or path.name.endswith((".egg-info", "_cache")):
                continue
            if path.is_symlink():
                continue
            if path.is_dir():
                pending.append(path)
            else:
                yield path


def texts() -> list[tuple[str, str]]:
    """Return every text file of the project: its path from the root, and its text."""
    chosen = sorted(path for path in files() if path.suffix in TEXTS)
    return [(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")) for path in chosen]


def matching(pattern: str, flags: int = 0) -> list[str]:
    """Return the places in the project's texts where a pattern matches, but for this file."""
    return [
        f"{name}:{number}: {line.strip()[:80]}"
        for name, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if name != "tests/test_style.py" and re.search(pattern, line, flags)
    ]


def test_no_folder_holds_too_many_sources() -> None:
    """One folder, one subject: a folder that outgrows this holds two."""
    folders: dict[Path, int] = {}
    for path in files():
        if path.suffix in (".py", ".pyx") and path.name != "__init__.py":
            folders[path.parent] = folders.get(path.parent, 0) + 1
    assert not [f"{folder.relative_to(ROOT)}: {count}" for folder, count in folders.items() if count > 22]


def test_every_public_compiled_module_has_a_stub() -> None:
    """A `.pyx` with functions or methods that Python may call has a `.pyi` beside it for the types."""
    public = [name for name, text in texts() if name.endswith(".pyx") and PUBLIC.search(text)]
    assert public
    missing = [name for name in public if not (ROOT / name).with_suffix(".pyi").exists()]
    assert not missing, "\n".join(missing)
    assert not [name for name, text in texts() if name.endswith(".pyi") and not text.strip()]


def test_no_header_of_a_compiled_module_sets_what_the_checked_build_must_set() -> None:
    """A directive in a file's header beats the command line: bounds could then never be checked."""
    assert not matching(r"^#\s*cython:.*(boundscheck|wraparound|overflowcheck|initializedcheck)")


@pytest.mark.proof
def test_nothing_is_left_undone_in_the_sources() -> None:
    """No reminder stays in a source."""
    assert not matching(r"\b(TODO|FIXME|XXX)\b")


@pytest.mark.proof
def test_the_texts_speak_of_the_product_only() -> None:
    """How the project came about is not stated in it; the history of a line is in the repository's log."""
    words = r"(?<!user-)\b(agents?|assistants?|co-?pilot|chat ?bots?|language models?|llms?)\b"
    assert not matching(words, re.IGNORECASE)


def test_no_log_of_others_is_in_the_repository() -> None:
    """Logs are found where they lie, never copied; a test may keep a small one that was made for it."""
    logs = [path for path in files() if re.search(r"\.swf(\.gz|\.xz)?$", path.name)]
    small = [path for path in logs if path.is_relative_to(ROOT / "tests") and path.stat().st_size < 65536]
    wrong = [str(path.relative_to(ROOT)) for path in logs if path not in small]
    assert not wrong, "\n".join(wrong)


@pytest.mark.proof
def test_no_package_registry_is_named() -> None:
    """Where packages come from is the machine's business."""
    assert not matching(r"(pypi\.|pythonhosted|npmjs|--index-url|--extra-index|find-links)", re.IGNORECASE)


@pytest.mark.parametrize("name", ["LICENSE", "README.md", "CHANGELOG.md", "Makefile", ".ci/run"])
def test_what_a_newcomer_looks_for_is_there(name: str) -> None:
    """The files that everybody expects at the top."""
    assert (ROOT / name).stat().st_size > 0
