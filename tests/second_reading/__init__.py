"""Small streams written in a second reading of the manuals, each with the findings that it must and must not
have.
"""
