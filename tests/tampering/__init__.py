"""Tests that change the database as a superuser, one change at a time. `verify` names each change, or a list
says why it does not.
"""
