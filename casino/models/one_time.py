"""Models for one-time passwords, as proxies of the tables of django-otp. The secret of an authenticator is
encrypted with a key that is not in the database.
"""

from __future__ import annotations

from binascii import unhexlify
from typing import Any

from django.db import models
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice, default_key

from casino.models.entries import ProxyMeta
from casino.sealing import keys
from casino.sealing.rows import Sealed, SealedRows


class Authenticator(Sealed, TOTPDevice):
    """An authenticator. `key` contains its secret in encrypted form."""

    objects = models.Manager.from_queryset(SealedRows)()

    class Meta(ProxyMeta):
        pass

    @classmethod
    def with_new_secret(cls, **values: Any) -> Authenticator:
        """Create an authenticator with a new secret, and return it."""
        authenticator: Authenticator = cls.objects.create(key=keys.encrypt(default_key()), **values)
        return authenticator

    @property
    def bin_key(self) -> bytes:
        """Return the secret from which codes are computed. Raise keys.Undecryptable."""
        return unhexlify(keys.decrypt(self.key))


class BackupCodes(Sealed, StaticDevice):
    """The set of backup codes of a person."""

    objects = models.Manager.from_queryset(SealedRows)()

    class Meta(ProxyMeta):
        pass


class BackupCode(Sealed, StaticToken):
    """One backup code, stored as a keyed digest. The key is not in the database."""

    objects = models.Manager.from_queryset(SealedRows)()

    class Meta(ProxyMeta):
        pass
