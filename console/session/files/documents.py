"""TOML texts whose faults know their line and column, for whoever reads settings above the session."""

from shadowtime.scenarios.errors import one_of, shown, single
from shadowtime.scenarios.files import read_regular
from shadowtime.scenarios.text.document import Document
from shadowtime.scenarios.text.table import Table

__all__ = ["Document", "Table", "one_of", "read_regular", "shown", "single"]
