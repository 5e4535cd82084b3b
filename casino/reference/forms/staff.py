"""Forms for the registers of people, devices, cameras and types of log entries."""

from __future__ import annotations

from typing import Any, ClassVar

from audit.facts.registers import MOST_AHEAD
from audit.facts.vocabulary import LOG_TYPES, ROLES
from audit.replay.video_address import PLACES
from casino.models import roles_of
from casino.reference.forms.entry import RegisterForm
from casino.reference.forms.member import member

ADDRESS_PLACES = ", ".join(f"{{{place}}}" for place in PLACES)


class PersonForm(RegisterForm):
    register, title = "people", "People"
    about = (
        "The staff IDs of the people who work here, and their roles. Names and passwords are not in a"
        " register: set them with manage.py let_in."
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
        help_text="number of tables that a supervisor may watch at the same time",
    )

    def initial_of(self, value: dict[str, Any]) -> dict[str, Any]:
        return {"roles": sorted(roles_of(value)), "tables": value.get("tables")}

    def value_of(self, values: dict[str, Any]) -> dict[str, Any]:
        roles = (
            {"role": None, "roles": values["roles"]}
            if len(values["roles"]) > 1
            else {"roles": None, "role": "".join(values["roles"])}
        )
        return roles | {"tables": values["tables"]}


class DeviceForm(RegisterForm):
    register, title = "devices", "Devices"
    about = "The devices that may post facts, and for which tables. Create their tokens with manage.py token."
    key_label, key_help = "Device", "its id, such as gateway-1"
    optional = ("kinds", "keys", "signs")

    tables = member("devices", "tables", help_text="table codes separated by commas, or * for every table")
    people = member(
        "devices", "people", label="May name people", help_text="dealers, supervisors and players"
    )
    house = member(
        "devices",
        "house",
        label="May post facts of the property's own stream",
        help_text="only facts of the kinds below, and only about the tables above",
    )
    kinds = member("devices", "kinds", required=False, label="Kinds of facts of the property's own stream")
    keys = member(
        "devices",
        "keys",
        required=False,
        label="Public keys",
        help_text="Ed25519 keys in Base64, separated by commas; without its key a device can no longer sign",
    )
    signs = member(
        "devices",
        "signs",
        label="Must sign its requests",
        help_text="if checked, requests with a token are refused",
    )


class CameraForm(RegisterForm):
    register, title = "cameras", "Cameras"
    about = (
        "Which tables a camera shows, and the address of its video at the recorder. Verdicts name the"
        " video of"
        " their hand, and pages link to it."
    )
    key_label, key_help = "Camera", "its id on the recorder, such as cam-11"
    optional = ("link", "stream")

    tables = member("cameras", "tables", help_text="table codes separated by commas")
    link = member(
        "cameras",
        "link",
        required=False,
        max_length=500,
        label="Address at the recorder",
        help_text=f"opens a piece of video at the recorder; the address may contain {ADDRESS_PLACES}",
    )
    stream = member(
        "cameras",
        "stream",
        required=False,
        max_length=500,
        label="Address of the video itself",
        help_text="MP4 or HLS, played on the page of the hand; with the same placeholders",
    )
    clock_ahead = member(
        "cameras",
        "clock_ahead",
        required=False,
        max_value=MOST_AHEAD,
        label="Recorder's clock ahead, seconds",
        help_text="negative if it is behind; empty = no difference",
    )
    overwrite_days = member(
        "cameras",
        "overwrite_days",
        required=False,
        max_value=3650,
        label="Overwritten after, days",
        help_text="unless the recording is held",
    )


class LogTypeForm(RegisterForm):
    register, title = "log-types", "Types of log entries"
    about = (
        "Additional types of entries in the daily log of surveillance, or other titles for existing types."
    )
    key_label, key_help = "Type", f"a new type, or one of {', '.join(LOG_TYPES)}"
    renamed: ClassVar[dict[str, str]] = {"title": "title_of"}
    optional = ("title",)

    title_of = member("log-types", "title", required=False, max_length=100, label="Title")
    used = member("log-types", "used", label="Offered", help_text="show this type when an entry is written")

    def initial_of(self, value: dict[str, Any]) -> dict[str, Any]:
        return {"title_of": value.get("title"), "used": value.get("used", True)}
