"""Change the database as a superuser, one change at a time: `verify` names it, or a list says why not."""
