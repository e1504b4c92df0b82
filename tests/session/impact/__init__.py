"""What an action would change."""
