"""What a report says, beside naive programs."""
