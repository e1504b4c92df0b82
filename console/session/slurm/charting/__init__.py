"""What a Gantt chart and the metrics over time show of a cluster, from its history and its plan."""
