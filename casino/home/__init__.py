"""The home page of each role: the present state, what is late, and the money in question, with links."""
