"""Users: permissions, tokens and scopes, one-time passwords, signatures, lock-out and the viewing log."""
