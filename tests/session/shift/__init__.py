"""Tests of shifts: what is done in them, what it is worth, what is kept."""
