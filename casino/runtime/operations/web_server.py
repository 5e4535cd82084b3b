"""Gunicorn's settings, for `gunicorn -c python:casino.runtime.operations.web_server casino.wsgi`. Settings
that differ between installations come from environment variables. Gunicorn starts, watches and stops the
processes; casino/runtime/operations/web_worker.py receives the requests.

Each web process writes its request counts to a shared folder that exists while the server runs.
"""

import gc
import os
import shutil
import tempfile
from typing import Any

from django.urls import get_resolver
from gunicorn.glogging import Logger

from casino.runtime import environment
from casino.runtime.operations import logs

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
_given = environment.or_exit(serves=True)
_lines = logs.settings_of(_given.log or logs.JSON, _given.log_level)


class Log(Logger):  # type: ignore[misc]
    """Gunicorn's own messages in Catwalk's log format. Requests are logged only by
    casino/runtime/operations/request_log.py.
    """

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        if _lines:
            logs.start(_lines)


bind = _given.bind
workers = _given.web_workers
worker_class = "casino.runtime.operations.web_worker.BufferingWorker"
threads = _given.web_threads
timeout = 60
graceful_timeout = 20
worker_tmp_dir = (
    "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
)  # gunicorn kills a process whose heartbeat waits for a slow disk
control_socket_disable = True
loglevel = _given.log_level
logger_class = Log


def on_starting(server: Any) -> None:
    """Create the shared folder for metrics.

    This must happen before the first web process starts, and before prometheus_client is imported, because
    that reads the folder's path only once.
    """
    server.counted = (
        "" if os.environ.get(FOLDER) else tempfile.mkdtemp(prefix="catwalk-figures-", dir=worker_tmp_dir)
    )
    if server.counted:
        os.environ[FOLDER] = server.counted


YOUNG = 20_000
"""Number of new objects after which the garbage collector looks for circles among them. A page with long
lists creates thousands of objects and frees them itself (casino/web/template_engine.py), so that looking for
circles more often takes time and finds nothing.
"""


def post_worker_init(worker: Any) -> None:
    """Exclude everything that a web process has loaded from garbage collection, and collect less often.

    Long lists create many small objects and so cause many collections. Half of the time of a long list was
    spent on checking loaded objects, which are never freed.
    """
    _ = get_resolver().url_patterns
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG)


def on_exit(server: Any) -> None:
    """Delete the shared folder for metrics."""
    if server.counted:
        shutil.rmtree(server.counted, ignore_errors=True)
