"""Modules that two or more games share: facts of the table, cards, odds, the shoe, the round and the shape of
a game.
"""
