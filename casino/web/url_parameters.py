"""Parameters of URLs that several capabilities share."""

from __future__ import annotations

from django.urls import register_converter
from django.urls.converters import UUIDConverter


class Uid(UUIDConverter):
    """A UUID with digits in upper or lower case, which mean the same."""

    regex = UUIDConverter.regex.replace("a-f", "a-fA-F")


register_converter(Uid, "uid")
