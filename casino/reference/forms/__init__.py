"""Forms for register entries, one form per register. An entry has a first and a last day, and is previewed
and signed by a second person.
"""
