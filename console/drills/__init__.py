"""Drills and exams in lines, for terminals that cannot draw, for screen readers and for pipes."""
