"""One table with a cursor: its columns, and the widget that draws the rows in sight."""
