"""Pictures of every page of the console, in every size and theme, for a person to look at."""
