"""The settings of the house. All of them come from environment variables; every one has a safe default.

variable             default                    what it is
CATWALK_DATA         <project>/.data            folder of the embedded house: database, log, secret key; two folders are two houses
DATABASE_URL         (unset)                    postgres://user:password@host:port/name of the application's role, which can read
                                                the ledger and call its append function; ?host=/folder for a Unix socket, other
                                                options (sslmode=...) the same way. Unset: the embedded house
DATABASE_OWNER_URL   (unset)                    the same database as the owner of the schema, for `migrate`. Set both or neither
CELERY_BROKER_URL    (unset)                    redis://... or amqp://... of a broker that house and workers share. Unset: the embedded
                                                house's own, in CATWALK_DATA/broker
CATWALK_SECRET_KEY   (made once, kept 0600)     signs sessions; unset: made when first needed, in CATWALK_DATA/secret_key
CATWALK_HOSTS        localhost,127.0.0.1,[::1]  host names the pages answer to, with commas
CATWALK_DEBUG        0                          1 shows errors with their source: never where others can reach it
"""

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import SimpleLazyObject

from casino import configuration

BASE_DIR = Path(__file__).resolve().parent.parent
CATWALK_DATA = Path(os.environ.get("CATWALK_DATA") or BASE_DIR / ".data").absolute()

DEBUG = os.environ.get("CATWALK_DEBUG", "0") == "1"
SECRET_KEY = os.environ.get("CATWALK_SECRET_KEY") or SimpleLazyObject(lambda: configuration.kept_secret(CATWALK_DATA))
ALLOWED_HOSTS = os.environ.get("CATWALK_HOSTS", "localhost,127.0.0.1,[::1]").split(",")

INSTALLED_APPS = ["django.contrib.contenttypes", "django.contrib.auth", "audit", "casino"]
MIDDLEWARE: list[str] = []

# "default" is the application's role and can change nothing in the ledger; "owner" owns the schema and is for migrations.
_urls = (os.environ.get("DATABASE_URL"), os.environ.get("DATABASE_OWNER_URL"))
EMBEDDED = not any(_urls)
if EMBEDDED:
    DATABASES = configuration.embedded(CATWALK_DATA)
elif _urls[0] and _urls[1]:
    DATABASES = {
        "default": configuration.from_url(_urls[0], "DATABASE_URL"),
        "owner": configuration.from_url(_urls[1], "DATABASE_OWNER_URL"),
    }
else:
    raise ImproperlyConfigured("Set DATABASE_URL and DATABASE_OWNER_URL together, or neither for the embedded house.")

# The broker carries door bells for the workers (casino/celery.py); a job itself is a row.
EMBEDDED_BROKER = not os.environ.get("CELERY_BROKER_URL")
CELERY_BROKER_URL = os.environ.get("CELERY_BROKER_URL") or configuration.embedded_broker(CATWALK_DATA)
CATWALK_BELL = "casino.bell.ring"

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
USE_TZ = True
TIME_ZONE = "UTC"
