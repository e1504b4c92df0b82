"""A cluster over time on the screen: its Gantt chart, its metrics, and its lanes side by side."""
