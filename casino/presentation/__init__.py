"""Format values for pages and parse typed ones: money, dates, labels and descriptions of facts."""
