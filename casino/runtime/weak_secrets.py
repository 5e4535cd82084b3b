"""Recognize secrets that are easy to guess: too short, too regular, or made of words of examples and default
configurations.

This cannot measure how a secret was made. It refuses what somebody would try first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from urllib.parse import unquote, urlsplit

KEY_LENGTH = 32
"""Minimum number of characters of a secret key."""
TOKEN_LENGTH = 16
"""Minimum number of characters of a token that programs send."""
HOW_TO_MAKE_ONE = "random characters that are in no example, such as `openssl rand -base64 48` prints"
WORDS = re.compile(
    r"development|placeholder|1234567890|production|qwertyuiop|asdfghjkl|changeit|changeme|insecure|"
    r"passw0rd|password|postgres|catwalk|cluster|default|example|letmein|metrics|replace|without|zxcvbnm|"
    r"012345|abcdef|broker|casino|change|django|foobar|insert|passwd|please|qwerty|rabbit|random|sample|"
    r"secret|string|12345|98765|admin|guest|owner|redis|token|value|here|root|some|test|this|user|very|"
    r"with|your"
)
"""Words of examples and of default configurations, the longest first."""


def check_key(text: str) -> None:
    """Raise ValueError if a secret key is easy to guess."""
    _check(text, KEY_LENGTH)


def check_token(text: str) -> None:
    """Raise ValueError if a token is easy to guess."""
    _check(text, TOKEN_LENGTH)


def check_password(text: str) -> None:
    """Raise ValueError if the password of another server is well known or is used in an example.

    The other server decides how long a password must be.
    """
    if text and len(re.sub(r"[\W_]", "", _unusual(text))) < 2:
        raise ValueError


def check_url(text: str) -> None:
    """Raise ValueError if a URL contains a well-known password."""
    check_password(unquote(urlsplit(text).password or ""))


def is_weak(text: str, check: Callable[[str], None] = check_key) -> bool:
    """Return True if `check` raises ValueError for this secret, which means that the secret is
    easy to guess.
    """
    try:
        check(text)
    except ValueError:
        return True
    return False


def _check(text: str, minimum: int) -> None:
    """Raise ValueError if a secret is too short, if it is regular, or if too little remains without its
    well-known words. Regular secrets, such as `aaaa`, `abcd` or repetitions, have few different steps from
    one character to the next.
    """
    steps = {ord(after) - ord(before) for before, after in pairwise(text)}
    if len(text) < minimum or len(steps) < minimum * 3 // 8 or len(_unusual(text)) < minimum * 3 // 4:
        raise ValueError


def _unusual(text: str) -> str:
    """Return the secret without its well-known words."""
    return WORDS.sub("", text.lower())
