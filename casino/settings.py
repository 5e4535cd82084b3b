"""Django settings of Catwalk. Each can be set by an environment variable and has a safe default.

variable                  default                    meaning
CATWALK_DATA              <project>/.data            folder of the embedded database and broker, logs and
                                                     secret key; two folders are two installations
DATABASE_URL              (unset)                    postgres://user:password@host:port/name of the
                                                     application's role, which can read the ledger and call
                                                     its append function; ?host=/folder for a Unix socket,
                                                     other options (sslmode=...) the same way. Unset: the
                                                     embedded database
DATABASE_OWNER_URL        (unset)                    the same database as the owner of the schema, for
                                                     `migrate`. Set both or neither
CELERY_BROKER_URL         (unset)                    redis://... or amqp://... of a broker that web and
                                                     workers share. Unset: the embedded broker, in
                                                     CATWALK_DATA/broker
CATWALK_SECRET_KEY        (generated, mode 0600)     signs sessions; unset: generated at first use, in
                                                     CATWALK_DATA/secret_key
CATWALK_HOSTS             localhost,127.0.0.1,[::1]  host names that pages may be requested by, with commas
CATWALK_SECURE            (by CATWALK_HOSTS)         1: pages and cookies use https only. Unset: 1 if a host
                                                     name is not this machine's and CATWALK_DEBUG is 0
CATWALK_PROXIES           0                          number of your proxies in front of Catwalk. If it is not
                                                     0, X-Forwarded-Proto and X-Forwarded-For are trusted (the
                                                     client is the N-th address from the end:
                                                     casino/accounts/client_ip.py)
CATWALK_SESSION           43200                      seconds until a session ends by itself; it ends with the
                                                     browser in any case
CATWALK_LOCK              900                        seconds for which a name is locked at an address after
                                                     five wrong passwords
CATWALK_POST_BYTES        16777216                   the longest request body that the REST API reads
CATWALK_API_RATE          6000                       requests a minute from one token; more get 429
CATWALK_API_ADDRESS_RATE  24000                      requests a minute from one address to the REST API, with
                                                     or without a token
CATWALK_LOG               (by the process)           json: one object per line, without personal data
                                                     (casino/runtime/operations/logs.py); text: as Django
                                                     writes at a terminal. Unset: json in web, worker and
                                                     beat, text in commands
CATWALK_LOG_LEVEL         info                       debug, info, warning or error; info logs every request
CATWALK_METRICS_TOKEN     (unset)                    bearer token for /metrics. Unset: only the address
                                                     decides
CATWALK_METRICS_FROM      127.0.0.1,::1              addresses and networks that may read /metrics without a
                                                     token, with commas; may be empty
CATWALK_BIND              127.0.0.1:8000             address on which the web server listens, or unix:/path;
                                                     with commas
CATWALK_WEB_WORKERS       2                          processes of the web server
CATWALK_WEB_THREADS       8                          threads of each process, and its connections to the
                                                     database
CATWALK_KEEP              0                          seconds for which a database connection stays open for
                                                     the next request; casino/wsgi.py sets 600
CATWALK_DEBUG             0                          1 shows errors with their source: never where others can
                                                     reach it
"""

import os
from datetime import timedelta
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import SimpleLazyObject

from casino.runtime import env
from casino.runtime.operations import logs

BASE_DIR = Path(__file__).resolve().parent.parent
CATWALK_DATA = Path(os.environ.get("CATWALK_DATA") or BASE_DIR / ".data").absolute()

DEBUG = os.environ.get("CATWALK_DEBUG", "0") == "1"
SECRET_KEY = os.environ.get("CATWALK_SECRET_KEY") or SimpleLazyObject(lambda: env.kept_secret(CATWALK_DATA))
ALLOWED_HOSTS = os.environ.get("CATWALK_HOSTS", "localhost,127.0.0.1,[::1]").split(",")

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_celery_beat",
    "audit",
    "casino.apps.CasinoConfig",
    "casino.apps.BackOfficeConfig",
    "axes",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
    "csp",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "casino.runtime.operations.request_log.RequestLogMiddleware",
    "casino.runtime.operations.health_views.Probes",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "casino.web.middleware.SecurityHeaders",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "casino.web.middleware.RedirectExpiredLogin",
    "casino.accounts.middleware.LogOutDeactivatedUsers",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",  # pages need a login unless they opt out
    "casino.accounts.middleware.RequireOtpToWrite",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "casino.urls"
