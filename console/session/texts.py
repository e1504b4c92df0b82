"""The gate for texts of others, for whoever shows or writes them above the session."""

from shadowtime.scenarios.text.gate import plain_json, printable, printable_lines

__all__ = ["plain_json", "printable", "printable_lines"]
