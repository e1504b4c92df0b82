"""What stands around the panels and in each of them: frames, inks, prompt, status, time bar."""
