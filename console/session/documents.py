"""TOML texts whose faults know their line and column, for whoever reads settings above the session."""

from scenarios.document import Document
from scenarios.errors import one_line, one_of, shown, single
from scenarios.table import Table

__all__ = ["Document", "Table", "one_line", "one_of", "shown", "single"]
