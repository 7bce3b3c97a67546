"""Static files: modules import each other by hashed names, however deep, and packages lend single files."""

import os
import re
import time
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.management import call_command

from dashboard.static_files import collect_static_files

HASHED = {"staticfiles": {"BACKEND": "dashboard.static_files.HashedModulesStorage"}}
DEPTH = 12
NEXT_YEAR = time.time() + 365 * 24 * 3600
"""Newer than what was collected, as collectstatic compares whole seconds."""


@pytest.fixture
def static_source(tmp_path: Path, settings: Any) -> Path:
    """An empty folder of modules that are collected into ``STATIC_ROOT/js``."""
    source = tmp_path / "source" / "js"
    source.mkdir(parents=True)
    settings.STATICFILES_DIRS = [source.parent]
    settings.STATIC_ROOT = tmp_path / "collected"
    settings.STORAGES = {**settings.STORAGES, **HASHED}
    finders.get_finder.cache_clear()
    yield source
    finders.get_finder.cache_clear()


def collected(folder: Path, name: str) -> str:
    """The text of the collected module under its hashed name."""
    (found,) = folder.glob(f"{name}.*.js")
    return found.read_text()


def test_a_deep_chain_of_modules_is_linked_by_hashed_names(static_source: Path, settings: Any) -> None:
    for level in range(DEPTH):
        (static_source / f"m{level:02}.js").write_text(f'import {{ x }} from "./m{level + 1:02}.js";\n')
    (static_source / f"m{DEPTH:02}.js").write_text("export const x = 1;\n")
    call_command("collectstatic", interactive=False, verbosity=0)
    for level in range(DEPTH):
        text = collected(settings.STATIC_ROOT / "js", f"m{level:02}")
        imported = re.search(r'from "\./(m\d\d\.[0-9a-f]{12}\.js)"', text)
        assert imported, text
        assert (settings.STATIC_ROOT / "js" / imported[1]).exists()


def test_only_what_has_changed_is_collected_again(static_source: Path, settings: Any) -> None:
    folder, source = Path(settings.STATIC_ROOT) / "js", static_source / "a.js"
    source.write_text("export const a = 1;\n")
    collect_static_files()
    [first] = folder.glob("a.*.js")
    first.unlink()
    collect_static_files()
    assert not first.exists()
    source.write_text("export const a = 2;\n")
    os.utime(source, (NEXT_YEAR, NEXT_YEAR))
    collect_static_files()
    assert collected(folder, "a") == "export const a = 2;\n"
    (static_source / "b.js").write_text("")
    collect_static_files()
    assert (folder / "b.js").exists()


def test_what_was_left_half_collected_is_collected_again(static_source: Path, settings: Any) -> None:
    (static_source / "a.js").write_text('import { b } from "./b.js";\nexport const a = 1;\n')
    (static_source / "b.js").write_text('import { a } from "./a.js";\nexport const b = 1;\n')
    for _ in range(2):
        with pytest.raises(RuntimeError, match="passes"):
            collect_static_files()


def test_modules_that_import_each_other_are_refused(static_source: Path) -> None:
    (static_source / "a.js").write_text('import { b } from "./b.js";\nexport const a = 1;\n')
    (static_source / "b.js").write_text('import { a } from "./a.js";\nexport const b = 1;\n')
    with pytest.raises(RuntimeError, match="passes"):
        call_command("collectstatic", interactive=False, verbosity=0)


def test_packages_lend_the_files_that_pages_load_and_no_others() -> None:
    assert finders.find("django_htmx/htmx-2.min.js")
    assert not finders.find("django_htmx/htmx-4.min.js")


def test_every_icon_is_drawn_somewhere() -> None:
    root = Path(settings.BASE_DIR)
    sources = ("templates/**/*.html", "static/js/**/*.js", "dashboard/**/*.py")
    said = "".join(path.read_text(encoding="utf-8") for kind in sources for path in root.glob(kind))
    icons = {path.stem for path in (root / "static" / "icons").glob("*.svg")}
    assert icons
    assert {name for name in icons if f'"{name}"' not in said and f"'{name}'" not in said} == set()
