"""A cluster over time: its captures, the ways of an operator, breakpoints, and what is expected."""
