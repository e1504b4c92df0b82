"""Courses and shifts out of logs and captured clusters."""
