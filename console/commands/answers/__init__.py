"""Commands that answer a question about one job or one action at an instant."""
