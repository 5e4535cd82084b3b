"""One module per report; its name is the report's name."""
