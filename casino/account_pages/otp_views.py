"""Pages with which users manage their own login (password, one-time passwords), and the login form."""

from __future__ import annotations

from base64 import b32encode
from typing import Any

import qrcode
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.views import PasswordChangeView
from django.core.exceptions import PermissionDenied, ValidationError
from django.forms import CharField, TextInput
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters

from casino.account_pages.forms import OtpForm
from casino.accounts import otp as one_time
from casino.accounts import scopes, signatures
from casino.accounts import services as accounts
from casino.accounts.openid_people import GONE
from casino.accounts.otp import OtpRejected
from casino.accounts.permissions import properties
from casino.models import Person
from casino.presentation.errors import ActionRejected
from casino.reference.registers import find_departed
from casino.web import request_params
from casino.web.form_view import current_user, submitted
from casino.web.request_params import require_GET_or_POST

NO_FIT = "Wrong id or password. After five wrong tries the id is locked for a while."


class LoginForm(AuthenticationForm):
    """The login form: staff ID, password, and a one-time password for users who have set them up."""

    code = CharField(required=False, max_length=60)
    error_messages = {"invalid_login": NO_FIT, "inactive": NO_FIT}

    def confirm_login_allowed(self, user: Any) -> None:
        """Check the one-time password after the password has been accepted. Raise ValidationError, which says
        what to do, if the code is missing or wrong.
        """
        super().confirm_login_allowed(user)
        if not user.roles and find_departed([user.pk]):
            raise ValidationError(GONE, code="left")
        if not one_time.enrolled([user.pk]):
            return
        try:
            one_time.verify_codes({user.pk: self.cleaned_data.get("code", "")})
        except OtpRejected as wrong:
            if wrong.guessed and self.request is not None:
                signatures.record_failed_code(self.request, wrong.person)
            raise ValidationError(str(wrong), code="code") from None


class NewPassword(PasswordChangeForm):
    """The form for a new password. It also asks for the current password and, if set up, a one-time code.
    Wrong entries count as failed logins, because another person may be using an unattended screen.
    """

    def __init__(self, request: HttpRequest, user: Any, *args: Any, **options: Any) -> None:
        super().__init__(user, *args, **options)
        self.request = request
        if not user.has_usable_password():
            del self.fields["old_password"]
        if one_time.enrolled([user.pk]):
            shown = TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"})
            self.fields["code"] = CharField(max_length=60, label="One-time code", widget=shown)
            self.order_fields(["old_password", "code", "new_password1", "new_password2"])

    def clean_old_password(self) -> str:
        """Return the current password. Raise ValidationError if it is wrong. Five wrong passwords lock the
        staff ID at this address.
        """
        typed: str = self.cleaned_data["old_password"]
        if signatures.authenticate_signer(self.request, self.user.pk, typed) is None:
            raise ValidationError(self.error_messages["password_incorrect"], code="password_incorrect")
        return typed

    def clean(self) -> dict[str, Any]:
        """Return the values of the form. The one-time code is checked last, so that a mistake in another
        field does not use up the code.
        """
        cleaned = super().clean() or {}
        if "old_password" not in self.fields and not self.errors:
            try:
                signatures.require_confirmation(self.request)
            except ActionRejected as refused:
                self.add_error(None, str(refused))
        if "code" in self.fields and not self.errors:
            try:
                one_time.verify_codes({self.user.pk: cleaned["code"]})
            except OtpRejected as wrong:
                if wrong.guessed:
                    signatures.record_failed_code(self.request, wrong.person)
                self.add_error("code", str(wrong))
        return cleaned


class ChangePassword(PasswordChangeView):
    """The page on which a user sets a new password. Every other session of the user then ends."""

    form_class = NewPassword
    success_url = "/"

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}

    def form_valid(self, form: Any) -> HttpResponse:
        """Store the new password. A confirmation at the OpenID Connect provider is used up."""
        self.request.session.pop(signatures.CONFIRMED, None)
        return super().form_valid(form)


