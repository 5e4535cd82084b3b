"""The file formats of exports."""
