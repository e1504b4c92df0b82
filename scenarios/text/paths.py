"""The path of a value in a document."""

Path = tuple[str | int, ...]
"""Keys and places in arrays that lead to a value: ("job", 2, "size") is the size of the third [[job]]."""
