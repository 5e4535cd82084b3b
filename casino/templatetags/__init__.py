"""Template tags and filters. Most of them are functions of `casino/presentation`."""
