"""Reference data: the registers of a property, its calendar, and the forms of register entries."""
