"""Judging: what a paper says beside what came out here, row by row."""
