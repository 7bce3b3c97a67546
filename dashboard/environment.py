"""The environment variables that configure Sandtable: each has a name, a default and a sentence.

``settings.py`` reads them through ``VARIABLES``, the supervisor passes them on to its children, and
docs/operations.md lists them (a test holds that page to this list). A value that cannot be read stops the
start with its name, never silently with the default.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from dashboard.accounts.oidc import variables as oidc
from dashboard.private_files import OpenToOthers, mend

MEGABYTE = 1024 * 1024
PROJECT = Path(__file__).resolve().parent.parent
"""The folder of a checkout, where Sandtable runs from one."""


def _boolean(text: str) -> bool:
    values = {
        "1": True,
        "true": True,
        "yes": True,
        "on": True,
        "0": False,
        "false": False,
        "no": False,
        "off": False,
    }
    return values[text.strip().lower()]


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _networks(text: str) -> list[str]:
    return [str(ip_network(name)) for name in _names(text)]


def _extenders(text: str) -> list[str]:
    for name in (names := _names(text)):
        parts = urlsplit(name)
        port = parts.port  # Raises ValueError where it is none.
        if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
            raise ValueError("must be URLs such as http://extender.example.com/scheduler")
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise ValueError("must be URLs without user, query and fragment")
    return names


def _clusters(text: str) -> list[str]:
    return [] if text == "-" else [text] if text == "*" else _extenders(text)


def _programs(text: str) -> list[str]:
    for name in (names := _names(text)):
        if not Path(name).is_absolute() or name != os.path.normpath(name):
            raise ValueError("must be absolute paths")
    return names


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError("must be at least 1")
    return number


def _count(text: str) -> int:
    number = int(text)
    if number < 0:
        raise ValueError("must not be negative")
    return number


@dataclass(frozen=True)
class Variable:
    """One environment variable: its default as text ("" where the sentence says what then holds)."""

    name: str
    default: str
    read: Callable[[str], Any]
    sentence: str


VARIABLES = {
    variable.name: variable
    for variable in (
        Variable(
            "DATA_DIR", "data", str, "Folder of everything that is stored; created for its owner alone."
        ),
        Variable(
            "HOST", "127.0.0.1", str, "Address to listen on. Beyond loopback only with a password and hosts."
        ),
        Variable("PORT", "8000", _positive, "Port of the web server."),
        Variable(
            "DATABASE_URL",
            "",
            str,
            "`postgres://user:password@host/name`; SQLite in the data folder if empty.",
        ),
        Variable(
            "RETENTION_DAYS", "0", _count, "Runs older than this and not pinned are pruned; 0 keeps all."
        ),
        Variable(
            "SANDTABLE_AUDIT_DAYS", "365", _count, "Days that the audit log's entries are kept; 0 keeps all."
        ),
        Variable("SANDTABLE_BROKER_URL", "", str, "Redis, Valkey or AMQP; empty starts the embedded Valkey."),
        Variable(
            "SANDTABLE_CHANNEL_LAYER_URL", "", str, "Redis or Valkey of the live stream; the broker if empty."
        ),
        Variable(
            "SANDTABLE_SECRET_KEY", "", str, "Signs sessions; empty generates one into the data folder."
        ),
        Variable(
            "SANDTABLE_ALLOWED_HOSTS",
            "localhost,127.0.0.1,[::1]",
            _names,
            "Host names served, with commas between.",
        ),
        Variable(
            "SANDTABLE_HTTPS",
            "0",
            _boolean,
            "1 behind a proxy that speaks HTTPS: cookies are sent only there.",
        ),
        Variable(
            "SANDTABLE_TRUSTED_PROXIES",
            "",
            _networks,
            "Addresses or networks of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.",
        ),
        Variable(
            "SANDTABLE_DEBUG",
            "0",
            _boolean,
            "1 shows tracebacks and serves unhashed static files: never public.",
        ),
        Variable(
            "SANDTABLE_WORKERS", "", str, "Runs at the same time; empty: one per core, from two to four."
        ),
        Variable("SANDTABLE_LEASE_SECONDS", "15", _positive, "How long a silent worker keeps its run."),
        Variable("SANDTABLE_BODY_LIMIT_MB", "200", _positive, "Largest request body, in MiB."),
        Variable("SANDTABLE_UNPACKED_LIMIT_MB", "2048", _positive, "Largest upload once unpacked, in MiB."),
        Variable(
            "SANDTABLE_ARCHIVE_ENTRY_LIMIT", "10000", _positive, "Most entries in an upload's archives."
        ),
        Variable(
            "SANDTABLE_ARCHIVE_RATIO_LIMIT",
            "200",
            _positive,
            "Most bytes unpacked for one byte of an archive.",
        ),
        Variable(
            "SANDTABLE_ARCHIVE_DEPTH_LIMIT", "16", _positive, "Most folders one in another in an archive."
        ),
        Variable(
            "SANDTABLE_SCHEDULERS",
            "",
            _names,
            "Python packages, with commas between, that bring more schedulers; none if empty.",
        ),
        Variable(
            "SANDTABLE_EXTENDERS",
            "",
            _extenders,
            "URLs, with commas between, below which runs may ask scheduler extenders; none if empty.",
        ),
        Variable(
            "SANDTABLE_EXTENDER_RATE",
            "1000",
            _count,
            "Questions a second to a scenario's extender by one person, in each web process; 0: any number.",
        ),
        Variable(
            "SANDTABLE_CLUSTERS",
            "*",
            _clusters,
            "URLs, with commas between, below which clusters may be connected; `*`: any, `-`: none.",
        ),
        Variable(
            "SANDTABLE_CLUSTER_COMMANDS",
            "",
            _programs,
            "Paths, with commas between, of programs that kubeconfigs may run for credentials; or none.",
        ),
        Variable(
            "SANDTABLE_IN_CLUSTER",
            "0",
            _boolean,
            "1 lets administrators connect the cluster that it runs in, by its pod's service account.",
        ),
        Variable(
            "SANDTABLE_CLUSTER_KEY",
            "",
            str,
            "Encrypts the credentials of connected clusters; empty generates one into the data folder.",
        ),
        *(Variable(*row) for row in oidc.ROWS),
        Variable("SANDTABLE_NODE_LIMIT", "20000", _positive, "Most nodes in one snapshot."),
        Variable("SANDTABLE_POD_LIMIT", "200000", _positive, "Most pods in one snapshot."),
        Variable(
            "SANDTABLE_TRIAL_LIMIT",
            "5000",
            _positive,
            "Most pods and nodes made by edits that are tried before a run.",
        ),
        Variable("SANDTABLE_TRIAL_EDIT_LIMIT", "1000", _positive, "Most edits that are tried before a run."),
        Variable(
            "SANDTABLE_TRIAL_KEPT",
            "250000",
            _positive,
            "Most pods and nodes of clusters that a worker keeps in memory to answer.",
        ),
        Variable(
            "SANDTABLE_TRIAL_MEMORY_MB",
            "2048",
            _positive,
            "Memory in MiB above which a worker that answers keeps only the cluster it was asked about last.",
        ),
        Variable(
            "SANDTABLE_TRACES",
            "0",
            _boolean,
            "1 sends traces to the OpenTelemetry collector that the `OTEL_` variables name.",
        ),
        Variable("SANDTABLE_LOG_LEVEL", "INFO", str, "DEBUG, INFO, WARNING or ERROR."),
    )
}


def value(name: str) -> Any:
    """The variable's value, read from the environment or else its default."""
    variable = VARIABLES[name]
    text = os.environ.get(name) or variable.default
    try:
        return variable.read(text)
    except (ValueError, KeyError) as error:
        raise ImproperlyConfigured(f"{name}={text!r} cannot be read: {variable.sentence}") from error


