"""What pages draw and how they write it."""
