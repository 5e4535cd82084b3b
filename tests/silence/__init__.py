"""A change to an honest round is found, or is on the list of changes that are honest."""
