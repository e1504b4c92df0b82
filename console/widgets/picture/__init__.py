"""Pictures of a screen: what stands in its cells, as SVG, still or moving."""
