"""The compare view: two to four policies side by side."""
