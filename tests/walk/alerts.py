"""Give the demo alerts, rules, and webhooks with deliveries of each state, for `rows.py`.

The webhooks are answered by a server of this process. It accepts the events of one webhook, answers an error
to those of another, and says that the third is gone, so that Catwalk sets it aside.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.every_page import Place
from tests.walk.forms import send
from tests.walk.office import Office, page

ANSWERS = {"/night": 200, "/day": 503, "/pager": 410}
"""For each path of the receiver: the status with which it answers."""
WEBHOOKS = {"soc-night": ("/night", []), "soc-day": ("/day", []), "old-pager": ("/pager", ["hand.flagged"])}
"""For each webhook: its path at the receiver, and its types of events (none: all)."""
RULES: tuple[dict[str, object], ...] = (
    {"rule": "Flags and integrity", "on": "finding", "codes": "flagged", "webhooks": ["soc-night"]},
    {"rule": "Silent tables", "on": "silent", "minutes": "1", "people": "v-101 v-102"},
    {"rule": "Late feeds in the small hours", "on": "late", "minutes": "5", "tables": "EOU-01 COU-01"},
    {"rule": "Held back", "on": "finding", "quiet_from": "00:00", "quiet_to": "23:59", "breaks": ""},
    {"rule": "Large amounts", "on": "finding", "grades": ["money", "integrity"], "over": "1250.00"},
    {"rule": "Jobs", "on": "set-aside"},
)


class _Receiver(BaseHTTPRequestHandler):
    """Answers each webhook with its status."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        status = ANSWERS.get(self.path, 404)
        body = b"ok" if status == 200 else b"The receiver is being repaired."
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def receiving() -> Iterator[str]:
    """Answer webhooks while this block runs. Yield the address of the receiver."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Receiver)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def set_up(office: Office, receiver: str) -> None:
    """Set the webhooks and the rules, and the addresses to which mail goes."""
    mia, dana = office.contexts["Mia"], office.contexts["Dana"]
    page = "/alerts/webhooks/?property=aurora"
    for name, (path, events) in WEBHOOKS.items():
        fields = {
            "webhook": name,
            "url": receiver + path,
            "events": events,
            "password": office.passwords["m-101"],
        }
        send(mia, page, fields, having={"webhook": ""})
    send(dana, "/alerts/mine/", {"mail": "dana@casino.example", "quiet_from": "", "quiet_to": ""})
    for rule in RULES:
        send(dana, "/alerts/rules/?property=aurora", {"page": "on", **rule}, having={"rule": ""})


def make(office: Office) -> list[Place]:
    """Wait for deliveries of each state. Return the pages to look at."""
    send(
        office.contexts["Mia"],
        "/alerts/webhooks/",
        {"act": "test"},
        having={"name": "soc-night", "act": "test"},
    )
    log = "/alerts/deliveries/?property=aurora"
    for state in ("delivered", "failed", "set-aside"):
        office.wait_for("Mia", f"{log}&state={state}", "<tbody>")
    office.wait_for("Dana", "/alerts/", "<tbody>")
    return [
        page("alerts", "Dana", "/alerts/"),
        page("alerts-phone", "Dana", "/queue/"),
        page("alert-rules", "Dana", "/alerts/rules/?property=aurora"),
        page("alert-rule-change", "Dana", "/alerts/rules/?property=aurora&rule=Silent+tables"),
        page("alerts-mine", "Dana", "/alerts/mine/"),
        page("webhooks", "Mia", "/alerts/webhooks/?property=aurora"),
        page("deliveries", "Mia", log),
        page("deliveries-set-aside", "Mia", f"{log}&state=set-aside"),
    ]
