"""Exports: file formats, datasets, manifests, and the archive of exports."""
