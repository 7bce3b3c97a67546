"""How static files are found and named: scripts out of Python packages, and hashed ES modules.

``PackageFilesFinder`` offers exactly the files of ``PACKAGE_FILES``: whole packages would bring megabytes
that no page loads. ``HashedModulesStorage`` writes each file under a name that holds its hash, compressed,
and rewrites the modules' import lines to these names. That takes seconds, so ``collect_static_files`` does
it only where a file has changed since.
"""

import hashlib
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder, get_finders
from django.core.files.storage import FileSystemStorage
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

PACKAGE_FILES = {  # address prefix: (package, folder in it, files)
    "django_htmx": ("django_htmx", "static/django_htmx", ("htmx-2.min.js", "django-htmx.js")),
}
STAMP = ".collected"
"""In STATIC_ROOT: what was collected last; it is missing while that is being done."""


def collect_static_files() -> None:
    """Collect the static files, unless they are there as they would be now."""
    stamp, wanted = Path(settings.STATIC_ROOT) / STAMP, _fingerprint()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(wanted)


def _fingerprint() -> str:
    """Return a hash of all static files and of what makes of them what is served."""
    found = hashlib.sha256(Path(__file__).read_bytes())
    for package in ("django", "whitenoise"):
        found.update(version(package).encode())
    for finder in get_finders():
        for name, storage in sorted(finder.list(None), key=lambda entry: entry[0]):
            found.update(f"\0{getattr(storage, 'prefix', '')}\0{name}\0".encode())
            found.update(Path(storage.path(name)).read_bytes())
    return found.hexdigest()


class PackageFilesFinder(BaseFinder):
    """Finds ``django_htmx/htmx-2.min.js`` and the like in the installed packages."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.storages = {prefix: _storage(prefix) for prefix in PACKAGE_FILES}

    def find(self, path: str, find_all: bool = False, **_: Any) -> str | list[str]:
        prefix, _slash, name = path.partition("/")
        if prefix not in PACKAGE_FILES or name not in PACKAGE_FILES[prefix][2]:
            return []
        found = self.storages[prefix].path(name)
        return [found] if find_all else found

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        for prefix, (_package, _folder, names) in PACKAGE_FILES.items():
            for name in names:
                yield name, self.storages[prefix]


class HashedModulesStorage(CompressedManifestStaticFilesStorage):
    """WhiteNoise's compressed, hashed storage that also follows ``import`` lines of ES modules."""

    support_js_module_import_aggregation = True
    # Only our own modules (static/js) are searched for imports: a library's megabytes would be in every pass.
    _js_module_import_aggregation_patterns = (
        "js/*.js",
        CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns[1],
    )
    patterns = tuple(
        pattern for pattern in CompressedManifestStaticFilesStorage.patterns if pattern[0] == "*.css"
    )
    # Each pass settles the names of one more level of importing modules; Django's five passes are too few for
    # ours. Modules that import each other in a circle never settle, and fail here.
    max_post_process_passes = 50


def _storage(prefix: str) -> FileSystemStorage:
    package, folder, _names = PACKAGE_FILES[prefix]
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(package)
    storage = FileSystemStorage(location=str(Path(spec.origin).parent / folder))
    storage.prefix = prefix
    return storage
