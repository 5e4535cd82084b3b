"""Tests of small changes to rounds in which nothing is wrong. Each change must cause a finding, or a list
must say that the change is not a fault.
"""
