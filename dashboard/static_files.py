"""How static files are found and named: Plotly's own script from its Python package, hashed ES modules.

``PlotlyFinder`` offers exactly one file, ``plotly/plotly.min.js``. ``HashedModulesStorage`` writes each file
under a name that holds its hash, compressed, and rewrites the modules' import lines to these names.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plotly
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

PLOTLY_FILE = "plotly.min.js"


class PlotlyFinder(BaseFinder):
    """Finds ``plotly/plotly.min.js`` in the installed plotly package."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.storage = FileSystemStorage(location=str(Path(plotly.__file__).parent / "package_data"))
        self.storage.prefix = "plotly"

    def find(self, path: str, find_all: bool = False, **_: Any) -> str | list[str]:
        if path != f"plotly/{PLOTLY_FILE}":
            return []
        found = self.storage.path(PLOTLY_FILE)
        return [found] if find_all else found

    def list(self, ignore_patterns: Any) -> Iterator[tuple[str, FileSystemStorage]]:
        yield PLOTLY_FILE, self.storage


class HashedModulesStorage(CompressedManifestStaticFilesStorage):
    """WhiteNoise's compressed, hashed storage that also follows ``import`` lines of ES modules."""

    support_js_module_import_aggregation = True
