"""The table of environment variables: name, type, default, bounds and meaning. Its first rows are in
`casino/runtime/storage_variables.py` and `casino/runtime/openid_variables.py`.

`casino/runtime/environment.py` reads the variables and refuses invalid values. `python -m
tests.configuration` writes this table to docs/operations.md.
"""

from __future__ import annotations

from ipaddress import ip_network
from typing import Annotated, Literal

from msgspec import Meta, field

from casino.runtime import weak_secrets
from casino.runtime.openid_variables import OpenId
from casino.runtime.variable_entry import about as _about
from casino.runtime.variable_entry import check_port

DAY = 86_400
MOST_BYTES = 1024**3


class Environment(OpenId, frozen=True, kw_only=True):
    """The environment variables of Catwalk, parsed. None or an empty text: the variable is not set."""

    hosts: Annotated[
        list[
            Annotated[
                str, Meta(pattern=r"^(\*|(\.(?=.*\w\.))?[A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\])$")
            ]
        ],
        Meta(min_length=1),
        _about(
            "host names under which the pages can be opened, separated by commas; `.casino.example`"
            " also means every"
            " name that ends with it. `*`, every name, is refused unless `CATWALK_DEBUG` is `1`",
            expected="host names separated by commas, without scheme and port, such as catwalk.example",
        ),
    ] = field(name="CATWALK_HOSTS", default_factory=lambda: ["localhost", "127.0.0.1", "[::1]"])
    secure: Annotated[
        bool | None,
        _about(
            "`1`: pages and cookies only over HTTPS. `0`: also over HTTP. Unset: `1` as soon as a host name"
            " is not this machine's",
            unset="(by CATWALK_HOSTS)",
        ),
    ] = field(name="CATWALK_SECURE", default=None)
    proxies: Annotated[
        int,
        Meta(ge=0, le=10),
        _about(
            "number of your proxies in front of the web server. Only if it is not 0, Catwalk trusts"
            " `X-Forwarded-Proto` and `X-Forwarded-For` (the address that the first of your proxies wrote,"
            " counted from the end)"
        ),
    ] = field(name="CATWALK_PROXIES", default=0)
    session: Annotated[
        int, Meta(ge=60, le=30 * DAY), _about("seconds until a session ends by itself", unit="seconds")
    ] = field(name="CATWALK_SESSION", default=43_200)
    lock: Annotated[
        int,
        Meta(ge=60, le=30 * DAY),
        _about(
            "seconds for which a name is locked out at an address after five wrong passwords", unit="seconds"
        ),
    ] = field(name="CATWALK_LOCK", default=900)
    address_guesses: Annotated[
        int,
        Meta(ge=5, le=1_000_000),
        _about(
            "wrong passwords from one address, over all staff IDs, within `CATWALK_LOCK`; more lock the"
            " address for every ID that has not logged in there within 30 days",
            unit="passwords",
        ),
    ] = field(name="CATWALK_ADDRESS_GUESSES", default=50)
    name_guesses: Annotated[
        int,
        Meta(ge=5, le=1_000_000),
        _about(
            "wrong passwords of one staff ID, from all addresses, within `CATWALK_LOCK`; more lock it at"
            " every address where it has not logged in within 30 days",
            unit="passwords",
        ),
    ] = field(name="CATWALK_NAME_GUESSES", default=25)
    post_bytes: Annotated[
        int,
        Meta(ge=1024, le=MOST_BYTES),
        _about("maximum length of a post to the REST API, in bytes", unit="bytes"),
    ] = field(name="CATWALK_POST_BYTES", default=16 * 1024 * 1024)
    file_bytes: Annotated[
        int,
        Meta(ge=1024, le=MOST_BYTES),
        _about("maximum length of a file of a case, in bytes", unit="bytes"),
    ] = field(name="CATWALK_FILE_BYTES", default=128 * 1024 * 1024)
    api_rate: Annotated[
        int,
        Meta(ge=1, le=10_000_000),
        _about("maximum number of requests a minute with one token", unit="requests"),
    ] = field(name="CATWALK_API_RATE", default=6000)
    api_address_rate: Annotated[
        int,
        Meta(ge=1, le=10_000_000),
        _about(
            "maximum number of requests a minute to the REST API from one address without a valid token",
            unit="requests",
        ),
    ] = field(name="CATWALK_API_ADDRESS_RATE", default=24_000)
    log: Annotated[
        Literal["json", "text"] | None,
        _about(
            "`json` or `text`, see [Logs](#logs). Unset: `json` in web, worker and beat, `text` in commands",
            unset="(by the process)",
        ),
    ] = field(name="CATWALK_LOG", default=None)
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        _about("`debug`, `info`, `warning` or `error`; at `info`, every request and task is logged"),
    ] = field(name="CATWALK_LOG_LEVEL", default="info")
    metrics_token: Annotated[
        str,
        Meta(pattern=r"^[!-~]+$"),
        _about(
            "the bearer token with which a client may read `/metrics`. A short or well-known one is refused",
            expected=f"a token without spaces of at least {weak_secrets.TOKEN_LENGTH}"
            f" {weak_secrets.HOW_TO_MAKE_ONE}",
            secret=True,
            check=weak_secrets.check_token,
        ),
    ] = field(name="CATWALK_METRICS_TOKEN", default="")
    metrics_from: Annotated[
        list[str],
        _about(
            "addresses and networks that may read `/metrics` without a token, separated by commas; may"
            " be empty",
            expected="addresses and networks separated by commas, such as 10.1.0.0/16",
            may_be_empty=True,
            check=ip_network,
        ),
    ] = field(name="CATWALK_METRICS_FROM", default_factory=lambda: ["127.0.0.1", "::1"])
    bind: Annotated[
        list[Annotated[str, Meta(pattern=r"^(unix:/\S+|(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+):\d{1,5})$")]],
        Meta(min_length=1),
        _about(
            "addresses and ports at which the web server listens, or `unix:/path`; separated by commas",
            expected="addresses with a port, such as 127.0.0.1:8000, or unix:/path, separated by commas",
            check=check_port,
        ),
    ] = field(name="CATWALK_BIND", default_factory=lambda: ["127.0.0.1:8000"])
    web_workers: Annotated[
        int,
        Meta(ge=1, le=256),
        _about("number of processes of the web server; best as many as there are cores", unit="processes"),
    ] = field(name="CATWALK_WEB_WORKERS", default=2)
    web_threads: Annotated[
        int,
        Meta(ge=1, le=256),
        _about(
            "number of threads of each web process; each uses one connection to the database", unit="threads"
        ),
    ] = field(name="CATWALK_WEB_THREADS", default=8)
    web_connections: Annotated[
        int,
        Meta(ge=16, le=100_000),
        _about(
            "maximum number of connections of each web process, see [Slow clients](#slow-clients-and-floods)",
            unit="connections",
        ),
    ] = field(name="CATWALK_WEB_CONNECTIONS", default=4096)
    address_connections: Annotated[
        int,
        Meta(ge=0, le=100_000),
        _about(
            "maximum number of connections of one address in each web process; `0`: no limit. Not used if"
            " `CATWALK_PROXIES` is not `0`",
            unit="connections",
        ),
    ] = field(name="CATWALK_ADDRESS_CONNECTIONS", default=1024)
    request_seconds: Annotated[
        int,
        Meta(ge=1, le=3600),
        _about(
            "seconds in which a request must arrive completely; a longer one must send 500 bytes a second",
            unit="seconds",
        ),
    ] = field(name="CATWALK_REQUEST_SECONDS", default=20)
    tasks: Annotated[
        int,
        Meta(ge=1, le=256),
        _about("number of processes of a worker (Procfile and units)", unit="processes"),
    ] = field(name="CATWALK_TASKS", default=2)
    task_memory: Annotated[
        int,
        Meta(ge=128, le=1_000_000),
        _about(
            "megabytes that a process of a worker may use; above it, the process ends after its task and is"
            " replaced",
            unit="megabytes",
        ),
    ] = field(name="CATWALK_TASK_MEMORY", default=512)
    compiled: Annotated[
        str, _about("folder of [compiled rules](scale.md#compiled-rules)", unset="(the sources)")
    ] = field(name="CATWALK_COMPILED", default="")
    mail_host: Annotated[
        str,
        Meta(pattern=r"^[A-Za-z0-9.:-]+$"),
        _about(
            "host name of the mail server that sends alerts and exports, see [Alerts](#alerts-and-webhooks)."
            " Unset: no mail is sent",
            expected="the name of a mail server, such as mail.casino.example",
        ),
    ] = field(name="CATWALK_MAIL_HOST", default="")
    mail_port: Annotated[int, Meta(ge=1, le=65_535), _about("port of the mail server")] = field(
        name="CATWALK_MAIL_PORT", default=587
    )
    mail_tls: Annotated[
        Literal["starttls", "tls", "none"],
        _about("encryption to the mail server: `starttls`, `tls` from the first byte, or `none`"),
    ] = field(name="CATWALK_MAIL_TLS", default="starttls")
    mail_user: Annotated[str, _about("user name at the mail server")] = field(
        name="CATWALK_MAIL_USER", default=""
    )
    mail_password: Annotated[
        str,
        _about(
            "password at the mail server",
            expected="a password that is not well known: set another one on the mail server",
            secret=True,
            check=weak_secrets.check_password,
        ),
    ] = field(name="CATWALK_MAIL_PASSWORD", default="")
    mail_from: Annotated[
        str,
        Meta(pattern=r"^[^\s@<>]+@[^\s@<>]+$"),
        _about("address of the sender of mail", expected="a mail address, such as catwalk@casino.example"),
    ] = field(name="CATWALK_MAIL_FROM", default="catwalk@localhost")
    mail_attachment: Annotated[
        int,
        Meta(ge=0, le=100 * 1024 * 1024),
        _about(
            "maximum length of an export that is attached to a mail, in bytes. For a longer export, the mail"
            " has a link. `0`: always a link",
            unit="bytes",
        ),
    ] = field(name="CATWALK_MAIL_ATTACHMENT", default=10 * 1024 * 1024)
    group: Annotated[
        bool,
        _about(
            "`1` in an installation that follows several properties: no page shows a form that records a fact"
        ),
    ] = field(name="CATWALK_GROUP", default=False)
    webhook_http: Annotated[
        bool,
        _about("`1` allows webhooks without HTTPS, for your own network"),
    ] = field(name="CATWALK_WEBHOOK_HTTP", default=False)
    webhook_days: Annotated[
        int,
        Meta(ge=1, le=90),
        _about("days for which the delivery of a webhook or a mail is retried", unit="days"),
    ] = field(name="CATWALK_WEBHOOK_DAYS", default=3)
    keep: Annotated[
        int,
        Meta(ge=0, le=DAY),
        _about(
            "seconds for which a database connection is reused for later requests; the web server uses 600",
            unit="seconds",
        ),
    ] = field(name="CATWALK_KEEP", default=0)
    debug: Annotated[
        bool,
        _about("`1` shows errors with their source. Never set it if others can reach the server"),
    ] = field(name="CATWALK_DEBUG", default=False)
    metrics_folder: Annotated[
        str,
        _about(
            "an empty folder, in memory if possible, in which web processes write their request counts",
            unset="(made by the web server)",
        ),
    ] = field(name="PROMETHEUS_MULTIPROC_DIR", default="")
    settings_module: Annotated[
        str, _about("Django's settings module; do not change it", unset="`casino.settings`")
    ] = field(name="DJANGO_SETTINGS_MODULE", default="")
