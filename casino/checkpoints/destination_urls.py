"""Parse the variables CATWALK_CHECKPOINT_COPIES and CATWALK_EXPORT_COPIES, which list the places outside the
database to which checkpoints and scheduled exports are copied.

A place is `file:///folder`, `s3://bucket/prefix?endpoint=https://…&region=…` or
`sftp://user@host/folder?key=FILE&known_hosts=FILE`. A place for checkpoints can also be the address of a
witness with its key, `https://witness.example/prefix#VKEY`. A place for exports can also be a mail address,
`mailto:person@casino.example`. With `PROPERTY=` in front of the URL, only files of that property are copied.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, urlsplit

WITNESSES = ("https", "http")
MAIL = "mailto"
MAIL_ADDRESS = re.compile(r"[^\s@<>,;:?#%\"]+@[^\s@<>,;:?#%\"]+")
SCHEMES = ("file", "s3", "sftp", *WITNESSES)
S3_OPTIONS = frozenset({"endpoint", "region"})
SFTP_OPTIONS = frozenset({"key", "known_hosts"})
STORES = (
    "file:///folder, s3://bucket/prefix?endpoint=https://…, sftp://user@host/folder?key=FILE&known_hosts=FILE"
)
OF_ONE_PROPERTY = "each with PROPERTY= in front if it is for one property"
EXPECTED_DELIVERIES = f"places separated by commas: {STORES}, mailto:person@casino.example, {OF_ONE_PROPERTY}"
EXPECTED = f"places separated by commas: {STORES}, or https://witness.example#VKEY, {OF_ONE_PROPERTY}"


class Destination(NamedTuple):
    """A place outside the database to which files are copied.

    Attributes:
        property: the property whose files are copied there, or empty for all properties.
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
    destination = _split(text)
    url, parts = destination.url, destination.parts()
    if parts.scheme not in SCHEMES or ("@" in parts.netloc and parts.scheme != "sftp"):
        raise ValueError(url)
    if parts.scheme == "sftp" and not _names_sftp_folder(parts):
        raise ValueError(url)
    if parts.scheme == "file" and (parts.netloc or not parts.path.startswith("/") or parts.query):
        raise ValueError(url)
    if parts.scheme == "s3" and (not parts.netloc or not set(dict(parse_qsl(parts.query))) <= S3_OPTIONS):
        raise ValueError(url)
    if parts.scheme in WITNESSES and (not parts.hostname or parts.fragment.count("+") < 2):
        raise ValueError(url)
    return destination


def parse_store(text: str) -> Destination:
    """Return the destination that a text describes. Raise ValueError also for a witness, which stores no
    files.
    """
    destination = parse(text)
    if destination.parts().scheme in WITNESSES:
        raise ValueError(text)
    return destination


def parse_delivery(text: str) -> Destination:
    """Return the destination that a text describes: a store of files or a mail address. Raise ValueError if
    the text describes neither.
    """
    destination = _split(text)
    if destination.parts().scheme != MAIL:
        return parse_store(text)
    if not MAIL_ADDRESS.fullmatch(destination.url.partition(":")[2]):
        raise ValueError(text)
    return destination


def _split(text: str) -> Destination:
    """Return the property and the URL of a text `PROPERTY=URL`. Without `PROPERTY=`, the property is
    empty.
    """
    before, separator, address = text.partition("=")
    has_property = separator and "://" not in before and not before.startswith(f"{MAIL}:")
    return Destination(before, address) if has_property else Destination("", text)


def _names_sftp_folder(parts: SplitResult) -> bool:
    """Return True if a URL names a user without a password, a host, a folder, the file of the private key,
    and the file with the keys of known hosts.
    """
    options = dict(parse_qsl(parts.query))
    has_login = bool(parts.username and parts.hostname) and parts.password is None
    return has_login and parts.path.startswith("/") and set(options) == SFTP_OPTIONS
