"""Serve the pages and the REST API from the database of the test, for programs that run as processes of their
own.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.servers.basehttp import ThreadedWSGIServer

from casino.wsgi import application
from tests.browser.conftest import Quiet


@contextmanager
def served() -> Iterator[str]:
    """Run a web server in this process, and yield its address."""
    server = ThreadedWSGIServer(("127.0.0.1", 0), Quiet)
    server.daemon_threads = True
    server.set_app(application)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
