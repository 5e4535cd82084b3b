"""The one act of the admin: a register entry, by the person logged in and with a second person's own password."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.debug import sensitive_post_parameters
from msgspec import DecodeError, json

from audit.facts import Refused
from casino import people, signing
from casino.importing.register import Entry
from casino.importing.register_values import check
from casino.permissions import may, properties

DAY = forms.DateInput(attrs={"type": "date"})


class RegisterEntry(forms.Form):
    """What the entry says, from which gaming day until before which, and who signs beside."""

    property = forms.ChoiceField()
    register = forms.CharField(max_length=100, help_text="people, approvals, day-begins, pits, tables, cameras, devices, property …")
    key = forms.CharField(max_length=100, help_text="the id of the person, the code of the table, the approval's letter")
    value = forms.CharField(
        widget=forms.Textarea(attrs={"rows": 4, "cols": 80}), help_text='JSON, such as {"role": "surveillance"}; null strikes the key out'
    )
    begins = forms.DateField(required=False, label="From", widget=DAY, help_text="the first gaming day; empty = always")
    ends = forms.DateField(
        required=False, label="To", widget=DAY, help_text="the gaming day on which it no longer holds; empty = until further notice"
    )
    second = forms.CharField(max_length=100, label="Second person", help_text="who signs beside you, by id")
    password = forms.CharField(widget=forms.PasswordInput(attrs={"autocomplete": "off"}), label="Their password")

    def __init__(self, request: HttpRequest, data: Any = None) -> None:
        super().__init__(data)
        self.request = request
        own = properties(request.user, "set-register")
        self.fields["property"].choices = [(name, name) for name in own]  # type: ignore[attr-defined]

    def clean_value(self) -> Any:
        try:
            return json.decode(self.cleaned_data["value"].encode())
        except (DecodeError, UnicodeError, RecursionError) as error:
            raise forms.ValidationError(f"No JSON: {error}") from None

    def clean(self) -> dict[str, Any]:
        said = super().clean() or {}
        if self.errors:
            return said
        if said["begins"] and said["ends"] and said["begins"] >= said["ends"]:
            raise forms.ValidationError("The last day lies before the first.")
        try:
            check(said["register"], said["value"])
        except ValueError as error:
            raise forms.ValidationError(f"Value: {error}") from None
        by, second = str(self.request.user.pk), said["second"]
        if second == by:
            raise forms.ValidationError("The second person is another than you.")
        if said["register"] == "people" and said["key"] in (by, second):
            raise forms.ValidationError("Nobody sets or signs what they may do themselves.")
        signed = signing.signs(self.request, second, said["password"])
        if signed is None or not may(signed, "sign-register", said["property"]):
            raise forms.ValidationError("The second person's id and password do not fit, or they may not sign registers here.")
        return said

    def set(self) -> int:
        """Record it. Gives 1, or 0 where it stood so already. Raises Refused."""
        said = self.cleaned_data
        begins, ends = (None if day is None else day.isoformat() for day in (said["begins"], said["ends"]))
        entry = Entry(said["register"], said["key"], said["value"], begins, ends)
        return people.set_registers(said["property"], [entry], by=str(self.request.user.pk), second=said["second"])


@sensitive_post_parameters("password")
def set_entry(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """The page of the form."""
    if not properties(request.user, "set-register"):
        raise PermissionDenied
    form = RegisterEntry(request, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            messages.success(request, "The entry is recorded." if form.set() else "It stood so already.")
            return redirect("admin:casino_entry_changelist")
        except Refused as refused:
            form.add_error(None, str(refused))
    context = {**site.each_context(request), "title": "Set a register entry", "form": form}
    return render(request, "admin/casino/entry/set.html", context, status=400 if form.errors else 200)


def urls(site: AdminSite) -> list[Any]:
    """Where the form is."""

    def view(request: HttpRequest) -> HttpResponse:
        return set_entry(request, site)

    return [path("set/", site.admin_view(view), name="casino_entry_set")]