@contextmanager
def address(name: str) -> Iterator[None]:
    """Read the variable's address within; one that cannot be read is not repeated: it may hold a password."""
    try:
        yield
    except (ValueError, KeyError):
        raise ImproperlyConfigured(f"{name} cannot be read: {VARIABLES[name].sentence}") from None


def password_in(name: str, url: str) -> str | None:
    """The password in the address of the variable, None if there is none."""
    with address(name):
        return urlsplit(url).password


def shared_path() -> Path:
    """Where the templates and static files are: in a wheel, what lies beside the packages in a checkout."""
    packaged = Path(__file__).resolve().parent / "shared"
    return packaged if packaged.exists() else PROJECT


def data_path(project: Path) -> Path:
    """Where the data folder is or will be; relative paths start at the project.

    An installed package has no project: there they start at the present folder, and what is stored lies in
    the user's own folder for data (XDG_DATA_HOME) where nobody says otherwise.
    """
    if (project / "manage.py").exists():
        return (project / Path(value("DATA_DIR")).expanduser()).resolve()
    if os.environ.get("DATA_DIR"):
        return Path(value("DATA_DIR")).expanduser().resolve()
    shared = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(shared) / "sandtable"


def data_folder(project: Path) -> Path:
    """The data folder with its logs, closed to others; ImproperlyConfigured if that fails."""
    folder = data_path(project)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        mend(folder, _say)
        (folder / "logs").mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"DATA_DIR={value('DATA_DIR')} cannot be used: {error}.") from None
    except OpenToOthers as error:
        raise ImproperlyConfigured(f"DATA_DIR={value('DATA_DIR')} cannot be used: {error}") from None
    return folder


def _say(line: str) -> None:
    """Tell on the terminal what there is no log for yet; a closed one keeps nobody from starting."""
    with suppress(OSError, ValueError):
        sys.stderr.write(f"{line}\n")


def write_private(path: Path, text: str) -> None:
    """Write the file whole or not at all, readable by its owner alone."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def kept_secret(path: Path, generate: Callable[[], str]) -> str:
    """The secret in the file; the first process that asks generates it, all others read the same one."""
    if not path.exists():
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        write_private(temporary, generate())
        try:
            os.link(temporary, path)
        except FileExistsError:
            pass
        finally:
            temporary.unlink()
    return path.read_text().strip()
