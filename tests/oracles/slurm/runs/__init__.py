"""Whole runs: how exact the naive program over time is on recorded ones, and what a change moves."""
