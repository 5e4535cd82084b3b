"""One-time passwords have no page in the admin: what django-otp brings would show their secrets."""

from django.contrib import admin
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

admin.site.unregister([StaticDevice, TOTPDevice])
