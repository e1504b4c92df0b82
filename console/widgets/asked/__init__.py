"""The questions of drills in lines of text, with what they are about."""
