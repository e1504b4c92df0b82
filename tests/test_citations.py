"""Every citation of a page names a page of this repository, and a section that it has.

A source cites a page by its path from the top, a page cites another by its name or its path:
`docs/NAME.md, section 4.1`, `docs/NAME.md, section 8, step 3`, `docs/NAME.md, Nodes`.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.test_style import ROOT, texts

NUMBER = r"\d+(?:\.\d+)*"
# A path in quotes, or the end of a longer one, is a value of a program and no citation.
PAGE = re.compile(r"(?<![\w\"'/{}*.<-])((?:[\w-]+/)*[\w-]+\.md)\b")
BEHIND = re.compile(
    rf"[`)]*(?:\]\([^)]*\))?,\s+(?:#\s+)?(?:sections?\s+({NUMBER}(?:(?:,| and| to)\s+{NUMBER})*)"
    rf"(?:,\s+(?:step|rule)\s+(\d+))?|([A-Z][a-z]+(?: [a-z]+)*)\))"
)
# A section without a page is one of the page itself, unless a paper is named before it.
WITHIN = re.compile(
    rf"(?<!\d{{4}}, )(?<!(?:FW98|FJ97|TF05), )(?<!(?:S02|N12), )(?<!\.md\), )(?<!\.md, )\bsection ({NUMBER})"
    rf"(?:, (?:step|rule) (\d+))?"
)
OWN = "tests/test_citations.py"
FILE = re.compile(r"\b((?:docs|console|kernels|scenarios|tests)/[\w./-]+\.(?:md|toml|pyx|pxd|pyi|py))\b")
LINK = re.compile(r"\]\(([\w./-]+)(?:#([\w-]+))?\)|\]\(#([\w-]+)\)")
READ = (".py", ".pyi", ".pyx", ".pxd", ".toml", ".md", "")


@cache
def sections(page: Path) -> dict[str, str]:
    """The numbered sections of a page, each with the text up to the next heading of its level or above."""
    text = page.read_text(encoding="utf-8")
    found = {}
    for heading in re.finditer(rf"^(#+) ({NUMBER})\.? .*$", text, re.MULTILINE):
        rest = text[heading.end() :]
        end = re.search(rf"^#{{1,{len(heading[1])}}} ", rest, re.MULTILINE)
        found[heading[2]] = rest[: end.start()] if end else rest
    return found


def faults_of_section(page: Path, number: str, step: str | None) -> Iterator[str]:
    """What is wrong with a citation of a section, or of a numbered step of it."""
    text = sections(page).get(number)
    if text is None:
        yield f"{page.name} has no section {number}"
    elif step is not None and not re.search(rf"^{step}\. ", text, re.MULTILINE):
        yield f"section {number} of {page.name} has no step {step}"


def named(place: str, page: str) -> Path | None:
    """The page that a file cites, None if there is none: also beside it or in docs."""
    folders = [(ROOT / place).parent, ROOT / "docs"] if place.endswith(".md") else []
    paths = [ROOT / page, *(folder / page for folder in folders)]
    return next((path for path in paths if path.is_file()), None)


def faults_of(place: str, text: str) -> Iterator[str]:
    """What is wrong with the citations of a file."""
    for cited in PAGE.finditer(text):
        page = named(place, cited[1])
        if page is None:
            yield f"there is no {cited[1]}"
            continue
        behind = BEHIND.match(text, cited.end())
        if behind is None:
            continue
        numbers, step, heading = behind.groups()
        for number in re.findall(NUMBER, numbers or ""):
            yield from faults_of_section(page, number, step)
        if heading and not re.search(rf"^#+ {heading}$", page.read_text(encoding="utf-8"), re.MULTILINE):
            yield f"{page.name} has no heading {heading}"
    if place.endswith(".md") and sections(ROOT / place):
        for within in WITHIN.finditer(text):
            yield from faults_of_section(ROOT / place, within[1], within[2])


@pytest.mark.proof
def test_every_citation_names_a_section_that_exists() -> None:
    """In sources, scenarios, pages and the Makefile; but for this file, which has wrong ones too."""
    read = [(name, text) for name, text in texts() if Path(name).suffix in READ and name != OWN]
    faults = [f"{name}: {fault}" for name, text in read for fault in faults_of(name, text)]
    assert not faults, "\n".join(faults)


def anchors(page: Path) -> set[str]:
    """What a link may name of a page: its headings in small letters, with hyphens for spaces."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_what_a_page_names_or_links_to_is_there() -> None:
    """Sources, scenarios and tests by their paths from the top, pages and headings by links."""
    faults = []
    for name, text in texts():
        if not name.endswith(".md"):
            continue
        page = ROOT / name
        faults += [f"{name}: there is no {file}" for file in FILE.findall(text) if not (ROOT / file).exists()]
        for beside, heading, own in LINK.findall(text):
            to = page.parent / beside if beside else page
            if not to.exists():
                faults.append(f"{name}: there is no {beside}")
            elif (heading or own) and (heading or own) not in anchors(to):
                faults.append(f"{name}: {to.name} has no heading #{heading or own}")
    assert not faults, "\n".join(faults)


def test_there_are_citations_to_check() -> None:
    """Each scheduler's file cites its section, and so do pages."""
    cited = {
        number
        for name, text in texts()
        if name.startswith("kernels/")
        for page in PAGE.finditer(text)
        if (behind := BEHIND.match(text, page.end())) is not None
        for number in re.findall(NUMBER, behind[1] or "")
    }
    assert {str(number) for number in range(12)} <= cited
    assert sum(len(PAGE.findall(text)) for name, text in texts() if name.startswith("docs/")) > 50


@pytest.mark.parametrize(
    ("citation", "fault"),
    [
        ("(policies{md}, section 3)", "there is no policies.md"),
        ("(t3d{md})", "there is no t3d.md"),
        ("docs/nothing{md}, section 1", "there is no docs/nothing.md"),
        ("docs/policies{md}, section 3", "policies.md has no section 3"),
        ("docs/schedulers{md}, section 99.", "schedulers.md has no section 99"),
        ("docs/schedulers{md}, sections 4.1 and 4.9", "schedulers.md has no section 4.9"),
        ("docs/schedulers{md}, section 8, step 44", "section 8 of schedulers.md has no step 44"),
        ("(docs/steering{md}, Clouds)", "steering.md has no heading Clouds"),
        ("docs/schedulers{md},\n# section 98", "schedulers.md has no section 98"),
    ],
)
def test_a_wrong_citation_is_found(citation: str, fault: str) -> None:
    """One of each kind."""
    assert list(faults_of("kernels/nothing.pyx", citation.format(md=".md"))) == [fault]


@pytest.mark.parametrize(
    "citation",
    [
        "docs/schedulers{md}, section 8, step 3",
        "(docs/schedulers{md}, sections 11.4 and 11.7)",
        "(docs/steering{md}, Nodes)",
        "docs/steering{md}.",
        'open("page{md}")',
        "(Feitelson & Jette 1997, section 99.1; docs/schedulers{md}, section 10)",
    ],
)
def test_a_right_citation_is_left_alone(citation: str) -> None:
    """Pages, sections, steps, headings; values of programs and sections of papers are left alone."""
    assert list(faults_of("kernels/nothing.pyx", citation.format(md=".md"))) == []


def test_a_page_may_cite_itself() -> None:
    """By the number alone; a section of a paper is none of its own."""
    text = "by section 2, rule 3, and section 77; FW98, section 55; Streit 2002, section 66"
    assert list(faults_of("docs/schedulers.md", text)) == ["schedulers.md has no section 77"]
