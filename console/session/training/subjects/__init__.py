"""Kinds of questions that only some machines and schedulers have: rows, blocks, limits, reviews, actions."""
