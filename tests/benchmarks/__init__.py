"""Benchmarks that compare Catwalk with its performance goals. Each is run by itself: `python -m
tests.benchmarks.append`.
"""
