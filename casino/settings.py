"""Django settings of Catwalk. What differs between installations comes from environment variables, which
`casino/runtime/environment.py` reads and docs/operations.md lists.
"""

from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path

from django.utils.functional import SimpleLazyObject

from casino.runtime import env, environment
from casino.runtime.operations import logs

BASE_DIR = Path(__file__).resolve().parent.parent
_given = environment.read()
CATWALK_DATA = Path(_given.data or BASE_DIR / ".data").absolute()

DEBUG = _given.debug
SECRET_KEY = _given.secret_key or SimpleLazyObject(lambda: env.kept_secret(CATWALK_DATA))
SECRET_KEY_FALLBACKS = _given.old_keys
ALLOWED_HOSTS = _given.hosts

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
    "casino.web.characters.RefuseBadCharacters",
    "casino.web.unavailable.RefuseWithoutDatabase",
    "casino.api.throttle.RateLimitHeaders",
    "casino.api.bearer.TokenEndHeaders",
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
    "casino.web.replica.RecordWrites",
    "casino.web.middleware.ReadCalendarOnce",
    "casino.web.middleware.AnswerRejectedActions",
    "casino.web.middleware.ExplainMethodNotAllowed",
]
ROOT_URLCONF = "casino.urls"
WSGI_APPLICATION = "casino.wsgi.application"
TEMPLATES = [
    {
        "NAME": "django",
        "BACKEND": "casino.web.template_engine.DjangoTemplates",
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
EMBEDDED = not _given.database_url
DATABASES = env.embedded(CATWALK_DATA) if EMBEDDED else environment.databases(_given)

# The broker carries notifications for the workers (casino/celery.py); a job itself is a row.
EMBEDDED_BROKER = not _given.broker_url
CELERY_APP = "casino.celery.app"
"""Import path of the Celery app, for code that must not import it."""
CELERY_BROKER_URL = _given.broker_url or env.embedded_broker(CATWALK_DATA)
TASK_MEMORY = _given.task_memory
CATWALK_JOB_NOTIFIER = "casino.runtime.notify_workers.notify"
CATWALK_CACHE_REBUILD = "casino.reports.cache_warming.rebuild"
"""Import path of the function that builds cached rows again, so that they can be compared with the cache."""
CATWALK_PROOFS = (
    "audit.proofs.tables.PROOFS",
    "casino.proofs.tables.PROOFS",
    "casino.proofs.tables.LIBRARIES",
)
"""Import paths of the lists that say how `manage.py verify` proves each table (audit/proofs/registry.py)."""

CHECKPOINT_FACTS = _given.checkpoint_facts
CHECKPOINT_COPIES = _given.checkpoint_copies
EXPORT_COPIES = _given.export_copies
FACT_QUEUES = _given.fact_queues

DATABASE_ROLES = _given.database_roles
for _alias in DATABASES.keys() - {"owner"}:
    DATABASES[_alias] |= {"CONN_MAX_AGE": _given.keep, "CONN_HEALTH_CHECKS": True}
DATABASE_ROUTERS = ["casino.runtime.replica_router.ReplicaRouter"]
REPLICA_LAG_SECONDS = _given.replica_lag
GROUP = _given.group

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

OPENID_ISSUER = _given.openid_issuer
OPENID_CLIENT, OPENID_SECRET = _given.openid_client, _given.openid_secret
OPENID_NAME, OPENID_CLAIM, OPENID_CREATE = _given.openid_name, _given.openid_claim, _given.openid_create

PROXIES = _given.proxies
SECURE = env.is_secure(_given.secure, ALLOWED_HOSTS, debug=DEBUG)
SESSION_COOKIE_AGE = _given.session
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
ADDRESS_GUESSES, NAME_GUESSES = _given.address_guesses, _given.name_guesses
AXES_COOLOFF_TIME = timedelta(seconds=_given.lock)
AXES_RESET_ON_SUCCESS = True
AXES_HANDLER = "casino.accounts.lockout.FailedLoginCounter"
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False
AXES_LOCKOUT_TEMPLATE = "registration/locked.html"
OTP_TOTP_ISSUER = "Catwalk"
AXES_CLIENT_IP_CALLABLE = "casino.accounts.client_ip.client_ip"

STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True  # served from the packages, without collectstatic

LOGGING = logs.settings_of(_given.log or logs.TEXT, _given.log_level)
METRICS_TOKEN = _given.metrics_token
METRICS_FROM = [ip_network(part) for part in _given.metrics_from]

# Mail of alerts and exports, and webhooks.
EMAIL_HOST, EMAIL_PORT = _given.mail_host, _given.mail_port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _given.mail_user, _given.mail_password
EMAIL_USE_TLS, EMAIL_USE_SSL = _given.mail_tls == "starttls", _given.mail_tls == "tls"
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = _given.mail_from
MAIL_ATTACHMENT_BYTES = _given.mail_attachment
WEBHOOK_HTTP, WEBHOOK_DAYS = _given.webhook_http, _given.webhook_days
PAGES_URL = env.pages_url(ALLOWED_HOSTS, secure=SECURE)

POST_BYTES = _given.post_bytes
FILE_BYTES = _given.file_bytes
WEB_WORKERS = _given.web_workers
API_RATE = _given.api_rate
API_ADDRESS_RATE = _given.api_address_rate
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "OPTIONS": {"MAX_ENTRIES": 20_000},
    }
}
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "casino.api.signed.MessageSignature",
        "casino.api.bearer.BearerToken",
    ],
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
USE_I18N = False
"""All texts are English. If translations were on, each page would look up its language hundreds of times."""
USE_TZ = True
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "casino.presentation.formats"
