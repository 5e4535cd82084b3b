"""The REST API: facts in, everything that is recorded out. JSON with a token; every error is a problem
document.
"""
