"""What an officer does in a browser."""
