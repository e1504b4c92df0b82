"""Commands about likely starts: at a moment of a log, and their score."""
