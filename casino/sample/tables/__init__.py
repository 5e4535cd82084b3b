"""Sample tables: correct rounds of every game with a second opinion on what they pay, and the gaming day,
cage and staff around them.
"""
