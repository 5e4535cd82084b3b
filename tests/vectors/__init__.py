"""Shared settlements, computed outside this project (`reading`), and hands written down here to show each
rule (`notation`).
"""
