"""Experiments as a page: charts, strips of dots, tables of published values beside ours."""
