"""Moving in time: the trajectory of a run, its copies, what is prepared in advance, the list of events."""
