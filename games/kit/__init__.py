"""The parts that two or more games share: the facts that a table reports, cards, odds, the shoe, the round,
and the class that describes a game.
"""
