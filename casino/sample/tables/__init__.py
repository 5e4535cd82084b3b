"""Sample tables: correct rounds of every game, the gaming day, the cage and the staff. What each wager pays
is computed here again, independently of `games`.
"""
