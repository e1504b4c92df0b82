"""The parts of a page of HTML. Texts go in as they are, and none of them is markup on the page."""

from collections.abc import Iterable, Sequence
from html import escape
from string import Template
from typing import NewType

from shadowtime.console.session.texts import printable
from shadowtime.console.widgets.report.style import STYLE

Html = NewType("Html", str)
"""Markup; all others are texts."""

PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>$title</title>
<style>$style</style>
</head>
<body>
<h1>$title</h1>
$body
</body>
</html>
""")


def text(plain: str) -> Html:
    """Return a text of others as markup that shows it."""
    return Html(escape(printable(plain)))


def page(title: str, body: Iterable[Html]) -> str:
    return PAGE.substitute(title=text(title), style=STYLE, body="\n".join(body))


def section(title: str, *parts: Html) -> Html:
    """Return parts under a heading; nothing without parts."""
    return Html("\n".join((f"<section><h2>{text(title)}</h2>", *filter(None, parts), "</section>")))


def paragraph(plain: str, kind: str = "") -> Html:
    return Html(f"<p{_class(kind)}>{text(plain)}</p>" if plain else "")


def listed(lines: Iterable[str], ordered: bool = False) -> Html:
    name = "ol" if ordered else "ul"
    return Html(f"<{name}>{''.join(f'<li>{text(line)}</li>' for line in lines)}</{name}>")


def facts(pairs: Iterable[tuple[str, str]]) -> Html:
    """Return labels, each with its fact."""
    rows = (f"<dt>{text(label)}</dt><dd>{text(fact)}</dd>" for label, fact in pairs)
    return Html(f"<dl>{''.join(rows)}</dl>")


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], names: int = 1) -> Html:
    """Return a table; the first `names` columns have names, the others numbers, which stand at the right."""
    head = "".join(_cell("th", each, place < names) for place, each in enumerate(headings))
    body = ("".join(_cell("td", each, place < names) for place, each in enumerate(row)) for row in rows)
    lines = "\n".join(f"<tr>{row}</tr>" for row in body)
    return Html(f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody>\n</table>")


def block(title: str, *parts: Html) -> Html:
    """Return parts that stay together on a sheet of paper, under a small heading."""
    return Html("\n".join((f'<div class="block"><h3>{text(title)}</h3>', *filter(None, parts), "</div>")))


def figure(picture: Html, caption: str) -> Html:
    return Html(f"<figure>\n<figcaption>{text(caption)}</figcaption>\n{picture}\n</figure>")


def _cell(tag: str, plain: str, name: bool) -> str:
    return f"<{tag}{_class('name' if name else '')}>{text(plain)}</{tag}>"


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""
