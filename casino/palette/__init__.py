"""Search over everything that has an address: pages, tables, reports, people and hands."""
