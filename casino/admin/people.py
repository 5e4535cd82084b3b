"""Lists of people and tokens, which are not recorded in facts. Users see only people who are named in a
register of one of their own properties.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import Group
from django.db.models import OuterRef, QuerySet
from django.http import HttpRequest

from casino import models as house
from casino.accounts import otp, tokens
from casino.accounts.permissions import properties
from casino.admin.read_only_list import ReadOnly


@admin.register(house.Person)
class PersonAdmin(ReadOnly):
    act = "see-people"
    list_display: tuple[str, ...] = ("id", "name", "held", "active", "codes", "last_login")
    list_filter = ()
    fields = readonly_fields = list_display
    ordering = ("id",)
    search_fields = ("id",)
    search_help_text = "A whole staff ID"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the people who are named in a register of one of the user's properties. For each person, the
        field `has_codes` is True if one-time passwords are set up.
        """
        named = house.Member.objects.filter(property__in=properties(request.user, self.act)).values("key")
        rows: QuerySet[Any] = admin.ModelAdmin.get_queryset(self, request).annotate(
            has_codes=otp.is_enrolled(OuterRef("pk"))
        )
        return rows.filter(id__in=named)

    @admin.display(description="user")
    def active(self, person: house.Person) -> str:
        """Return the state of the person's user. A deactivated one cannot log in."""
        return "active" if person.is_active else "deactivated"

    @admin.display(description="one-time passwords")
    def codes(self, person: Any) -> str:
        """Say if the person has set up one-time passwords. Administrators can then see who still has to
        set them up before they become required.
        """
        return "set up" if person.has_codes else "not set up"

    @admin.display(description="roles today")
    def held(self, person: house.Person) -> str:
        return "; ".join(
            f"{property}: {', '.join(sorted(roles))}" for property, roles in sorted(person.roles.items())
        )


@admin.register(house.Token)
class TokenAdmin(ReadOnly):
    act = "issue-token"
    list_display = (
        "prefix",
        "now",
        "holder",
        "expires_at",
        "last_used_at",
        "revoked_at",
        "label",
        "scopes",
        "made_by",
        "property",
    )
    list_filter = ()
    fields = readonly_fields = (
        "prefix",
        "now",
        "label",
        "person",
        "property",
        "device",
        "scopes",
        "networks",
        "made_by",
        "made_at",
        "expires_at",
        "warning",
        "changed_at",
        "changed_by",
        "last_used_at",
        "refused_at",
        "refused_from",
        "revoked_at",
        "revoked_by",
    )
    list_select_related = ("person",)
    ordering = ("-made_at",)
    search_fields = ("prefix",)
    search_help_text = "The first nine characters of a token"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Return the tokens of devices and people of the user's own properties."""
        return tokens.tokens_at(properties(request.user, self.act))

    @admin.display(description="now")
    def now(self, token: house.Token) -> str:
        """Return the state of the token now, and how soon a valid one ends if its holder is warned."""
        left = token.days_left()
        return token.state() if left is None else f"valid, {left} days left"

    @admin.display(description="holder")
    def holder(self, token: house.Token) -> str:
        """Return the device or the person that may use the token."""
        return token.device or f"{token.person} ({token.person_id})"

    @admin.display(description="warning")
    def warning(self, token: house.Token) -> str:
        return f"{token.warn_days} days before it expires" if token.warn_days else "none"


admin.site.unregister(Group)
