"""Texts of others, on their way to a terminal, a header, a cell or a page."""
