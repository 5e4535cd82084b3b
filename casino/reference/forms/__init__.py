"""The forms of register entries: one for each register, dated, with a preview and a second signature."""
