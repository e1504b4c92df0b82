"""What an action would change: two expected runs from one instant, and a search over what may be done."""
