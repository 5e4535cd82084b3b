"""Notify the workers that a job is due. Jobs are rows in the database, so if a notification is lost, the job
is only delayed.
"""

import logging
import threading
import time
from collections.abc import Sequence

from django.conf import settings
from django.utils.module_loading import import_string

from audit.jobs import leases
from casino.runtime import embedded

BACKOFF = 5.0
"""Seconds without notifications after one has failed, so that requests do not wait for a broker that does not
answer.
"""
_log = logging.getLogger(__name__)
_mute = threading.local()


def notify(ids: Sequence[int]) -> None:
    """Send one message for each job. Never raise an error, and never start the broker: if the broker is not
    running, no worker is running either.
    """
    if time.monotonic() < getattr(_mute, "until", 0.0):
        return
    if settings.EMBEDDED_BROKER and not embedded.broker_answers(settings.CATWALK_DATA):
        return
    app = import_string(settings.CELERY_APP)
    try:
        with app.producer_or_acquire() as producer:
            for id in ids:
                app.send_task(leases.TASK, (id,), producer=producer, retry_policy=ONCE_MORE)
    except Exception as error:  # the facts are recorded in any case, and the sweep notifies again
        _mute.until = time.monotonic() + BACKOFF
        _log.warning(
            "Workers were not notified of %d jobs (%s). The sweep notifies them later.", len(ids), error
        )


ONCE_MORE = {"max_retries": 1, "interval_start": 0, "interval_step": 0, "interval_max": 0}
