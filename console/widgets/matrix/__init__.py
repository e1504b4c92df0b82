"""The Ousterhout matrix: time slots down, processors across."""
