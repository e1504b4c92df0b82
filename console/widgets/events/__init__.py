"""The events around the cursor, what was decided, and why the selected job waits."""
