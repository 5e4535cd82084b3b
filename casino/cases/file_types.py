"""The types of files that a case accepts.

The type is determined from the content. The name of the file and the type that the browser sends are ignored.
Programs, scripts, web pages and drawings with scripts are rejected.
"""

from __future__ import annotations

import codecs
from typing import NamedTuple

HEAD_BYTES = 4096
"""Number of bytes at the start of a file from which its type is determined."""
PICTURES = frozenset({"image/jpeg", "image/png", "image/webp"})
"""Types that a photo of a subject may have."""


class Signature(NamedTuple):
    """The bytes that identify a file type. The file starts with `begins`, and has one of the values in `then`
    at the position `offset`.
    """

    type: str
    begins: bytes
    then: tuple[bytes, ...] = (b"",)
    offset: int = 0


SIGNATURES = (
    Signature("application/pdf", b"%PDF-"),
    Signature("image/png", b"\x89PNG\r\n\x1a\n"),
    Signature("image/jpeg", b"\xff\xd8\xff"),
    Signature("image/webp", b"RIFF", (b"WEBP",), 8),
    Signature("video/x-msvideo", b"RIFF", (b"AVI ",), 8),
    Signature("audio/wav", b"RIFF", (b"WAVE",), 8),
    Signature("video/quicktime", b"", (b"ftypqt",), 4),
    Signature(
        "video/mp4", b"", (b"ftypisom", b"ftypiso", b"ftypmp4", b"ftypavc", b"ftypM4V", b"ftypdash"), 4
    ),
    Signature("video/webm", b"\x1a\x45\xdf\xa3"),
    Signature("video/mp2t", b"\x47", (b"\x47",), 188),
    Signature("application/zip", b"PK\x03\x04"),
)
"""The signatures of accepted types: video, pictures, documents and packed exports of recorders. Office
documents are ZIP files.
"""
NAMES = {
    "application/pdf": "PDF",
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/webp": "WebP",
    "video/x-msvideo": "AVI",
    "audio/wav": "WAV",
    "video/quicktime": "QuickTime",
    "video/mp4": "MP4",
    "video/webm": "WebM or Matroska",
    "video/mp2t": "MPEG transport stream",
    "application/zip": "ZIP or Office document",
    "text/plain": "plain text",
}
"""For each accepted type: its name on pages."""
_MARKUP = (b"<!doctype", b"<html", b"<svg", b"<script", b"<?xml", b"#!")


def type_of(head: bytes) -> str | None:
    """Return the type of a file from its first HEAD_BYTES bytes, or None if it is not accepted."""
    for signature in SIGNATURES:
        if head.startswith(signature.begins) and head[signature.offset :].startswith(signature.then):
            return signature.type
    return "text/plain" if _is_text(head) else None


def _is_text(head: bytes) -> bool:
    """Return True if these bytes are UTF-8 without control characters, and neither markup nor a script."""
    if head.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(_MARKUP):
        return False
    try:
        # The head may end inside a letter.
        text = codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return bool(text) and all(letter.isprintable() or letter in "\t\r\n\f\ufeff" for letter in text)
