"""Naive schedulers and metrics, written for clarity alone, that the compiled kernels must agree with."""
