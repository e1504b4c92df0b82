"""What may be seen of a cluster while a question is open."""

import attrs

from shadowtime.console.session.slurm.board.facts import COVERED, Board


def covered(board: Board) -> Board:
    """Return a board without its plan, and without what Slurm itself expected: rows, nodes, reasons stay."""
    return attrs.evolve(
        board,
        rows=tuple(
            attrs.evolve(
                row,
                entry=attrs.evolve(
                    row.entry, outcome=COVERED, start=None, end=None, nodes="", note="", slurm_start=None
                ),
            )
            for row in board.rows
        ),
        nodes=tuple(attrs.evolve(node, next_job="", next_start=None) for node in board.nodes),
    )
