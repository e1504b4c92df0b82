"""Training: the menu, the tour, drills, nights on duty."""
