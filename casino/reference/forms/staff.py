"""Forms for the registers of people, devices and cameras."""

from __future__ import annotations

from typing import Any

from audit.facts.vocabulary import ROLES
from casino.models import roles_of
from casino.reference.forms.entry import RegisterForm
from casino.reference.forms.member import member


class PersonForm(RegisterForm):
    register, title = "people", "People"
    about = (
        "Who works here, by staff ID, and in which roles. Names and passwords are in no register: manage.py"
        " let_in gives them."
    )
    key_label, key_help = "Staff ID", "such as d-101"

    roles = member(
        "people", "roles", choices=[(role, role.replace("-", " ")) for role in ROLES if role != "device"]
    )
    tables = member(
        "people",
        "tables",
        required=False,
        max_value=99,
        help_text="that a supervisor may have at the same time",
    )

    def initial_of(self, value: dict[str, Any]) -> dict[str, Any]:
        return {"roles": sorted(roles_of(value)), "tables": value.get("tables")}

    def value_of(self, said: dict[str, Any]) -> dict[str, Any]:
        roles = (
            {"role": None, "roles": said["roles"]}
            if len(said["roles"]) > 1
            else {"roles": None, "role": "".join(said["roles"])}
        )
        return roles | {"tables": said["tables"]}


class DeviceForm(RegisterForm):
    register, title = "devices", "Devices"
    about = "What may post facts, and for which tables. Its token is made by manage.py token."
    key_label, key_help = "Device", "its id, such as gateway-1"

    tables = member("devices", "tables", help_text="codes with commas between, or * for every table")
    people = member(
        "devices", "people", label="May name people", help_text="dealers, supervisors and players"
    )
    house = member(
        "devices",
        "house",
        label="May post facts of the property's own stream",
        help_text="of the kinds chosen here, about its tables",
    )
    kinds = member("devices", "kinds", required=False, label="Kinds of the property's own stream")

    def value_of(self, said: dict[str, Any]) -> dict[str, Any]:
        return super().value_of(said) | {"kinds": said["kinds"] or None}


class CameraForm(RegisterForm):
    register, title = "cameras", "Cameras"
    about = "Which tables a camera shows: a verdict names the video of its hand."
    key_label, key_help = "Camera", "its id on the recorder, such as cam-11"

    tables = member("cameras", "tables", help_text="codes with commas between")
