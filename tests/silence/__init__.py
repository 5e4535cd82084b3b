"""Tests of small changes to rounds in which nothing is wrong. Each change must cause a finding, unless a list
says that the change is not a fault.
"""
