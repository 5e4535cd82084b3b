"""The formats in which rows leave Catwalk."""
