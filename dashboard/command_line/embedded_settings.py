"""Django's settings where a shell asks and nothing is kept: rows live in memory, no folder is made."""

from dashboard import environment
from dashboard.limits import *  # noqa: F403

INSTALLED_APPS = ["django.contrib.auth", "django.contrib.contenttypes", "dashboard"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
BASE_DIR = environment.shared_path()
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
    }
]
SECRET_KEY = "nothing is signed"  # noqa: S105
SCHEDULER_PACKAGES = environment.value("SANDTABLE_SCHEDULERS")
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"
