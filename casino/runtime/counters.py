"""Count events within a time window. If the broker is a Redis or Valkey, all processes share the counters in
it.

If the broker does not answer, each process counts separately until it answers again. A limit may then be
exceeded as many times as there are processes. An AMQP broker cannot count. With such a broker, each process
always counts separately, and limits are divided by the number of web processes. Wrong passwords are counted
in the database (casino/accounts/lockout.py), because without the database nobody can log in anyway.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import cache as remember

import redis
from django.conf import settings
from django.core.cache import cache

from casino.runtime import embedded

SECONDS = 0.25
"""Maximum seconds to wait for an answer of the broker."""
BACKOFF = 5.0
"""Seconds for which this process counts separately after the broker did not answer."""
PREFIX = "catwalk:count:"
_alone_until = 0.0


def count(*keys: str, window: int, read_only: Sequence[str] = ()) -> list[int]:
    """Increase each counter in `keys` by one, and read the counters in `read_only`. A counter expires after
    `window` seconds. Return the values of `keys`, followed by those of `read_only`.
    """
    shared = _in_broker(keys, read_only, window)
    if shared is not None:
        return shared
    return [_add_here(key, window) for key in keys] + [int(cache.get(key, 0)) for key in read_only]


def share_of(limit: int) -> int:
    """Return how much of a limit one process may use. If the processes share counters, this is the whole
    limit. If they do not, it is the limit divided by the number of web processes.
    """
    return limit if broker_url() else max(1, limit // settings.WEB_WORKERS)


def broker_url() -> str:
    """Return the URL of the broker if the broker can count, otherwise an empty text."""
    if settings.EMBEDDED_BROKER:
        return f"unix://{embedded.broker_address(settings.CATWALK_DATA)}"
    url = str(settings.CELERY_BROKER_URL)
    if url.startswith("redis+socket://"):
        return url.replace("redis+socket", "unix", 1)
    return url if url.startswith(("redis://", "rediss://")) else ""


def _in_broker(keys: Sequence[str], read_only: Sequence[str], window: int) -> list[int] | None:
    """Count in the broker with one round trip. Return None if the broker does not answer or cannot count."""
    global _alone_until
    url = broker_url()
    if not url or time.monotonic() < _alone_until:
        return None
    try:
        with _client(url).pipeline(transaction=False) as pipe:
            for key in keys:
                pipe.incr(PREFIX + key)
            for key in read_only:
                pipe.get(PREFIX + key)
            for key in keys:
                pipe.expire(PREFIX + key, window)
            answers = pipe.execute()
    except (redis.RedisError, OSError):
        _alone_until = time.monotonic() + BACKOFF
        return None
    return [int(answer or 0) for answer in answers[: len(keys) + len(read_only)]]


@remember
def _client(url: str) -> redis.Redis:
    """Return the Redis client of this process. All threads share its connections."""
    return redis.Redis.from_url(url, socket_timeout=SECONDS, socket_connect_timeout=SECONDS)


def _add_here(key: str, window: int) -> int:
    cache.add(key, 0, window)
    try:
        return int(cache.incr(key))
    except ValueError:  # the window ended between the two calls
        return 1
