"""Remove the pages of django-otp from the admin, because they would show the secrets of one-time
passwords.
"""

from django.contrib import admin
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

admin.site.unregister([StaticDevice, TOTPDevice])
