"""Gaming days as facts, with the findings expected in them. They were created outside this project, from the
same event contract.
"""
