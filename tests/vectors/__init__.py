"""Settlements that were computed outside this project (`reading`), and hands that are written down here to
show each rule (`notation`).
"""
