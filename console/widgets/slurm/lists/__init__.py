"""Lists of a cluster beside its panels: reservations, nodes out of service, partitions."""
