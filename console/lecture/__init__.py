"""A course before a class: large, read-only, with a pause to predict and a count of hands."""
