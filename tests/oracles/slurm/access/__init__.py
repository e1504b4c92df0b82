"""Which waiting jobs may start: rules of partitions, limits of accounts and qualities of service."""
