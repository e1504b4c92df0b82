"""The Gantt chart: nodes down, time across."""
