"""What is on the terminal at one time."""
