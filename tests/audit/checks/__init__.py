"""What the checks that span tables find, each with its control kept and broken."""
