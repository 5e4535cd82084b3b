"""Small streams, written when the manuals were read a second time. Each stream has a list of findings that it
must have, and a list of findings that it must not have.
"""
