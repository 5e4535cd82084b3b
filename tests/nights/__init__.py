"""Nights: gaming days as facts, with the findings expected in them. They were created outside this project,
from the same definition of the kinds of fact.
"""
