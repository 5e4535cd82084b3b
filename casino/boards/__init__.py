"""The boards of surveillance: error rates compared with chance, verdicts, the exposure of the casino now, and
the live wall.
"""
