"""Benchmarks: datasets, metrics, runs, their comparison, their plots and their record in the graph."""