WSGI_APPLICATION = "casino.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# "default" connects as the application's role, which cannot change the ledger; "owner" connects as the owner
# of the schema, for migrations.
_urls = (os.environ.get("DATABASE_URL"), os.environ.get("DATABASE_OWNER_URL"))
EMBEDDED = not any(_urls)
if EMBEDDED:
    DATABASES = env.embedded(CATWALK_DATA)
elif _urls[0] and _urls[1]:
    DATABASES = {
        "default": env.from_url(_urls[0], "DATABASE_URL"),
        "owner": env.from_url(_urls[1], "DATABASE_OWNER_URL"),
    }
else:
    raise ImproperlyConfigured(
        "Set DATABASE_URL and DATABASE_OWNER_URL together, or neither for the embedded database."
    )

# The broker carries notifications for the workers (casino/celery.py); a job itself is a row.
EMBEDDED_BROKER = not os.environ.get("CELERY_BROKER_URL")
CELERY_APP = "casino.celery.app"
"""Import path of the Celery app, for code that must not import it."""
CELERY_BROKER_URL = os.environ.get("CELERY_BROKER_URL") or env.embedded_broker(CATWALK_DATA)
CATWALK_JOB_NOTIFIER = "casino.runtime.notify_workers.notify"
CATWALK_PROOFS = (
    "audit.proofs.tables.PROOFS",
    "casino.proofs.tables.PROOFS",
    "casino.proofs.tables.LIBRARIES",
)
"""Import paths of the lists of tables that `manage.py verify` joins (audit/proofs/registry.py)."""

DATABASES["default"] |= {"CONN_MAX_AGE": env.number("CATWALK_KEEP", 0), "CONN_HEALTH_CHECKS": True}

# Users, sessions, and security headers.
AUTH_USER_MODEL = "casino.Person"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("id", "name")},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "login"

PROXIES = env.number("CATWALK_PROXIES", 0)
SECURE = env.is_secure(os.environ.get("CATWALK_SECURE"), ALLOWED_HOSTS, debug=DEBUG)
SESSION_COOKIE_AGE = env.number("CATWALK_SESSION", 43_200)
SESSION_EXPIRE_AT_BROWSER_CLOSE = True
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = SECURE
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = SECURE
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PROXIES else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        **{
            name: ["'self'"]
            for name in ("script-src", "style-src", "img-src", "font-src", "connect-src", "form-action")
        },
        **{name: ["'none'"] for name in ("frame-ancestors", "base-uri", "object-src")},
    }
}
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_FORM_FIELD = (  # otherwise axes looks for the name of the model's field and locks nobody out
    "username"
)
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(seconds=env.number("CATWALK_LOCK", 900))
AXES_RESET_ON_SUCCESS = True
AXES_HANDLER = "casino.accounts.lockout.FailedLoginCounter"
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
AXES_LOCKOUT_TEMPLATE = "registration/locked.html"
OTP_TOTP_ISSUER = "Catwalk"
AXES_CLIENT_IP_CALLABLE = "casino.accounts.client_ip.client_ip"

STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True  # served from the packages, without collectstatic

LOGGING = logs.settings_of(
    os.environ.get("CATWALK_LOG", logs.TEXT), os.environ.get("CATWALK_LOG_LEVEL", "info")
)
METRICS_TOKEN = os.environ.get("CATWALK_METRICS_TOKEN", "")
METRICS_FROM = env.networks(os.environ.get("CATWALK_METRICS_FROM", "127.0.0.1,::1"))

POST_BYTES = env.number("CATWALK_POST_BYTES", 16 * 1024 * 1024, least=1)
API_RATE = env.number("CATWALK_API_RATE", 6000)
API_ADDRESS_RATE = env.number("CATWALK_API_ADDRESS_RATE", 24_000)
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
}
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["casino.api.bearer.BearerToken"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_THROTTLE_CLASSES": ["casino.api.throttle.PerToken"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "casino.api.problems.JsonNegotiation",
    "EXCEPTION_HANDLER": "casino.api.problems.exception_handler",
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_SCHEMA_CLASS": "casino.api.openapi_document.OperationSchema",
}
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.1.0",
    "TITLE": "Catwalk",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SORT_OPERATION_PARAMETERS": False,
    # a browser's session can only read the schema
    "AUTHENTICATION_WHITELIST": ["casino.api.bearer.BearerToken"],
    "POSTPROCESSING_HOOKS": ["casino.api.openapi_document.add_components"],
}

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
USE_TZ = True
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "casino.presentation.formats"
