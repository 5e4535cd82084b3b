"""Pages about the logged-in user: home page, help, login, one-time passwords, API tokens; and the viewing
log.
"""
