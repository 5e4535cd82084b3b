"""Exports: formats, datasets, manifests, and the archive of exports that are kept."""
