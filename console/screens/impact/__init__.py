"""What actions would change, on the screen: pages of impact and advice, found in workers."""
