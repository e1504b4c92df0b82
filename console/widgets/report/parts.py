"""The parts of a page of HTML. Texts go in as they are, and none of them is markup on the page."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from string import Template
from typing import NewType

from shadowtime.console.session.texts import printable

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
TOGETHER = re.compile(r" (?=%)|(?<=·) |(?<=\bjob) (?=\d)")
"""Blanks at which no line ends."""
STYLE = """
:root { color-scheme: light dark; --ink: #1a1a1a; --faint: #5c5c5c; --line: #c8c8c8; --fill: #9db8d2;
  --edge: #1f4e79; --ground: #ffffff; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --faint: #a8a8a8; --line: #4a4a4a; --fill: #2f4d69; --edge: #8fbce6;
    --ground: #16181b; }
}
* { box-sizing: border-box; }
body { margin: 2rem auto; padding: 0 1rem; max-width: 60rem; background: var(--ground); color: var(--ink);
  font: 15px/1.45 "DejaVu Sans", "Liberation Sans", Arial, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .6rem; }
h2 { font-size: 1.15rem; margin: 1.8rem 0 .5rem; padding-bottom: .2rem; border-bottom: 1px solid var(--line);
  break-after: avoid; }
h3 { font-size: 1rem; margin: 0 0 .2rem; }
p { margin: .4rem 0; }
.note { color: var(--faint); font-size: .87rem; break-after: avoid; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .4rem 0; }
dt { color: var(--faint); }
dd { margin: 0; }
ol, ul { margin: .4rem 0; padding-left: 1.6rem; }
li { margin: .2rem 0; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; font-size: .87rem; }
th, td { padding: .2rem .5rem; text-align: right; vertical-align: top; border-bottom: 1px solid var(--line);
  font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th { font-weight: 600; border-bottom-color: var(--ink); }
.name { text-align: left; min-width: 4rem; overflow-wrap: break-word; }
tr { break-inside: avoid; }
figure { margin: .6rem 0 1rem; break-inside: avoid; }
figcaption { font-weight: 600; margin-bottom: .2rem; }
.block { break-inside: avoid; margin: .7rem 0 1rem; padding-left: .8rem; border-left: 3px solid var(--line); }
svg { display: block; width: 100%; height: auto; }
svg text { font-size: 11px; fill: var(--faint); }
.axis { stroke: var(--line); fill: none; }
.area { fill: var(--fill); }
.edge { stroke: var(--edge); fill: none; stroke-width: 1.2; stroke-linejoin: round; }
.mark { stroke: var(--ink); stroke-dasharray: 5 3; fill: none; }
svg .said { fill: var(--ink); font-weight: 600; paint-order: stroke; stroke: var(--ground);
  stroke-width: 3px; }
@media screen and (max-width: 40rem) {
  section { overflow-x: auto; }
  th, td { padding: .2rem .25rem; }
  .name { min-width: 2.5rem; }
}
@page { size: A4; margin: 15mm 14mm; }
@media print {
  :root { font-size: 10pt; color-scheme: light; --ink: #000; --faint: #333; --line: #999; --fill: #d0d0d0;
    --edge: #000; --ground: #fff; }
  body { margin: 0; padding: 0; max-width: none; font-size: 1rem; }
  svg, figure { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""


def text(plain: str) -> Html:
    """Return a text of others as markup that shows it; no line ends within `12 %`, `· 3` or `job 31`."""
    return Html(TOGETHER.sub("&#160;", escape(printable(plain))))


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
