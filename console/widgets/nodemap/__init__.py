"""The node map: the machine at one instant, flat or as a torus."""
