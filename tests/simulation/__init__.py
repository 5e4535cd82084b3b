"""Tests over whole nights that `casino.sample` generates: nights without faults have no findings, and each
planted fault is found.
"""
