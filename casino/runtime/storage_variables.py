"""The environment variables of the database, the broker, secret keys, and places for copies. They are the
first rows of the table in `casino/runtime/variables.py`.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field

from casino.checkpoints import destination_urls
from casino.runtime import queue_urls, weak_secrets
from casino.runtime.variable_entry import about as _about


class Storage(Struct, frozen=True, kw_only=True):
    """The environment variables that say where data and secrets are."""

    data: Annotated[
        str,
        _about(
            "folder of the embedded database, broker, logs and secret key; two folders are two installations",
            unset="`<project>/.data`",
        ),
    ] = field(name="CATWALK_DATA", default="")
    database_url: Annotated[
        str,
        _about(
            "`postgres://user:password@host:port/name` of the application's role, which can read the ledger"
            " and call its append function; `?host=/folder` for a Unix socket, `?sslmode=…` and other options"
            " the same way. Unset: the embedded database"
        ),
    ] = field(name="DATABASE_URL", default="")
    database_owner_url: Annotated[
        str,
        _about(
            "the same database as the owner of the schema: `migrate`, `backup`, `restore`. Set both or"
            " neither"
        ),
    ] = field(name="DATABASE_OWNER_URL", default="")
    replica_url: Annotated[
        str,
        _about(
            "a streaming replica of the database, with the role of `DATABASE_URL`, which reports, exports,"
            " boards and searches read, see [Read from a replica](#read-from-a-replica)"
        ),
    ] = field(name="DATABASE_REPLICA_URL", default="")
    replica_lag: Annotated[
        int,
        Meta(ge=1, le=3600),
        _about(
            "how old the data of the replica may be, in seconds. If they are older, pages read the primary",
            unit="seconds",
        ),
    ] = field(name="CATWALK_REPLICA_LAG_SECONDS", default=10)
    database_roles: Annotated[
        list[Annotated[str, Meta(min_length=1)]],
        _about(
            "further roles of your Postgres that may have rights on the database, separated by commas, such"
            " as its administrators. `verify` names all others",
            unset="(unset)",
            expected="names of roles separated by commas",
        ),
    ] = field(name="CATWALK_DATABASE_ROLES", default_factory=list)
    broker_url: Annotated[
        str,
        Meta(pattern=r"^(rediss?|redis\+socket|sentinel|amqps?|pyamqp)://[^\s]+$"),
        _about(
            "`redis://…` or `amqp://…` of a broker that web and workers share. Unset: the embedded one",
            expected="the URL of a broker, redis://… or amqp://…, without a well-known password",
            secret=True,
            check=weak_secrets.check_url,
        ),
    ] = field(name="CELERY_BROKER_URL", default="")
    secret_key: Annotated[
        str,
        _about(
            "signs sessions and cursors, seals users and tokens, encrypts one-time secrets; the same for all"
            " processes. Keep a copy of it, apart from the backups of the database. Unset: created in"
            " `CATWALK_DATA/secret_key`. A key that is short or well known is refused: `openssl rand -base64"
            " 48` prints a good one",
            unset="(made once, kept 0600)",
            expected=f"at least {weak_secrets.KEY_LENGTH} {weak_secrets.HOW_TO_MAKE_ONE}. To replace a key"
            " that is in use, see Change the secret key in docs/operations.md",
            secret=True,
            check=weak_secrets.check_key,
        ),
    ] = field(name="CATWALK_SECRET_KEY", default="")
    old_keys: Annotated[
        list[str],
        _about(
            "former secret keys, separated by commas. Needed until everything is sealed and encrypted"
            " with the present key ([Change the secret key](#change-the-secret-key)). The web server does not"
            " start with a key that is short or well known",
            unset="(unset)",
            secret=True,
        ),
    ] = field(name="CATWALK_OLD_KEYS", default_factory=list)
    checkpoint_facts: Annotated[
        int,
        Meta(ge=1, le=1_000_000_000),
        _about(
            "number of facts of a property after which a [checkpoint](#checkpoints-and-proofs) is"
            " signed; one is also"
            " signed when a gaming day is closed",
            unit="facts",
        ),
    ] = field(name="CATWALK_CHECKPOINT_FACTS", default=10_000)
    checkpoint_copies: Annotated[
        list[str],
        _about(
            "places outside the database to which [checkpoints](#checkpoints-and-proofs) are copied,"
            " separated by commas: `file:///folder`, `s3://bucket/prefix?endpoint=https://…&region=…`,"
            " `sftp://user@host/folder?key=FILE&known_hosts=FILE`, or the address of a witness with its key,"
            " `https://witness.example#VKEY`; `PROPERTY=` in front: only of that property",
            unset="(unset)",
            expected=destination_urls.EXPECTED,
            check=destination_urls.parse,
        ),
    ] = field(name="CATWALK_CHECKPOINT_COPIES", default_factory=list)
    export_copies: Annotated[
        list[str],
        _about(
            "places to which [exports of schedules are delivered](#delivery-of-scheduled-exports), separated"
            " by commas: a folder, a bucket or an SFTP server, as in `CATWALK_CHECKPOINT_COPIES`, or"
            " `mailto:person@casino.example`",
            unset="(unset)",
            expected=destination_urls.EXPECTED_DELIVERIES,
            check=destination_urls.parse_delivery,
        ),
    ] = field(name="CATWALK_EXPORT_COPIES", default_factory=list)
    fact_queues: Annotated[
        list[str],
        _about(
            "queues of message brokers from which [facts are taken](#facts-from-message-brokers), separated"
            " by commas: `PROPERTY/DEVICE=amqps://user:password@host/?queue=NAME` or"
            " `PROPERTY/DEVICE=mqtts://user:password@host/?topic=FILTER`",
            unset="(unset)",
            expected=queue_urls.EXPECTED,
            secret=True,
            check=queue_urls.parse,
        ),
    ] = field(name="CATWALK_FACT_QUEUES", default_factory=list)
