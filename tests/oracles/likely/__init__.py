"""The naive program of likely starts: a sample of what may come, drawn as docs/forecast.md defines it."""
