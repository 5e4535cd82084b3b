"""The WSGI application for the web server (casino/runtime/operations/web_server.py). Each thread keeps its
database connection open between requests.
"""

import os

from django.core.wsgi import get_wsgi_application

from casino.runtime import environment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
os.environ.setdefault("CATWALK_KEEP", "600")
os.environ.setdefault("CATWALK_LOG", "json")
environment.or_exit(serves=True)
application = get_wsgi_application()
