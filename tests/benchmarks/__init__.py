"""Figures against the bars of the house, each in one run: `python -m tests.benchmarks.append`."""
