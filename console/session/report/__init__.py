"""What a report for a meeting is made of: the waits in a window of time, and why they were long."""
