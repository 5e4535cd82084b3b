"""The REST door: facts in, the state of a table out. JSON alone, with a token, and every error is a problem
document.
"""
