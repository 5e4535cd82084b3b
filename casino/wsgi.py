"""What a web server runs: `gunicorn casino.wsgi --worker-class gthread`. Each of its threads keeps its
connection to the database.
"""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
os.environ.setdefault("CATWALK_KEEP", "600")
os.environ.setdefault("CATWALK_LOG", "json")
application = get_wsgi_application()
