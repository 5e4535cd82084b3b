"""Parameters of URLs that several capabilities share."""

from __future__ import annotations

from django.urls import register_converter
from django.urls.converters import UUIDConverter


class Uid(UUIDConverter):
    """A UUID in a URL. Its letters may be upper or lower case."""

    regex = UUIDConverter.regex.replace("a-f", "a-fA-F")


register_converter(Uid, "uid")
