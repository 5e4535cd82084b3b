"""Small streams, written when the manuals were read a second time. Each says which findings it must have and
which it must not have.
"""
