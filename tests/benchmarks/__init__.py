"""Figures against Catwalk's performance bars, each in one run: `python -m tests.benchmarks.append`."""
