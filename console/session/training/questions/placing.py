"""Where a job is placed: in which row of the matrix, on which nodes, in which block of the torus."""

import re
from collections.abc import Iterator, Sequence

from shadowtime.console.session.case import Case
from shadowtime.console.session.facts import Decision
from shadowtime.console.session.jobs.names import matrix_of
from shadowtime.console.session.training.facts import Answer, Because, Mistaken, Packed, Placed, Value
from shadowtime.console.session.training.questions.choices import among
from shadowtime.console.session.training.questions.kind import CHOICES, OnMachine, typed_number
from shadowtime.console.session.training.questions.parts import about
from shadowtime.console.session.training.refusing import answered, asked_job, unanswerable
from shadowtime.console.session.training.scene import Scene
from shadowtime.console.session.training.sentences import Sentence
from shadowtime.scenarios import Question
from shadowtime.scenarios.nodes import NodeRanges, format_nodes, joined, parse_nodes

SHAPES = {
    2: (2, 1, 1), 4: (4, 1, 1), 8: (4, 2, 1), 16: (4, 2, 2),
    32: (8, 2, 2), 64: (8, 4, 2), 128: (8, 4, 4), 256: (8, 4, 8),
}  # fmt: skip
"""The blocks of the torus along X, Y and Z (docs/schedulers.md, section 11.1)."""
SIDES = (8, 4, 8)
AT = "at "
"""How an answer that is the base of a block begins: `at 020`, in the order Z, Y, X."""
Row = Sequence[int]
"""The jobs of a row, by index."""


class Placing(OnMachine):
    """Where a job is."""

    read_in = "notes"
    with_nodes = True

    def reveals(self, part: Because, later: Answer, same: bool) -> bool:
        """Whether a part places the job there and then."""
        places = isinstance(part, Decision | Packed) or (isinstance(part, Placed) and self.shows(part))
        return same and places and about(part, later)

    def shows(self, part: Placed) -> bool:
        """Whether a place has what is asked for."""
        raise NotImplementedError


class RowOfJob(Placing):
    """In which row of the matrix a job is, from 0 on."""

    expected = "the number of a row"

    def at(self, scene: Scene, question: Question) -> Answer:
        """The row after the pass. UnanswerableError: the job has none."""
        index, job = asked_job(scene, question)
        rows, right = _rows(scene), _row(scene, index)
        if right is None:
            raise unanswerable(scene, question, f"job {job} has no row of a matrix")
        near = sorted(range(max(len(rows) + 1, CHOICES)), key=lambda number: (abs(number - right), number))
        others = {row: Mistaken("no_such_row" if row >= len(rows) else "row_without_it", job) for row in near}
        because = (*packed(scene, index), Placed(job, (), None, right))
        return answered(question, scene.now, (right,), among([right], others), because)

    def parse(self, case: Case, answer: Answer, word: str) -> Value:
        return typed_number(word, "row ")

    def names(self, answer: Answer, value: Value, sentence: Sentence) -> bool:
        return bool(re.search(rf"\brow {value}\b", sentence.text))

    def gives_away(self, answer: Answer, sentence: Sentence) -> bool:
        """Whether a sentence names the job and its row."""
        rows = answer.right
        return answer.question.job in sentence.jobs and any(self.names(answer, it, sentence) for it in rows)

    def shows(self, part: Placed) -> bool:
        """Whether a place has a row."""
        return part.row is not None


class NodesOfJob(Placing):
    """On which nodes a job is; on the torus the base of its block, had or reserved."""

    quoted = True
    expected = "nodes such as 8-15, or the base of a block such as 020"

    def at(self, scene: Scene, question: Question) -> Answer:
        """The nodes after the pass. UnanswerableError if the job has neither nodes nor a block."""
        index, job = asked_job(scene, question)
        if scene.case.scenario.machine.torus is not None:
            return _block(scene, question, job, index)
        nodes = _nodes(scene, index)
        if not nodes:
            raise unanswerable(scene, question, f"job {job} has no nodes")
        right = format_nodes(nodes)
        near = _others(scene, scene.case.columns.size[index], nodes[0][0])
        others = {other: Mistaken("other_nodes", job) for other in near}
        because = (*packed(scene, index), Placed(job, nodes, None, _row(scene, index)))
        return answered(question, scene.now, (right,), among([right], others), because)

    def parse(self, case: Case, answer: Answer, word: str) -> Value:
        """Return nodes, or the base of a block, as the choices write them."""
        named = re.sub(r"^(the )?(block )?(at )?", "", word.lower())
        if not str(answer.shown).startswith(AT):
            return format_nodes(parse_nodes(named.removeprefix("nodes ")))
        if not re.fullmatch(r"[0-7][0-3][0-7]", named):
            raise ValueError
        return f"{AT}{named}"

    def gives_away(self, answer: Answer, sentence: Sentence) -> bool:
        """Whether a sentence names the job and its nodes."""
        nodes = (re.escape(str(it)) for it in answer.right)
        named = any(re.search(rf"(?<!\d){it}(?!\d)", sentence.text) for it in nodes)
        return answer.question.job in sentence.jobs and named

    def shows(self, part: Placed) -> bool:
        """Whether a place has nodes, or a block."""
        return bool(part.nodes) or part.base is not None


