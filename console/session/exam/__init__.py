"""Exams: a course under a seed and a time limit, kept in a file, and the files of a class collected."""
