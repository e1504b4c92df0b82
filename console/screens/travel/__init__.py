"""Moving in time, for every view that does: steps, play, and journeys that may be far."""
