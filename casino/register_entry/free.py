"""The form of a register that the house itself does not read: a key and a value as JSON."""

from __future__ import annotations

from typing import Any

from django import forms
from msgspec import DecodeError, json

from casino.register_entry.form import RegisterForm


class FreeForm(RegisterForm):
    """Any register, by name."""

    title = "Another register"
    about = "A register that the house keeps and does not read, with its value as JSON."

    def own_fields(self) -> None:
        self.fields["register_name"] = forms.CharField(max_length=100, label="Register", help_text="such as review")
        self.fields["json"] = forms.CharField(
            label="Value", widget=forms.Textarea(attrs={"rows": 4, "cols": 80}), help_text='JSON, such as {"title": "Main floor"}'
        )

    def initial_of(self, value: dict[str, Any]) -> dict[str, Any]:
        if self.standing is None:
            return {}
        return {"register_name": self.standing.register, "json": json.encode(self.standing.value).decode()}

    def clean_register_name(self) -> str:
        from casino.register_entry.kinds import FORMS

        name: str = self.cleaned_data["register_name"].strip()
        if name in {form.register for form in FORMS.values()}:
            raise forms.ValidationError(f"The register {name} has a form of its own: use that.")
        self.register = name  # type: ignore[misc]
        return name

    def clean_json(self) -> Any:
        if not self.cleaned_data["json"] and self.data.get("strike"):
            return None
        try:
            return json.decode(self.cleaned_data["json"].encode())
        except (DecodeError, UnicodeError, RecursionError) as error:
            raise forms.ValidationError(f"No JSON: {error}") from None

    def whole(self, said: dict[str, Any]) -> Any:
        return said["json"]
