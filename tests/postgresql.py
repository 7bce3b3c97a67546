"""``python -m tests.postgresql COMMAND``: run a command with ``DATABASE_URL`` at a PostgreSQL of its own.

The server lives in a temporary folder, listens on loopback alone on a port that is free, asks for a password
and promises nothing about a crash of the machine (fsync off). It ends with the command, however that ends.
PostgreSQL refuses to run as root; for root it runs as `postgres`, or as `nobody` where there is no such user.

If ``DATABASE_URL`` is set already, that server is used and nothing is started. POSTGRESQL_BIN: the folder of
PostgreSQL's programs, if they are in none of the usual ones.
"""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import psycopg

from dashboard.supervisor.lifeline import end_with_parent

START_SECONDS = 30
FOLDERS = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")
UNPRIVILEGED = ("postgres", "nobody")
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "max_connections": "200",
}


def programs() -> Path:
    """The folder of PostgreSQL's programs: POSTGRESQL_BIN, else the newest one installed."""
    chosen = os.environ.get("POSTGRESQL_BIN")
    folders = [Path(chosen)] if chosen else [*_installed(), *_on_the_path()]
    for folder in folders:
        if (folder / "initdb").exists():
            return folder
    raise SystemExit(
        "PostgreSQL's server is not installed: apt-get install postgresql, or set POSTGRESQL_BIN."
    )


@contextmanager
def running_server() -> Iterator[str]:
    """A fresh server; gives the address of its empty database, and stops it afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="sandtable-postgresql-"))
    identity = _identity()
    if identity:
        os.chown(folder, identity["user"], identity["group"])
    try:
        url = _create(folder, identity)
        process = _start(folder, identity)
        try:
            _wait_for(url, process, folder)
            yield url
        finally:
            process.send_signal(signal.SIGINT)  # ends the connections that are left, then itself
            process.wait(START_SECONDS)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _create(folder: Path, identity: dict[str, Any]) -> str:
    """Make the files of a server that sorts texts as a dictionary does, as most do, and choose its port."""
    password = secrets.token_urlsafe(24)
    secret = folder / "password"
    secret.write_text(password)
    if identity:
        os.chown(secret, identity["user"], identity["group"])
    subprocess.run(
        [
            *(str(programs() / "initdb"), "--pgdata", str(folder / "cluster"), "--no-sync"),
            *("--username", "sandtable", "--auth", "scram-sha-256", "--pwfile", str(secret)),
            *("--encoding", "UTF8", "--locale", "C.UTF-8"),
            *("--locale-provider", "icu", "--icu-locale", "en-US"),
        ],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd=folder,
        **identity,
    )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder / "cluster" / "postgresql.auto.conf").write_text(
        "".join(f"{name} = '{value}'\n" for name, value in {**SETTINGS, "port": str(port)}.items())
    )
    return f"postgres://sandtable:{password}@127.0.0.1:{port}/postgres"


def _start(folder: Path, identity: dict[str, Any]) -> subprocess.Popen[bytes]:
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(
            [str(programs() / "postgres"), "-D", str(folder / "cluster")],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=folder,
            start_new_session=True,
            preexec_fn=partial(end_with_parent, os.getpid()),
            **identity,
        )


def _wait_for(url: str, process: subprocess.Popen[bytes], folder: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            log = (folder / "log").read_text()
            assert process.poll() is None, f"PostgreSQL ended at its start:\n{log}"
            assert time.monotonic() < deadline, f"PostgreSQL does not answer:\n{log}"
            time.sleep(0.05)
        else:
            return


def _identity() -> dict[str, Any]:
    """Popen's arguments for a user whom PostgreSQL accepts; none unless this is root."""
    if os.geteuid() != 0:
        return {}
    for name in UNPRIVILEGED:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise SystemExit(f"PostgreSQL refuses root, and there is none of the users {', '.join(UNPRIVILEGED)}.")


def _installed() -> list[Path]:
    found = [folder for pattern in FOLDERS for folder in Path("/").glob(pattern.removeprefix("/"))]
    return sorted(found, key=_version, reverse=True)


def _version(folder: Path) -> int:
    digits = "".join(letter for letter in folder.parent.name if letter.isdigit())
    return int(digits or 0)


def _on_the_path() -> list[Path]:
    found = shutil.which("initdb")
    return [Path(found).resolve().parent] if found else []


def run(command: list[str], environment: dict[str, str]) -> int:
    """Run the command and answer its exit code; whatever asks this to end, it hears Ctrl-C and tidies up."""
    started: list[subprocess.Popen[bytes]] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        if number != signal.SIGINT:  # a terminal sends Ctrl-C to both
            for process in started:
                process.send_signal(signal.SIGINT)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    started.append(subprocess.Popen(command, env=environment))
    return started[0].wait()


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    """Leave the start of the server by its clean-up."""
    raise SystemExit(128 + number)


def main(command: list[str]) -> int:
    """Run the command on PostgreSQL and answer its exit code."""
    wanted = {**os.environ, "SANDTABLE_TESTS_ON": "postgresql"}
    wanted.pop(
        "DJANGO_SETTINGS_MODULE", None
    )  # importing the product has named its own; the tests have theirs
    if os.environ.get("DATABASE_URL"):
        return run(command, wanted)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    with running_server() as url:
        return run(command, {**wanted, "DATABASE_URL": url})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
