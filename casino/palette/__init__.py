"""Search for pages, tables, reports, people and hands from any page."""
