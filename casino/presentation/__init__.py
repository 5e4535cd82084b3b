"""Format values for pages, and parse user input: money, dates, labels and descriptions of facts."""
