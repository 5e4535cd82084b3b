"""Settlements and hands that show each rule: `reading` for those computed elsewhere, `notation` for ours."""
