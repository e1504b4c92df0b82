"""Nodes: lists, whereabouts of jobs, the course of a node."""
