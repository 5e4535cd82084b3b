"""The definitions of reports, one module each. The name of the module is the name of the report."""
