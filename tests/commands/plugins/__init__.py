"""Policies of other packages, on the command line."""
