"""The queue: every waiting and running job, one line each."""
