"""Pages that change a register. They are the only pages of the admin that record facts. The user signs each
entry. A second person signs it too, with their own password.

An entry is filled in, then compared with the entry in force, then signed, so two people sign exactly what
they were shown. Nobody enters or signs a change of their own rights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.http import urlencode
from django.views.decorators.debug import sensitive_post_parameters

from audit.facts import Refused, accepted_form
from audit.replay.entry_rules import rights_problem
from casino.accounts import signatures
from casino.accounts.permissions import properties
from casino.admin.register_keys import ListedKey, keys_by_register
from casino.models import Standing
from casino.presentation.errors import ActionRejected
from casino.reference import calendar, profiles
from casino.reference.changes import Change, change, history, seal
from casino.reference.entries import Entry
from casino.reference.forms.entry import RegisterForm
from casino.reference.forms.kinds import FORMS, form_named, form_of
from casino.reference.recording import set_registers
from casino.reference.registers import currency_of, values_on
from casino.web import request_params
from casino.web.action_form import InputForm, SignatureField, TextField
from casino.web.form_view import submitted
from casino.web.property_turn import in_turn

CHANGED_MEANWHILE = "The entry changed after this page was loaded. Check it, then sign."
KEYS = 60
"""Maximum number of keys listed for a register. If there are more, users find the others with the search of
the register's list.
"""
ACT = "set-register"


class SignedForm(InputForm):
    """The form that signs changes. `seal` is a hash of the changes that were shown. `begins` is the first day
    of a jurisdiction's thresholds.
    """

    act = TextField()
    seal = TextField()
    begins = TextField()
    second = SignatureField("Staff ID")


class RegisterKeyForm(InputForm):
    """The key of an entry. Some registers have further fields that choose what their form shows, such as the
    game of an approval. The URL can contain all of them.
    """

    key = TextField()

    def __init__(self, data: Any, other_names: Iterable[str]) -> None:
        super().__init__(data)
        self.fields |= {name: TextField() for name in other_names}


class RegisterKind(NamedTuple):
    """A register with a form for its entries, as the page of reference data lists it.

    Attributes:
        keys: the keys of entries that are in force now or from a later day.
        more: how many further keys the page does not list.
    """

    name: str
    title: str
    about: str
    register: str
    what: str
    """The label of a key in a sentence, such as `staff ID`; empty if the register has only one entry."""
    keys: list[ListedKey]
    more: int


def index(request: HttpRequest, site: AdminSite) -> HttpResponse:
    """Show all registers of a property. For each, list the entries that are in force now or will be later. If
    a term is searched, show only the keys that match it.
    """
    property = request_params.chosen_property(request, ACT)
    day, term = calendar.gaming_day(property), request_params.clean_text(request.GET.get("q")).strip()
    keys = keys_by_register(property, day, request.user)
    kinds = []
    for name, form in FORMS.items():
        of_register = keys.get(form.register, [])
        keys_of_form = [row for row in of_register if form_of(form.register, row.key) == name]
        if term:
            keys_of_form = [row for row in keys_of_form if row.matches(term)]
            if not keys_of_form:
                continue
        key_label = "" if form.only_key else form.key_label[:1].lower() + form.key_label[1:]
        kinds.append(
            RegisterKind(
                name,
                form.title,
                form.about,
                form.register,
                key_label,
                keys_of_form[:KEYS],
                len(keys_of_form[KEYS:]),
            )
        )
    shown = {
        "kinds": kinds,
        "profiles": profiles.all_profiles(),
        "profile": keys.get("profile") and _profile(property),
        "property": property,
        "places": properties(request.user, ACT),
        "title": "Reference data",
        "day": day,
        "term": term,
    }
    return render(request, "admin/casino/entry/index.html", {**site.each_context(request), **shown})


@sensitive_post_parameters("second_password", "second_code")
def set_entry(request: HttpRequest, site: AdminSite, name: str) -> HttpResponse:
    """Show the form that changes one register entry, in three steps: fill in, check, sign."""
    property, form_class = request_params.chosen_property(request, ACT), form_named(name)
    if form_class is None:
        raise Http404(name)
    form = _form(request, property, form_class)
    changes = [change(property, form.entry())] if form.is_bound and form.is_valid() else []
    shown: dict[str, Any] = {
        "title": form_class.title,
        "form": form,
        "name": name,
        "history": _history(property, form),
        "property": property,
    }
    return _signed(request, site, property, changes, shown)


@sensitive_post_parameters("second_password", "second_code")
def enter_profile(request: HttpRequest, site: AdminSite, name: str) -> HttpResponse:
    """Enter all thresholds of a profile at once. A profile is an example of the thresholds that a
    jurisdiction requires. The entries are checked and signed like all other entries.
    """
    property, profile = request_params.chosen_property(request, ACT), profiles.get_profile(name)
    if profile is None:
        raise Http404(name)
    typed = SignedForm(submitted(request) or request.GET)["begins"].value()
    begins = typed or (calendar.gaming_day(property) + timedelta(days=1)).isoformat()
    entries, wrong = list[Entry](), ""
    try:
        entries = profiles.entries(profile, currency_of(property), begins)
    except ValueError as error:
        wrong = str(error)
    shown = {
        "title": profile.title,
        "profile": profile,
        "property": property,
        "begins": begins,
        "wrong": wrong,
    }
    return _signed(request, site, property, [change(property, entry) for entry in entries], shown)


def _signed(
    request: HttpRequest, site: AdminSite, property: str, changes: Sequence[Change], shown: dict[str, Any]
) -> HttpResponse:
    """Show the page on which the changes are signed. If the form with the signatures was sent, record the
    changes and redirect to the page of all registers.
    """
    wrong, field, news = shown.get("wrong") or "", "", [change for change in changes if change.news]
    sealed = seal(property, changes) if changes else ""
    signed = SignedForm(submitted(request))
    if changes and signed["act"].value() == "sign":
        try:
            if signed["seal"].value() != sealed:
                raise ActionRejected(CHANGED_MEANWHILE)
            if _set(request, property, news, signed["second"].value()):
                messages.success(
                    request,
                    "The entry is recorded." if len(news) == 1 else f"{len(news)} entries are recorded.",
                )
                return redirect(f"{reverse('admin:casino_entry_set')}?{urlencode({'property': property})}")
            wrong = "No change."
        except ActionRejected as error:
            wrong, field = str(error), error.field
        except Refused as refused:
            wrong = str(refused)
    form = shown.get("form")
    mend = bool(wrong) or (form is not None and bool(form.errors))
    context = {
        **site.each_context(request),
        **shown,
        "changes": changes,
        "news": news,
        "seal": sealed,
        "wrong": wrong,
        "field": field,
        "second": signed["second"].value(),
        "places": properties(request.user, ACT),
    }
    return render(request, "admin/casino/entry/set.html", context, status=400 if mend else 200)


def _set(request: HttpRequest, property: str, news: list[Change], typed: str) -> int:
    """Record all of these changes or none, and return how many entries were new. Raise ActionRejected or
    Refused.

    The entries in force are read again under a lock. If two people sign changes of one key at the same
    moment, only the first change is recorded.
    """
    entries = [change.entry for change in news]
    by, second = str(request.user.pk), accepted_form(typed)
    for entry in entries:
        if problem := rights_problem(entry.register, entry.key, entry.value, by, second):
            raise ActionRejected(problem.why, "second")
    signatures.collect_signatures(request, property, {"second": "sign-register"})
    with in_turn(property):
        if seal(property, [change(property, entry) for entry in entries]) != seal(property, news):
            raise ActionRejected(CHANGED_MEANWHILE)
        return set_registers(property, entries, by=by, second=second)


def _form(request: HttpRequest, property: str, form_class: type[RegisterForm]) -> RegisterForm:
    """Return the form with the values that were sent, or filled with the entry in force."""
    choices = RegisterKeyForm(submitted(request) or request.GET, form_class.also).accepted()
    typed = (choices.pop("key") or form_class.only_key).replace("\0", "")[:200]
    key = accepted_form(typed)
    day = calendar.gaming_day(property)
    rows = Standing.objects.filter(
        property=property, register=form_class.register, begins__lte=day, ends__gt=day
    )
    in_force = (
        rows.first() if form_class.register == "day-begins" else rows.filter(key__in=(typed, key)).first()
    )
    return form_class(
        property,
        submitted(request),
        key=typed if in_force is not None and in_force.key == typed else key,
        standing=in_force,
        **choices,
    )


def _history(property: str, form: RegisterForm) -> list[Any]:
    """Return all earlier entries with the form's key, even if none with that key is in force today."""
    if form.standing is not None:
        return history(property, form.standing.register, form.standing.key)
    key = form.initial["key"]
    return history(property, form.register, key) if key else []


def _profile(property: str) -> str:
    """Return the name of the jurisdiction whose profile of thresholds was entered last, or an empty text."""
    return str(
        next(
            (
                value.get("name")
                for value in values_on(property, "profile").values()
                if isinstance(value, dict)
            ),
            "",
        )
    )


def urls(site: AdminSite) -> list[Any]:
    """Return the URLs of the pages that change registers."""

    def of(page: Callable[..., HttpResponse]) -> Any:
        def view(request: HttpRequest, **arguments: str) -> HttpResponse:
            return page(request, site, **arguments)

        return site.admin_view(view)

    return [
        path("set/", of(index), name="casino_entry_set"),
        path("set/profile/<slug:name>/", of(enter_profile), name="casino_entry_profile"),
        path("set/<slug:name>/", of(set_entry), name="casino_entry_form"),
    ]
