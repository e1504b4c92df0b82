"""The curriculum of one trainee: the map of the courses, how far the trainee is, what is due for review."""
