"""What is expected of a cluster, what would get a job started, and who could start with a shorter limit."""
