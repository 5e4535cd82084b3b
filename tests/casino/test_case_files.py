"""Files and subjects of cases: the type of a file is read from its content, files are downloaded and never
shown in the browser, and erasing contents breaks no proof.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from casino.cases.file_types import type_of
from tests.casino.casework import (
    CASES,
    MP4,
    PNG,
    faults,
    named_file,
    opened,
    post_act,
    state,
)
from tests.casino.conftest import Cast
from tests.casino.pages import text


def test_equal_files_are_stored_once_and_are_only_downloaded(desk: Cast) -> None:
    number, other = opened(desk), opened(desk)
    dana = desk.browser("Dana")

    def added(case: str, content: bytes, name: str) -> Any:
        return post_act(dana, "file", case, file=named_file(content, name))

    assert added(number, MP4, "cam-13 <script>.mp4").status_code == 302
    assert added(other, MP4, "the same.mp4").status_code == 302
    assert added(number, MP4, "again.mp4").status_code == 400
    (file,) = state(number).files
    assert (file.bytes, file.type) == (len(MP4), "video/mp4")
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*), sum(length(content)) FROM case_file_piece")
        assert cursor.fetchone() == (3, len(MP4))
    answer = dana.get(f"/cases/aurora/{number}/files/{file.sha256}/")
    assert b"".join(answer) == MP4
    assert answer["Content-Disposition"] == 'attachment; filename="cam-13__script_.mp4"'
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert desk.browser("Boris").get(f"/cases/aurora/{number}/files/{file.sha256}/").status_code == 403
    for refused in (
        b"MZ\x90\0\3",
        b"<html><script>",
        b"#!/bin/sh\n",
        b"<svg xmlns",
        b"\x7fELF",
        b"",
        b"\0\1",
    ):
        assert added(number, refused, "video.mp4").status_code == 400, refused
    assert faults(*CASES) == []


def test_a_file_that_is_too_long_is_refused(desk: Cast, settings: Any) -> None:
    settings.FILE_BYTES = 1000
    number = opened(desk)
    answer = post_act(desk.browser("Dana"), "file", number, file=named_file(PNG + b"\0" * 1000, "x.png"))
    assert answer.status_code == 400
    assert "at most 1,000" in text(answer)


@pytest.mark.parametrize(
    ("head", "type_"),
    [
        (b"%PDF-1.7\n", "application/pdf"),
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b"RIFF\0\0\0\0AVI LIST", "video/x-msvideo"),
        (b"RIFF\0\0\0\0abcd", None),
        (MP4[:100], "video/mp4"),
        (b"PK\x03\x04", "application/zip"),
        ("Gespräch, 14 Uhr\n".encode(), "text/plain"),
        ("é".encode() * 2000 + b"\xc3", "text/plain"),
        (b"text\0text", None),
        (b"  <!DOCTYPE html>", None),
        (b"\xff\xfe", None),
    ],
)
def test_the_type_of_a_file_is_read_from_its_content(head: bytes, type_: str | None) -> None:
    assert type_of(head) == type_


def test_a_subject_is_watched_for_a_period_and_can_be_erased_without_breaking_proofs(desk: Cast) -> None:
    number, dana = opened(desk), desk.browser("Dana")
    subject = {
        "role": "patron",
        "id": "p-90210",
        "description": "Tall man, grey coat",
        "measure": "ban",
        "reason": "Cap after the roll",
        "begins": "2026-11-01",
        "ends": "2036-11-01",
    }
    assert post_act(dana, "subject", number, photo=named_file(MP4, "p.png"), **subject).status_code == 400
    assert post_act(dana, "subject", number, photo=named_file(PNG, "p.png"), **subject).status_code == 302
    assert post_act(dana, "subject", number, **subject | {"ends": "2026-10-01"}).status_code == 400
    assert post_act(dana, "subject", number, **subject | {"reason": ""}).status_code == 400
    assert post_act(dana, "note", number, note="A note to erase").status_code == 302
    listed = text(dana.get("/cases/"))
    assert "Tall man, grey coat" in listed
    assert "ban until 1 Nov 2036" in listed
    (found_subject,) = state(number).subjects
    note = state(number).facts[-1].event.note_sha256
    photo = dana.get(f"/cases/aurora/{number}/files/{found_subject.photo_sha256}/")
    assert b"".join(photo) == PNG
    wanted = [found_subject.photo_sha256, found_subject.description_sha256, found_subject.reason_sha256, note]
    erasure = {"erased": wanted, "why": "asked-by-person"}
    assert post_act(dana, "erase", number, **erasure).status_code == 400, "a second person signs"
    alone_signed = {"second": "v-101", "second_password": ""}
    assert post_act(dana, "erase", number, **erasure | alone_signed).status_code == 400
    second = {"second": "m-101", "second_password": desk.logins["Mia"].password}
    stranger = {"erased": ["0" * 64], "why": "ordered"}
    assert post_act(dana, "erase", number, **stranger | second).status_code == 400
    assert post_act(dana, "erase", number, **erasure | second).status_code == 302
    page = text(dana.get(f"/cases/aurora/{number}/"))
    assert "Tall man" not in page
    assert "Cap after" not in page
    assert "A note to erase" not in page
    assert page.count("(erased)") >= 3
    assert dana.get(f"/cases/aurora/{number}/files/{found_subject.photo_sha256}/").status_code == 404
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM case_words WHERE sha256 = ANY (%s)", [wanted])
        assert cursor.fetchone() == (0,)
    assert faults(*CASES, "fact", "head", "stream", "seal") == []
