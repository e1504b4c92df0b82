"""A course and a shift out of real moments: of a log, or of a captured cluster."""
