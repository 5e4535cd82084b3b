"""The sample property: its registers, its month, and its present day."""
