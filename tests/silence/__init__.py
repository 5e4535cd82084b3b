"""Tests that a change to a round without faults causes a finding, or is on a list of changes that are not
faults.
"""
