"""Celery's transport to the broker of the embedded house: who connects starts it, as with the database (backend/base.py)."""

from typing import Any

from django.conf import settings
from kombu.transport import redis

from casino.embedded import join_broker


class Transport(redis.Transport):
    """As kombu's; a new connection joins the house first, also when the broker was killed. Raises Trouble."""

    def establish_connection(self) -> Any:
        join_broker(settings.CATWALK_DATA)
        return super().establish_connection()
