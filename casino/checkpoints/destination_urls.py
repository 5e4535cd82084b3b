"""Parse the variable CATWALK_CHECKPOINT_COPIES, which lists the places outside the database to which
checkpoints are copied.

A place is `file:///folder`, `s3://bucket/prefix?endpoint=https://…&region=…`, or the address of a witness
with its key, `https://witness.example/prefix#VKEY`. With `PROPERTY=` in front of the URL, only the
checkpoints of that property are copied.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, urlsplit

SCHEMES = ("file", "s3", "https", "http")
S3_OPTIONS = frozenset({"endpoint", "region"})
EXPECTED = (
    "places separated by commas: file:///folder, s3://bucket/prefix?endpoint=https://…, or"
    " https://witness.example#VKEY, each with PROPERTY= in front if it is for one property"
)


class Destination(NamedTuple):
    """A place outside the database to which checkpoints are copied.

    Attributes:
        property: the property whose checkpoints are copied there, or empty for all properties.
    """

    property: str
    url: str

    def parts(self) -> SplitResult:
        """Return the URL, split into scheme, host, path, query and fragment."""
        return urlsplit(self.url)

    def name(self) -> str:
        """Return the URL without the key of a witness. Lists and jobs show this text."""
        return self.url.partition("#")[0]


def parse(text: str) -> Destination:
    """Return the destination that a text describes. Raise ValueError if the text does not describe one."""
    before, separator, address = text.partition("=")
    property, url = (before, address) if separator and "://" not in before else ("", text)
    destination = Destination(property, url)
    parts = destination.parts()
    if parts.scheme not in SCHEMES or "@" in parts.netloc:
        raise ValueError(url)
    if parts.scheme == "file" and (parts.netloc or not parts.path.startswith("/") or parts.query):
        raise ValueError(url)
    if parts.scheme == "s3" and (not parts.netloc or not set(dict(parse_qsl(parts.query))) <= S3_OPTIONS):
        raise ValueError(url)
    if parts.scheme in ("http", "https") and (not parts.hostname or parts.fragment.count("+") < 2):
        raise ValueError(url)
    return destination