@sensitive_post_parameters("password", "code")
@require_GET_or_POST
def otp(request: HttpRequest) -> HttpResponse:
    """Show the settings of the user's login, and handle the actions of that page, such as setting up one-time
    passwords or creating new backup codes.
    """
    person = current_user(request)
    if not person.roles:
        raise PermissionDenied("a user without a role cannot sign anything")
    if request.method != "POST":
        return render(request, "own/otp.html", _shown(person))
    form = OtpForm(submitted(request))
    act = ACTS.get(form.accepted()["act"])
    try:
        if act is None:
            raise ActionRejected("This form is no longer valid. Reload the page and try again.")
        backups = act(request)
    except ActionRejected as refused:
        form.reject(refused)
        return render(request, "own/otp.html", _shown(person) | {"form": form}, status=400)
    if backups is None:
        return redirect("otp")
    return render(request, "own/otp.html", _shown(person) | {"backups": backups})


def _begin(request: HttpRequest) -> None:
    """Start setting up an authenticator, after a check of the user's password. If the user replaces an
    authenticator, also check a code from the old one.
    """
    one_time.begin_enrollment(signatures.confirm_password(request))


def _confirm(request: HttpRequest) -> list[str]:
    person = current_user(request)
    try:
        backups = one_time.confirm_enrollment(person, OtpForm(submitted(request)).accepted()["code"])
    except OtpRejected as wrong:
        raise ActionRejected(str(wrong), "code") from None
    update_session_auth_hash(request, person)  # This session continues; all others of the user end.
    return backups


def _renew(request: HttpRequest) -> list[str]:
    person = signatures.confirm_password(request)
    if one_time.enrolled_since(person) is None:
        raise ActionRejected("Set up one-time passwords first; backup codes come with them.")
    return one_time.new_backup_codes(person)


def _stop(request: HttpRequest) -> None:
    person = signatures.confirm_password(request)
    if places := [property for property in person.roles if one_time.is_required(property)]:
        raise ActionRejected(
            f"{', '.join(sorted(places))} requires one-time passwords. You can move them to another"
            " authenticator, but not turn them off."
        )
    one_time.remove_otp(person.pk)


def _out(request: HttpRequest) -> None:
    """End every session of the user except the current one."""
    accounts.end_sessions_of(current_user(request))
    update_session_auth_hash(request, current_user(request))
    messages.success(request, "All your other sessions have ended.")


ACTS = {"out": _out, "begin": _begin, "confirm": _confirm, "renew": _renew, "stop": _stop}


def _shown(person: Person) -> dict[str, Any]:
    device, places = one_time.pending_device(person), sorted(person.roles)
    return {
        "since": one_time.enrolled_since(person),
        "left": one_time.backup_codes_left(person),
        "begun": device,
        "zone": request_params.zone(places[0]),
        "demanded": ", ".join(property for property in places if one_time.is_required(property)),
        "may_hold": bool(scopes.usable_scopes(person)),
        "may_issue": bool(properties(person, "issue-token")),
        "squares": "" if device is None else squares(device.config_url),
        "secret": "" if device is None else spoken(device.bin_key),
        "roles": [
            (property, ", ".join(sorted(person.roles[property])).replace("-", " ")) for property in places
        ],
    }


def squares(text: str) -> dict[str, Any]:
    """Return the QR code of a text for a template: `path`, the path of an SVG that draws the dark squares,
    and `wide`, the width in squares with the margin.
    """
    code = qrcode.QRCode(error_correction=qrcode.constants.ERROR_CORRECT_M, border=4)
    code.add_data(text)
    matrix = code.get_matrix()
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(matrix) for x, dark in enumerate(row) if dark)
    return {"path": path, "wide": len(matrix)}


def spoken(key: bytes) -> str:
    """Return a secret in base 32, in groups of four characters, for users who cannot scan the QR code."""
    text = b32encode(key).decode().rstrip("=")
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))
