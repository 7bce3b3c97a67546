"""Django's settings. Every choice an operator has is an environment variable of ``dashboard.environment``.

Safe without any: not DEBUG, loopback hosts, a secret key generated into the data folder, SQLite in WAL mode.
"""

import os
from importlib import import_module

import dj_database_url
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key
from kombu import Queue

from dashboard import environment, logs, masking
from dashboard.accounts.oidc import configuration as oidc
from dashboard.limits import *  # noqa: F403
from dashboard.limits import BODY_LIMIT_BYTES

BASE_DIR = environment.shared_path()
DATA_DIR = environment.data_folder(environment.PROJECT)

DEBUG = environment.value("SANDTABLE_DEBUG")
SECRET_KEY = environment.value("SANDTABLE_SECRET_KEY") or environment.kept_secret(
    DATA_DIR / "secret_key", get_random_secret_key
)
CLUSTER_KEY = environment.value("SANDTABLE_CLUSTER_KEY") or environment.kept_secret(
    DATA_DIR / "cluster_key", get_random_secret_key
)
ALLOWED_HOSTS = environment.value("SANDTABLE_ALLOWED_HOSTS")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "axes",
    "channels",
    "csp",
    "django_filters",
    "django_htmx",
    "drf_spectacular",
    "rest_framework",
    "dashboard",
    "api",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "dashboard.private_answers.PrivateAnswers",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
    "dashboard.accounts.asker.AnsweredRequest",
    "dashboard.views.put_away.BringsBack",
]

ROOT_URLCONF = "dashboard.urls"
ASGI_APPLICATION = "dashboard.asgi.application"

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
                "dashboard.accounts.context.roles",
            ],
        },
    },
]

# --- database -------------------------------------------------------------------------------------------

SQLITE_OPTIONS = {
    "timeout": 20,
    "transaction_mode": "IMMEDIATE",
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; "
    "PRAGMA journal_size_limit=16777216;",  # the web process keeps the log: it must not stay as large as once
}

# A machine that is cut off says nothing: both sides give a silent connection up, and the server ends what
# such a client has left open, since others wait for its rows. What an address says of its own goes before.
POSTGRESQL_OPTIONS = {
    "connect_timeout": 5,  # seconds
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,  # milliseconds
    "options": "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 "
    "-c tcp_user_timeout=20000 -c idle_in_transaction_session_timeout=300000",
}

if environment.value("DATABASE_URL"):
    with environment.address("DATABASE_URL"):
        DATABASES = {
            "default": dj_database_url.parse(
                environment.value("DATABASE_URL"), conn_max_age=60, conn_health_checks=True
            )
        }
else:
    DATABASES = {
        "default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(DATA_DIR / "sandtable.sqlite3")}
    }
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = SQLITE_OPTIONS
elif DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
    DATABASES["default"]["OPTIONS"] = POSTGRESQL_OPTIONS | DATABASES["default"].get("OPTIONS", {})

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- broker and channel layer ---------------------------------------------------------------------------

REDIS_SCHEMES = ("redis://", "rediss://")
BROKER_URL_FILE = DATA_DIR / "broker_url"  # written by the supervisor while its embedded broker runs


def _broker_url() -> str:
    configured: str = environment.value("SANDTABLE_BROKER_URL")
    if configured:
        return configured
    if BROKER_URL_FILE.exists():
        return BROKER_URL_FILE.read_text().strip()
    return "redis://127.0.0.1:6379/0"


CELERY_BROKER_URL = _broker_url()
CHANNEL_LAYER_URL = environment.value("SANDTABLE_CHANNEL_LAYER_URL") or CELERY_BROKER_URL
if not CHANNEL_LAYER_URL.startswith((*REDIS_SCHEMES, "unix://")):
    raise ImproperlyConfigured("SANDTABLE_CHANNEL_LAYER_URL must name a Redis or Valkey server.")
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [CHANNEL_LAYER_URL], "prefix": "sandtable"},
    },
}

WORKERS = int(environment.value("SANDTABLE_WORKERS") or min(4, max(2, os.cpu_count() or 1)))
SCHEDULER_PACKAGES = environment.value("SANDTABLE_SCHEDULERS")
LEASE_SECONDS = environment.value("SANDTABLE_LEASE_SECONDS")

CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_CONCURRENCY = WORKERS
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 2  # seconds; a run that is cut short resumes from its last chunk
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True  # late acknowledgements only: none
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# Of AMQP: a machine that is cut off is noticed soon, and a broker that closes a channel (a message waited for
# too long, a queue is gone) is connected to again; the worker would end instead.
CELERY_BROKER_HEARTBEAT = 10  # seconds
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
CELERY_TIMEZONE = "UTC"
# Imports and questions have queues and workers of their own, so that they never wait for runs.
CELERY_TASK_DEFAULT_QUEUE = "sandtable.runs"
CELERY_TASK_ROUTES = {
    "dashboard.import_uploads": {"queue": "sandtable.imports"},
    "dashboard.answer_question": {"queue": "sandtable.answers"},
}
CELERY_TASK_QUEUES = [Queue("sandtable.runs"), Queue("sandtable.imports"), Queue("sandtable.answers")]
# A message only says where to look: it is acknowledged when it is taken, none is taken before a process is
# free, and the broker keeps nothing for later. What is lost with a worker or a broker comes back by its row.
CELERY_TASK_ACKS_LATE = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_DISABLE_PREFETCH = CELERY_BROKER_URL.startswith(REDIS_SCHEMES)
BROKER_SECONDS = 2.0  # how long anybody waits for a broker that says nothing
CELERY_BROKER_CONNECTION_TIMEOUT = BROKER_SECONDS
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {
        "ack_emulation": False,
        "socket_connect_timeout": BROKER_SECONDS,
        "socket_timeout": BROKER_SECONDS,
        "socket_keepalive": True,
    }
    if CELERY_BROKER_URL.startswith(REDIS_SCHEMES)
    else {}
)

# --- signing in -----------------------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "sign-in"
SIGN_IN_LINK_SECONDS = 600
OIDC = oidc.read(environment.value)
PASSWORD_USERS = environment.value("SANDTABLE_PASSWORD_USERS")
"""Who may sign in by a password; None: everybody."""

AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_CLIENT_IP_CALLABLE = "dashboard.client_address.lockout_address"
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "accounts/locked.html"
AXES_VERBOSE = False

# --- security -------------------------------------------------------------------------------------------

SESSION_ENGINE = "dashboard.accounts.sessions"
SESSION_COOKIE_NAME = "sandtable_session"
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_NAME = "sandtable_csrf"
CSRF_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
TRUSTED_PROXIES = environment.value("SANDTABLE_TRUSTED_PROXIES")
if environment.value("SANDTABLE_HTTPS"):
    if not TRUSTED_PROXIES:
        raise ImproperlyConfigured(
            "SANDTABLE_HTTPS=1 needs SANDTABLE_TRUSTED_PROXIES: the address of the proxy that speaks HTTPS, "
            "127.0.0.1 if it is on this machine."
        )
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = 30 * 24 * 3600

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}

# --- uploads and limits ---------------------------------------------------------------------------------

RETENTION_DAYS = environment.value("RETENTION_DAYS")
AUDIT_DAYS = environment.value("SANDTABLE_AUDIT_DAYS")
DATA_UPLOAD_MAX_MEMORY_SIZE = BODY_LIMIT_BYTES
FILE_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024  # of each body and file; the rest waits on disk

# --- static files ---------------------------------------------------------------------------------------

STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "dashboard.static_files.PackageFilesFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "dashboard.static_files.HashedModulesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG

# --- REST -----------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "dashboard.accounts.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_FILTER_BACKENDS": ["django_filters.rest_framework.DjangoFilterBackend"],
}
SPECTACULAR_SETTINGS = {"TITLE": "Sandtable", "VERSION": "1", "SERVE_INCLUDE_SCHEMA": False}

# --- language, time, logs -------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"

masking.keep_secret(
    SECRET_KEY,
    OIDC.client_secret if OIDC else None,
    DATABASES["default"].get("PASSWORD"),
    environment.password_in("SANDTABLE_BROKER_URL", CELERY_BROKER_URL),
    environment.password_in("SANDTABLE_CHANNEL_LAYER_URL", CHANNEL_LAYER_URL),
)
TRACES = environment.value("SANDTABLE_TRACES")
if TRACES:
    try:
        import_module("dashboard.tracing.spans")  # before parts are forked, which share it
    except ImportError:
        raise ImproperlyConfigured(
            "SANDTABLE_TRACES=1 needs more packages: pip install 'sandtable[otel]', "
            "or in a checkout .venv/bin/pip install -r requirements-otel.txt."
        ) from None
DEFAULT_EXCEPTION_REPORTER = "dashboard.failure_report.FailureReport"
LOGGING_CONFIG = None
logs.configure(DATA_DIR / "logs", environment.value("SANDTABLE_LOG_LEVEL"))
