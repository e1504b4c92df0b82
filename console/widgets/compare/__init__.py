"""The lanes of the compare view, and their figures as text."""
