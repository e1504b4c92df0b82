"""TOML texts whose faults know their line and column, for whoever reads settings above the session."""

from scenarios.errors import one_line, one_of, shown, single
from scenarios.files import read_regular
from scenarios.text.document import Document
from scenarios.text.table import Table

__all__ = ["Document", "Table", "one_line", "one_of", "read_regular", "shown", "single"]
