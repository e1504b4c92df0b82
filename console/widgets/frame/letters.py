"""The letters of jobs: no two jobs have the same, as long as there are enough."""

from collections.abc import Iterable, Mapping
from functools import partial

from textual.dom import DOMNode

from shadowtime.console.widgets.frame.looks import LETTERS, job_letter

Held = Mapping[int, str]
"""Index of a job -> the letter that it has for itself."""


def letter(held: Held, index: int) -> str:
    """Return the letter of a job: its own, or that of its index, which others may have."""
    return held.get(index) or job_letter(index)


class Letters:
    """Who has which letter. A job keeps its letter until it has gone and another one needs it.

    There are fifty letters: of more jobs, those without one show the letter of their index, which another job
    may have.
    """

    def __init__(self, held: Held | None = None) -> None:
        """`held` are the letters that jobs have already."""
        self.held: Held = held or {}
        """Never changed: where letters are given, this is another mapping."""

    def give(self, jobs: Iterable[int]) -> None:
        """Give a letter to each of these jobs, by index, to the first ones as far as there are letters."""
        wanted: dict[int, None] = {}
        for index in jobs:
            wanted[index] = None
            # Of ten thousand that wait no more are looked at.
            if len(wanted) == len(LETTERS):
                break
        without = [index for index in wanted if index not in self.held]
        if not without:
            return
        owners = {letter: index for index, letter in self.held.items()}
        for index in without:
            own = job_letter(index)
            free = (sign for sign in LETTERS if owners.get(sign) not in wanted)
            owners[min(free, key=partial(_order, owners, own))] = index
        self.held = {index: sign for sign, index in owners.items()}


def _order(owners: Mapping[str, int], own: str, sign: str) -> tuple[bool, bool]:
    """What nobody has comes first, and before others the letter of the index."""
    return sign in owners, sign != own


def letters_of(node: DOMNode) -> Letters:
    """Return the letters that the screen of a node gives its jobs; without one they are those of the index.

    A panel may be asked to show jobs while its screen is being closed; then it has none any more.
    """
    found = (getattr(each, "letters", None) for each in node.ancestors_with_self)
    return next((each for each in found if isinstance(each, Letters)), None) or Letters()
