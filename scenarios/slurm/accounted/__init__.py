"""What a cluster's accounting has of earlier jobs."""
