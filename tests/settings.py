"""Settings of the tests: the real ones, on a data folder of their own, with cheap password digests.

The database is a file, not memory, so that several threads and processes meet the same locks as in service.
"""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

if "DATA_DIR" not in os.environ or not os.environ.get("SANDTABLE_TESTS"):
    _folder = tempfile.mkdtemp(prefix="sandtable-tests-")
    os.environ.update(DATA_DIR=_folder, SANDTABLE_TESTS="1", SANDTABLE_LOG_LEVEL="WARNING")
    atexit.register(shutil.rmtree, _folder, ignore_errors=True)

from dashboard.settings import *  # noqa: F403
from dashboard.settings import DATA_DIR, DATABASES, STORAGES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True

if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["TEST"] = {"NAME": str(Path(DATA_DIR) / "test.sqlite3")}
