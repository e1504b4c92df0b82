"""The terminal: bytes that are no text, signals, keys typed ahead, what a crash leaves behind."""
