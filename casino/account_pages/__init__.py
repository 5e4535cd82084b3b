"""Pages of a user's own: first page, login, one-time passwords, tokens, and the viewing log."""