def bases(size: int) -> tuple[int, ...]:
    """Return the bases of all blocks of a size, as numbers of processors, ascending."""
    x, y, z = SHAPES[size]
    across, down, along = SIDES
    return tuple(
        i + across * j + across * down * k
        for k in range(0, along, z)
        for j in range(0, down, y)
        for i in range(0, across, x)
    )


def written(base: int) -> str:
    """Return the base of a block as an answer: `at 020`."""
    return f"{AT}{base // 32}{base // 8 % 4}{base % 8}"


def _block(scene: Scene, question: Question, job: int, index: int) -> Answer:
    base, size = _base(scene, index), scene.case.columns.size[index]
    if base is None or size not in SHAPES:
        raise unanswerable(scene, question, f"job {job} has no block, and no claim to one")
    near = sorted(bases(size), key=lambda other: (abs(other - base), other))
    if len(near) < CHOICES:
        near += [other for other in bases(size // 2) if other not in near]
    decided: list[Because] = [one for one in scene.made() if one.job == job]
    because = (*decided, Placed(job, _nodes(scene, index), base, None))
    right = written(base)
    own = bases(size)
    wrong = {written(at): Mistaken("other_block" if at in own else "no_such_block", job) for at in near}
    return answered(question, scene.now, (right,), among([right], wrong), because)


def _base(scene: Scene, index: int) -> int | None:
    """The base of the block that a job has, or has a claim to: assigned or reserved."""
    base = scene.after.terms(index).get("base")
    if base is not None and scene.after.state(index) in "WiRo":
        return base
    claim = scene.after.status().get("reservation")
    return int(claim["base"]) if claim and claim["job"] == index else None


def _nodes(scene: Scene, index: int) -> NodeRanges:
    return joined((first, first + count) for first, count in scene.after.nodes_of(index))


def _rows(scene: Scene) -> Sequence[Row]:
    matrix = matrix_of(scene.after.status())
    return () if matrix is None else matrix.rows


def _row(scene: Scene, index: int) -> int | None:
    return next((number for number, row in enumerate(_rows(scene)) if index in row), None)


def _others(scene: Scene, size: int, base: int) -> Iterator[str]:
    """Other nodes, as many: aligned blocks, the nearest first, then those right beside the right ones."""
    width, nodes = _width(size), scene.case.nodes
    aligned = sorted(range(0, nodes - size + 1, width), key=lambda first: (abs(first - base), first))
    for first in (*aligned, base + 1, base - 1, nodes - size):
        if 0 <= first <= nodes - size:
            yield format_nodes(((first, first + size),))


def packed(scene: Scene, index: int) -> tuple[Because, ...]:
    """Return what was compared for a job, by index, that this pass has placed; nothing of any other.

    It is what the packing compares (docs/schedulers.md, 10.2). Loads are counted before the pass. They are
    shown if they lead to the place that the job got: another job may have been placed before it in the same
    pass.
    """
    before, after = matrix_of(scene.before.status()), matrix_of(scene.after.status())
    if before is None or after is None or any(index in row for row in before.rows):
        return ()
    row = next((number for number, jobs in enumerate(after.rows) if index in jobs), None)
    at = min((first for first, _ in scene.after.nodes_of(index)), default=None)
    rows, size = [*before.rows], scene.case.columns.size[index]
    packing = str(scene.case.parameters.get("packing", "buddy"))
    if packing == "buddy":
        found = _blocks(scene, rows, size)
        chosen = min(found, key=lambda it: (it[2], it[0], it[1]), default=None)
        right = chosen is not None and chosen[:2] == (row, at)
        needs = _width(size)
    else:
        found = [(number, scene.case.nodes - scene.area(jobs), 0) for number, jobs in enumerate(rows)]
        fitting = [it for it in found if it[1] >= size]
        rank = {"first": lambda it: it[0], "best": lambda it: (it[1], it[0])}[packing]
        chosen = min(fitting, key=rank, default=(len(rows), 0, 0))
        right, needs = chosen[0] == row, size
    new = row == len(rows)
    return (Packed(scene.id(index), packing, needs, tuple(found), new),) if right else ()


def _blocks(scene: Scene, rows: Sequence[Row], size: int) -> list[tuple[int, int, int]]:
    """The possible block of least load of each row; of a new row if no row has one."""
    width, nodes = _width(size), scene.case.nodes
    legal = [base for base in range(0, nodes, width) if base + size <= nodes]
    used = {job: set(_columns(scene, job)) for jobs in rows for job in jobs}
    load = {base: sum(bool(it & {*range(base, base + width)}) for it in used.values()) for base in legal}

    def free(jobs: Row) -> Iterator[int]:
        taken = {node for job in jobs for node in _taken(scene, job)}
        return (base for base in legal if not taken & {*range(base, base + width)})

    def rank(base: int) -> tuple[int, int]:
        return load[base], base

    best = [(row, min(free(jobs), key=rank, default=-1)) for row, jobs in enumerate(rows)]
    found = [(row, base, load[base]) for row, base in best if base >= 0]
    first = min(legal, key=rank)
    return found or [(len(rows), first, load[first])]


def _columns(scene: Scene, job: int) -> Iterator[int]:
    return (node for first, count in scene.before.nodes_of(job) for node in range(first, first + count))


def _taken(scene: Scene, job: int) -> range:
    """The columns of its block, which no other job of its row gets."""
    first = min(_columns(scene, job), default=0)
    return range(first, first + _width(scene.case.columns.size[job]))


def _width(size: int) -> int:
    """The size rounded up to a power of two."""
    return 1 << (size - 1).bit_length()
