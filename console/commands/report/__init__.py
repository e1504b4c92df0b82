"""What `shadowtime report` does."""
