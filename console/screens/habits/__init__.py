"""What hands know from other programs: moving in lists, letters to go to, counts, the editor."""
