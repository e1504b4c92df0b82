"""The command palette: everything that can be done and opened, by name."""
