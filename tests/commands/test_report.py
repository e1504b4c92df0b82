"""`shadowtime report`: one page that is whole, shows texts of others as texts, and is the same each time."""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.commandline import Shadowtime

Story = Callable[[str], Path]
VOID = {"meta", "path"}
HOSTILE = """title = "</title><script>alert(1)</script> & \\u202e"
[policy]
name = "fcfs"
[machine]
nodes = 2
[[job]]
id = 1
submit = 0
size = 2
runtime = 50
estimate = 60
user = "<img src=x onerror=alert(1)>"
[[job]]
id = 2
submit = 1
size = 1
runtime = 9
estimate = 9
user = "a\\" b='c' &lt;"
"""


class Page(HTMLParser):
    """What a page is made of; an element that is not closed where it ends is a failure."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_a_report_is_one_whole_page(shadowtime: Shadowtime, story: Story, tmp_path: Path) -> None:
    """It has its pictures inside, asks for nothing from elsewhere, and is the same bytes each time."""
    pages = [tmp_path / "one.html", tmp_path / "two.html"]
    for path in pages:
        ended = shadowtime("report", story("generated/modal-128.toml"), "-o", path)
        assert (ended.code, ended.err) == (0, "")
    assert pages[0].read_bytes() == pages[1].read_bytes()
    page = Page(pages[0].read_text())
    assert page.tags.count("svg") == 2
    assert page.tags.count("section") == 7 + 1
    assert not {"script", "img", "link", "iframe"} & set(page.tags)
    assert not {"src", "href", "onclick"} & {name for name, _ in page.attributes}
    assert not re.search(r"url\(|@import", pages[0].read_text())


def test_a_log_without_users_has_a_report(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Of a log: the same bytes each time, its name without its folder, and what the figures are first."""
    log = tmp_path / "<b>&.swf"
    rows = (
        f"{n} {n} 5 {20 + n % 7} {1 + n % 3} -1 -1 {1 + n % 3} 60 -1 1 -1 -1 -1 -1 -1 -1 -1"
        for n in range(1, 61)
    )
    log.write_text("; MaxProcs: 4\n" + "\n".join(rows) + "\n")
    pages = [tmp_path / "one.html", tmp_path / "two.html"]
    for path in pages:
        ended = shadowtime("report", log, "--policy", "easy", "-o", path)
        assert (ended.code, ended.err) == (0, "")
    assert pages[0].read_bytes() == pages[1].read_bytes()
    page = Page(pages[0].read_text())
    shown = [text for text in page.texts if text.strip()]
    assert str(tmp_path) not in pages[0].read_text()
    assert shown[3].startswith("Simulated: the jobs of <b>&.swf under easy. ")
    assert "the log records 5s, and" in shown[3]
    assert 1 <= page.tags.count("h3") <= 10
    assert not any("user unknown" in text for text in shown)


def test_texts_of_others_are_texts(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Titles and names of users are shown and are no markup."""
    file, out = tmp_path / "hostile.toml", tmp_path / "out.html"
    file.write_text(HOSTILE)
    assert shadowtime("report", file, "-o", out).code == 0
    page = Page(out.read_text())
    assert not {"script", "img"} & set(page.tags)
    assert "onerror" not in dict(page.attributes)
    assert "<img src=x onerror=alert(1)>" in page.texts
    assert "a\" b='c' &lt;" in page.texts
    assert "\u202e" not in out.read_text()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--from", "yesterday"], "'yesterday' is no place in time"),
        (["--from", "1h", "--until", "30m"], "30m is before 1h"),
        (["--from", "50%"], "50% is not at the same instant"),
        (["--from", "9d"], "no job is submitted"),
        (["--from", "9d", "--until", "10d"], "no job is submitted"),
        (["--from", "2000-01-01"], "is a calendar time"),
        (["--against", "nope"], "there is no policy 'nope'"),
    ],
)
def test_a_bad_window_is_answered_by_one_line(
    options: list[str], words: str, shadowtime: Shadowtime, story: Story, tmp_path: Path
) -> None:
    """Exit code 2, one line, and no file."""
    out = tmp_path / "out.html"
    ended = shadowtime("report", story("fj97/dilemma.toml"), "-o", out, *options)
    assert (ended.code, len(ended.complaints)) == (2, 1)
    assert words in ended.err
    assert not out.exists()


def test_a_file_that_is_there_stays(shadowtime: Shadowtime, story: Story, tmp_path: Path) -> None:
    """Only --force writes over it."""
    out = tmp_path / "out.html"
    out.write_text("mine")
    assert shadowtime("report", story("fj97/dilemma.toml"), "-o", out).code == 2
    assert out.read_text() == "mine"
    assert shadowtime("report", story("fj97/dilemma.toml"), "-o", out, "--force").code == 0
    assert out.read_text().startswith("<!DOCTYPE html>")


def test_a_captured_cluster_has_a_report(shadowtime: Shadowtime, tmp_path: Path) -> None:
    """Of a folder: a whole page, the same each time; options of a log are refused in one line."""
    pages = [tmp_path / "one.html", tmp_path / "two.html"]
    for path in pages:
        ended = shadowtime("report", "two-tiers", "-o", path)
        assert (ended.code, ended.err) == (0, "")
    assert pages[0].read_bytes() == pages[1].read_bytes()
    page = Page(pages[0].read_text())
    assert not {"script", "img", "link", "iframe"} & set(page.tags)
    assert page.tags.count("h3") > 0
    assert [text for text in page.texts if text.strip()][3].startswith("Recorded: ")
    ended = shadowtime("report", "two-tiers", "--from", "9d", "-o", tmp_path / "three.html")
    assert (ended.code, len(ended.complaints)) == (2, 1)


@pytest.mark.parametrize(
    "options",
    [
        ("--against", "slurm"),
        ("--against", "fcfs,easy"),
        ("--policy", "slurm:bf_interval=60"),
        ("--now", "1795669281", "--against", "easy"),
    ],
)
def test_a_cluster_is_compared_with_one_other_policy(
    options: tuple[str, ...], shadowtime: Shadowtime, tmp_path: Path
) -> None:
    """Slurm beside itself says nothing, of several policies none is left out, and both begin at one instant
    from the cluster's own parameters.
    """
    ended = shadowtime("report", "two-tiers", *options, "-o", tmp_path / "out.html")
    assert (ended.code, len(ended.complaints)) == (2, 1)
    assert not (tmp_path / "out.html").exists()


def test_a_window_of_any_length_has_an_axis(shadowtime: Shadowtime, story: Story, tmp_path: Path) -> None:
    """The step between the instants grows with the window."""
    out = tmp_path / "out.html"
    ended = shadowtime("report", story("fj97/dilemma.toml"), "-o", out, "--until", str(4 * 10**15))
    assert (ended.code, ended.err) == (0, "")
    assert len(out.read_text()) < 10**5
