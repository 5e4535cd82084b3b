"""The home page, the help pages, the viewing log, and pages on which users manage their login, one-time
passwords and API tokens.
"""
