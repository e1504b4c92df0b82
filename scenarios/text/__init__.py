"""TOML texts: values with their places, tables with rules, and editing and writing them."""
