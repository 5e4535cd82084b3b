"""Template tags and filters. They only register what `casino/presentation` formats and draws."""
