"""The models of the app `casino`: users and their tokens, the registers, and lists for the admin.

The tables of roles, pits, tables, cameras, approvals and devices are copies of ledger data, written only by
`casino/reference/projection.py`. Data that must be secret or erasable is stored only here: a person's name
and password, and the hash of a token.
"""

from casino.models.entries import ALWAYS, FOREVER, Entry, Property, Standing
from casino.models.one_time import Authenticator, BackupCode, BackupCodes
from casino.models.people import Person, Registers, roles_of
from casino.models.registers import (
    Approval,
    Camera,
    ChipSet,
    DayBegins,
    Device,
    Member,
    Pit,
    RegisterManager,
    Shift,
    Table,
    Threshold,
)
from casino.models.results import Finding, Tally
from casino.models.schedules import Asking, Schedule
from casino.models.tokens import Token, UsedNonce

__all__ = [
    "ALWAYS",
    "FOREVER",
    "Approval",
    "Asking",
    "Authenticator",
    "BackupCode",
    "BackupCodes",
    "Camera",
    "ChipSet",
    "DayBegins",
    "Device",
    "Entry",
    "Finding",
    "Member",
    "Person",
    "Pit",
    "Property",
    "RegisterManager",
    "Registers",
    "Schedule",
    "Shift",
    "Standing",
    "Table",
    "Tally",
    "Threshold",
    "Token",
    "UsedNonce",
    "roles_of",
]
