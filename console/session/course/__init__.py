"""A course: a run that one can move in. Places, breakpoints and searches are the same on every one."""
