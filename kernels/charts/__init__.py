"""What a Gantt chart is drawn from."""
