"""The T3D in words: why its jobs wait and were decided about, and what its policy goes by."""
