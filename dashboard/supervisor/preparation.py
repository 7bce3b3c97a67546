"""Brings a data folder up to date before the server starts: backup, migrations, static files, first account.

1. A database of newer code is refused. If migrations are due and there is something to lose, the database is
   backed up first.
2. Migrations, then the static files under their hashed names, if they have changed.
3. The first administrator (no password yet) and the API token in ``$DATA_DIR/token``.
4. Beyond loopback only when an administrator has a password and the allowed hosts were set.
"""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from dashboard.accounts.first_admin import administrators, first_administrator
from dashboard.accounts.tokens import token_in_file
from dashboard.static_files import collect_static_files

BACKUPS_KEPT = 5


class NotPrepared(Exception):
    """The server must not start; the message says what to do."""


def prepare(public: bool, say: Callable[[str], None]) -> None:
    """Do all four steps; ``public``: the server will listen beyond loopback."""
    migrate(say)
    collect_static_files()
    user = first_administrator()
    token_in_file(user, settings.DATA_DIR / "token")
    if public:
        check_public()


def migrate(say: Callable[[str], None]) -> None:
    """Apply the migrations that are due, after a backup of what is there; refuse what newer code has made."""
    executor = MigrationExecutor(connection)
    refuse_newer(executor.loader)
    due = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if not due:
        return
    if executor.loader.applied_migrations:
        say(f"  {len(due)} migrations are due; {back_up(settings.DATA_DIR / 'backups')}")
    call_command("migrate", interactive=False, verbosity=0)


def refuse_newer(loader: MigrationLoader) -> None:
    """Raise NotPrepared if migrations were applied that this code does not have: it would misread the tables.

    Apps that are no longer installed, and migrations that were squashed since, are no sign of newer code.
    """
    known = set(loader.disk_migrations).union(*(one.replaces for one in loader.disk_migrations.values()))
    installed = {one.label for one in apps.get_app_configs()}
    unknown = [
        f"{app}.{name}" for app, name in sorted(set(loader.applied_migrations) - known) if app in installed
    ]
    if unknown:
        raise NotPrepared(
            "The database was made by a newer Sandtable than this one, which does not know "
            f"{', '.join(unknown)}. Nothing was changed. Start the newer version again, or go back to the "
            "backup from before the upgrade, as docs/operations.md says under Upgrading."
        )


def back_up(folder: Path) -> str:
    """Copy the database into the folder, of which the newest five are kept; say where it went."""
    folder.mkdir(mode=0o700, exist_ok=True)
    stamp = f"{timezone.now():%Y%m%dT%H%M%S%fZ}"
    if connection.vendor == "sqlite":
        target = folder / f"sandtable-{stamp}.sqlite3"
        _back_up_sqlite(target)
    elif shutil.which("pg_dump"):
        target = folder / f"sandtable-{stamp}.dump"
        _back_up_postgres(target)
    else:
        return "no backup was made, because pg_dump is not installed here"
    for old in sorted(folder.glob("sandtable-*"))[:-BACKUPS_KEPT]:
        old.unlink()
    return f"the database was backed up to {target}"


def check_public() -> None:
    """Refuse to listen beyond loopback while nobody could sign in there or the hosts are the default ones."""
    if settings.OIDC is None and not any(user.has_usable_password() for user in administrators()):
        raise NotPrepared(
            "Beyond loopback (HOST) an administrator must have a password first: start without HOST, "
            "sign in by the link, and set one. With a provider (SANDTABLE_OIDC_ISSUER) none is needed."
        )
    if not os.environ.get("SANDTABLE_ALLOWED_HOSTS"):
        raise NotPrepared("Beyond loopback (HOST) the names served must be set: SANDTABLE_ALLOWED_HOSTS=…")


def _back_up_sqlite(target: Path) -> None:
    source = settings.DATABASES["default"]["NAME"]
    with closing(sqlite3.connect(source)) as database, closing(sqlite3.connect(target)) as copy:
        target.chmod(0o600)
        database.backup(copy)


def _back_up_postgres(target: Path) -> None:
    names = {
        "host": "PGHOST",
        "port": "PGPORT",
        "user": "PGUSER",
        "password": "PGPASSWORD",
        "dbname": "PGDATABASE",
        "sslmode": "PGSSLMODE",
        "sslrootcert": "PGSSLROOTCERT",
    }
    parameters = connection.get_connection_params()
    environment = {names[name]: str(value) for name, value in parameters.items() if name in names and value}
    with target.open("wb") as file:
        target.chmod(0o600)
        done = subprocess.run(
            ["pg_dump", "--format=custom"],
            stdout=file,
            env={**os.environ, **environment},
            stderr=subprocess.PIPE,
        )
    if done.returncode:
        target.unlink()
        raise NotPrepared(
            f"Nothing was migrated, because pg_dump could not back up the database: "
            f"{done.stderr.decode(errors='replace').strip()}\n"
            "Back it up yourself, run `python manage.py migrate`, and start again."
        )
