"""Reference data of a property: its registers, its calendar, and the forms for register entries."""
