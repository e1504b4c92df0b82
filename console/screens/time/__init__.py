"""Time as the operator looks at it: the clock, and the worst moments."""
