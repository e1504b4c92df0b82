"""What an operator does to a machine at work, and what fails: actions, outages, overrides."""
