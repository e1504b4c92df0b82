"""The [tour] of a scenario file: steps that each ask for one key, up to conditions on what the operator sees.

A condition is `NAME rises`, `NAME falls`, `NAME changes`, `NAME is VALUE` or `NAME is not VALUE`: what is
seen now, beside what was seen when the step began. `and` stands between several.
"""

from collections.abc import Mapping

import attrs

from shadowtime.scenarios.errors import one_of
from shadowtime.scenarios.text.table import Table

SEEN = (
    "event", "panel", "job", "sort", "filter", "colouring", "page", "jumps", "reasons",
    "plays", "asks", "backwards", "over", "starts", "listed", "filtered", "opens",
)  # fmt: skip
"""What a condition may name; from `plays` on it is yes or no. What is not there is `nothing`."""
CHANGES = ("rises", "falls", "changes")

Seen = Mapping[str, int | str]


@attrs.frozen
class TourStep:
    """One step, or what it needs: the key by its id, what it does, and the condition up to which it is asked.

    `done` is shown after it; it may name in braces what is seen.
    """

    key: str
    text: str
    until: str
    done: str = ""
    needs: "tuple[TourStep, ...]" = ()


@attrs.frozen
class Tour:
    """The steps, and the instant at which they begin."""

    begin: int
    steps: tuple[TourStep, ...]


def met(until: str, before: Seen, now: Seen) -> bool:
    """Whether a condition holds of what is seen now, beside what was seen before."""
    return all(_met(part.split(), before, now) for part in until.split(" and "))


def _met(words: list[str], before: Seen, now: Seen) -> bool:
    name, verb, *value = words
    one, other = before[name], now[name]
    if verb == "is":
        return (str(other) == value[-1]) == (len(value) == 1)
    rises = isinstance(one, int) and isinstance(other, int) and other > one
    return one != other and (verb == "changes" or rises == (verb == "rises"))


def read_tour(root: Table) -> Tour | None:
    """Read the [tour] of a file; None if it has none."""
    table = root.table("tour", "[tour]")
    if table is None:
        return None
    begin = table.seconds("begin", required=True, instant=True)
    named, needs = table.table("need", "[tour.need]"), dict[str, TourStep]()
    for name in () if named is None else named.values:
        inner = named.table(name, f"[tour.need.{name}]") if named is not None else None
        needs |= {} if inner is None else {name: _step(inner, {})}
    steps = tuple(_step(inner, needs) for inner in table.tables("step"))
    table.close()
    return Tour(begin or 0, steps)


def _step(table: Table, needs: Mapping[str, TourStep]) -> TourStep:
    key, text, until = (table.text(it, required=True, empty=False) or "" for it in ("key", "text", "until"))
    if until and not all(_is_condition(part.split()) for part in until.split(" and ")):
        table.fault("until", f"expected conditions such as `panel is 2`, of {', '.join(SEEN)}")
    done = " ".join((table.text("done") or "").split())
    names = (table.text("needs") or "").split()
    if unknown := [name for name in names if name not in needs]:
        table.fault("needs", one_of(tuple(needs), unknown[0]))
    table.close()
    return TourStep(key, " ".join(text.split()), until, done, tuple(needs[it] for it in names if it in needs))


def _is_condition(words: list[str]) -> bool:
    changes = len(words) == 2 and words[1] in CHANGES
    compares = words[1:2] == ["is"] and (len(words) == 3 or (len(words) == 4 and words[2] == "not"))
    return words[0] in SEEN and (changes or compares) if words else False
