"""Panels and lines of a screen: pure text functions beside thin widgets."""
