"""Files that the session reads and writes: imports, fetched logs, generated workloads, reports, exports."""
