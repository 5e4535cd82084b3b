"""How the admin writes instants: with their zone, which is the house's own, UTC."""
