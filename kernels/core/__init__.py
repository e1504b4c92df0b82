"""The machine, its queue and its clock: the state of a simulation, and the functions that advance it."""
