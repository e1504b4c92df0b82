"""What a board shows of a cluster: jobs, nodes, devices, lists."""
