"""What two or more games share: facts of the table, cards, odds, shoe, round and the shape of a game."""
