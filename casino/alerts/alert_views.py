"""Pages of alerts: the list, the news (polled by every page), the rules, and the user's own settings."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from audit.facts.input_parsing import whole
from audit.facts.vocabulary import ALERT_CAUSES, ALERT_GRADES, ROLES
from audit.review.projections import FLAGGED
from casino.accounts import view_log
from casino.accounts.alert_contacts import contact_of
from casino.accounts.permissions import can, properties
from casino.alerts import alert_log, rules, services
from casino.alerts.forms import ContactForm, NamedForm, RuleForm, SeenForm
from casino.presentation.errors import ActionRejected
from casino.presentation.formatting import money
from casino.reference.registers import currency_of
from casino.web import request_params
from casino.web.form_view import current_user, handle, submitted
from casino.web.request_params import require_GET_or_POST
from games.kit.codes import GRADE

SEE = "see-alerts"
PAGE = 100


def alerts_url(name: str, property: str) -> str:
    """Return the URL of a page of alerts for a property. `name` is the name of the page's route."""
    return f"{reverse(name)}?{urlencode({'property': property})}"


@require_GET_or_POST
def alerts(request: HttpRequest) -> HttpResponse:
    """Show the alerts of a property, the latest first. A POST marks all shown alerts as seen."""
    property = request_params.chosen_property(request, SEE)
    person = current_user(request)
    hidden = alert_log.hidden_types(person, property)
    if request.method == "POST":
        number = whole(SeenForm(submitted(request)).accepted()["number"], 18)
        if number is not None:
            alert_log.mark_seen(property, person.pk, number)
        return redirect(alerts_url("alerts", property))
    rule = request_params.clean_text(request.GET.get("rule"))
    rows = alert_log.page(
        property, hidden, rule=rule, before=whole(request.GET.get("before", ""), 18), limit=PAGE + 1
    )
    unseen = alert_log.unseen(property, person.pk, hidden)
    if rows:
        view_log.record_report(person, property, "Alerts", alerts_url("alerts", property))
    shown = {
        "rows": rows[:PAGE],
        "more": rows[PAGE - 1].shown if len(rows) > PAGE else None,
        "unseen": unseen,
        "seen_up_to": unseen.last,
        "held": alert_log.held_back(property, hidden),
        "rule": rule,
        "property": property,
        "places": properties(person, SEE),
        "zone": request_params.zone(property),
        "may_see_hand": can(person, "see-hand", property),
    }
    return render(request, "alerts/alerts.html", shown)


@require_safe
def news(request: HttpRequest) -> HttpResponse:
    """Return the news that every page shows: the number of alerts that the user has not seen, and the newest
    of them. If nothing has changed since the last request, the answer is empty.
    """
    context = _news(request)
    before = (request.GET.get("count", ""), request.GET.get("last", ""))
    if before == (str(context["count"]), str(context["last"])):
        return HttpResponse(status=204)
    return render(request, "alerts/_news.html", context)


def _news(request: HttpRequest) -> dict[str, Any]:
    person = current_user(request)
    places = request_params.permitted_properties(request, SEE)
    count, last, newest = 0, 0, None
    for property in places:
        unseen = alert_log.unseen(property, person.pk, alert_log.hidden_types(person, property), 1)
        count, last = count + unseen.many, last + unseen.last
        if unseen.newest and (newest is None or unseen.newest[0].at > newest.at):
            newest = unseen.newest[0]
    return {
        "count": count,
        "counted": alert_log.COUNTED,
        "last": last,
        "newest": newest,
        "sound": contact_of(person.pk).sound,
    }


@require_GET_or_POST
def mine(request: HttpRequest) -> HttpResponse:
    """Show and change how the user is alerted. If `act` is `sound`, switch only the sound on or off, and
    return the list of new alerts.
    """
    person = current_user(request)
    request_params.permitted_properties(request, SEE)
    contact = contact_of(person.pk)
    form = ContactForm(submitted(request), contact._asdict() | {"sound": "on" if contact.sound else ""})
    if form.is_bound and form["act"].value() == "sound":
        services.set_contact(person, contact.mail, not contact.sound, contact.quiet_from, contact.quiet_to)
        return render(request, "alerts/_news.html", _news(request))

    def act() -> str:
        values = form.accepted()
        texts = {name: values[name].strip() for name in ("mail", "quiet_from", "quiet_to")}
        services.set_contact(person, sound=values["sound"] == "on", **texts)
        return "Saved."

    return handle(request, "alerts/mine.html", form, {}, act, reverse("alerts_mine"))


@require_GET_or_POST
def alert_rules(request: HttpRequest) -> HttpResponse:
    """Show the alert rules of a property. A POST sets or ends a rule."""
    property = request_params.chosen_property(request, SEE)
    person = current_user(request)
    may_set = can(person, "set-alert", property)
    if request.method == "POST" and not may_set:
        raise PermissionDenied("set-alert")
    in_force, currency = rules.in_force(property), currency_of(property)
    edited = in_force.rules.get(request_params.clean_text(request.GET.get("rule")))
    initial, named = _values(edited, currency), NamedForm(submitted(request))
    is_end = named["act"].value() == "end"
    form = RuleForm(None if is_end else submitted(request), currency, initial)
    context = _rules_context(request, property, in_force) | {
        "may_set": may_set,
        "form": form,
        "edited": edited,
        "currency": currency,
    }
    if request.method != "POST":
        return render(request, "alerts/rules.html", context)
    try:
        message = _end(request, property, named) if is_end else _set(request, property, form)
    except ActionRejected as refused:
        form.reject(refused)
        return render(request, "alerts/rules.html", context, status=400)
    messages.success(request, message)
    return redirect(alerts_url("alert_rules", property))


def _values(edited: Any, currency: str) -> dict[str, Any]:
    """Return the initial values of the form: those of the rule to change, or the defaults of a new one."""
    if edited is None:
        return {"page": "on", "breaks": "on", "on": "finding"}
    values = {name: getattr(edited, name) or "" for name in edited.__struct_fields__}
    values |= {name: " ".join(getattr(edited, name)) for name in ("codes", "tables", "people")}
    if edited.over is not None:
        values["over"] = money(edited.over, currency).replace(",", "")
    return values


def _rules_context(request: HttpRequest, property: str, in_force: Any) -> dict[str, Any]:
    return {
        "rules": [(rule, services.describe(rule), _channels(rule)) for rule in in_force.rules.values()],
        "causes": ALERT_CAUSES,
        "grades": ALERT_GRADES,
        "codes": sorted((*GRADE, FLAGGED)),
        "roles": ROLES,
        "webhooks": list(in_force.webhooks),
        "property": property,
        "places": properties(request.user, SEE),
    }


def _channels(rule: Any) -> str:
    """Return a text that lists where the alerts of a rule are sent."""
    parts = ["page"] if rule.page else []
    parts += [f"mail to {', '.join([*rule.roles, *rule.people])}"] if rule.roles or rule.people else []
    parts += [f"webhook {', '.join(rule.webhooks)}"] if rule.webhooks else []
    return "; ".join(parts)


def _set(request: HttpRequest, property: str, form: RuleForm) -> str:
    values = form.fields_of_fact()
    uid, rule = values.pop("uid"), values.pop("rule")
    services.set_rule(current_user(request), property, uid, rule, **values)
    return f"The rule {rule} is active."


def _end(request: HttpRequest, property: str, form: NamedForm) -> str:
    values = form.accepted()
    services.end_rule(current_user(request), property, values["uid"], values["name"])
    return f"The rule {values['name']} has ended."
