"""Forms for register entries, one form per register. An entry has a first and a last day. It is previewed,
and a second person signs it.
"""
