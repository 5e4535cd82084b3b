"""Streams of the web server of the Procfile: events arrive, and an open stream does not delay the server's
end.
"""

from __future__ import annotations

import re
import time
from pathlib import Path

import requests

from tests.casino.feeding import write_lines
from tests.faults.web import web_server
from tests.manage import Manage


def test_a_stream_of_gunicorn_sends_and_ends_with_the_server(installation: Manage, tmp_path: Path) -> None:
    people = {"v-1": {"role": "surveillance"}}
    file = write_lines(tmp_path / "people.json", {"property": "aurora", "people": people})
    assert installation("load_register", str(file), "--by", "m-1", "--second", "m-2").returncode == 0
    password = installation("let_in", "v-1").stdout.split()[-1]
    with web_server(installation, tmp_path) as web:
        address, browser = f"http://127.0.0.1:{web.port}", requests.Session()
        page = browser.get(f"{address}/login/").text
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
        assert token is not None
        form = {"csrfmiddlewaretoken": token[1], "username": "v-1", "password": password}
        assert browser.post(f"{address}/login/", form).status_code == 200
        with browser.get(f"{address}/floor/stream/", stream=True, timeout=60) as answer:
            assert answer.status_code == 200
            lines = answer.iter_lines(chunk_size=1, decode_unicode=True)
            assert next(line for line in lines if line.startswith("event")) == "event: open"
            assert web.post()[0] == 201
            assert next(line for line in lines if line.startswith("event")) == "event: table"
            began = time.monotonic()
            web.process.terminate()
            web.process.wait(60)
            assert time.monotonic() - began < 10
