"""Template tags and filters. Most register functions of `casino/presentation`."""
