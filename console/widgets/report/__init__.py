"""A report as one page of HTML: its parts, its pictures, its look."""
