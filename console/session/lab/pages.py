"""Texts of experiments in Markdown: nothing in them begins a line, a tag or a mark of its own."""

from collections.abc import Iterable

from shadowtime.scenarios.text.gate import printable


def marked(text: str) -> str:
    return printable(text.replace("\n", " ")).replace("<", "&lt;")


def page(lines: Iterable[str]) -> str:
    return "".join(f"{marked(line)}\n" for line in lines)
