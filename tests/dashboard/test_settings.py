"""The defaults are safe, a wrong value stops the start, and every variable is documented."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.test import Client

from dashboard.environment import VARIABLES, kept_secret, value, write_private
from tests.cases import for_each
from tests.fixtures.prepared import PROJECT

ASK = "import json; from dashboard import settings; print(json.dumps({expression}, default=str))"


def asked(folder: Path, expression: str, **environment: str) -> object:
    """What the real settings say in a process of their own, with nothing but this environment."""
    bare = {"PATH": os.environ["PATH"], "DATA_DIR": str(folder / "data"), **environment}
    command = [sys.executable, "-c", ASK.format(expression=expression)]
    done = subprocess.run(command, env=bare, cwd=PROJECT, capture_output=True, text=True)
    if done.returncode:
        raise ImproperlyConfigured(done.stderr)
    return json.loads(done.stdout)


def test_the_defaults_are_safe(tmp_path: Path) -> None:
    debug, hosts, key = asked(tmp_path, "[settings.DEBUG, settings.ALLOWED_HOSTS, settings.SECRET_KEY]")
    assert debug is False
    assert hosts == ["localhost", "127.0.0.1", "[::1]"]
    assert len(key) >= 50


def test_the_secret_key_is_generated_once_for_its_owner_alone(tmp_path: Path) -> None:
    first = asked(tmp_path, "settings.SECRET_KEY")
    assert asked(tmp_path, "settings.SECRET_KEY") == first
    key_file = tmp_path / "data" / "secret_key"
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(key_file.parent.stat().st_mode) == 0o700


def test_a_connection_to_postgresql_that_is_cut_off_is_given_up_and_an_address_may_say_otherwise(
    tmp_path: Path,
) -> None:
    url = "postgres://user:password@host/name?connect_timeout=30&sslmode=require"
    options = asked(tmp_path, "settings.DATABASES['default']['OPTIONS']", DATABASE_URL=url)
    assert isinstance(options, dict)
    chosen = {name: options.pop(name) for name in ("connect_timeout", "sslmode")}
    assert {name: str(one) for name, one in chosen.items()} == {
        "connect_timeout": "30",
        "sslmode": "require",
    }
    assert options["tcp_user_timeout"] == 20_000
    assert "-c idle_in_transaction_session_timeout=" in options["options"]


def test_two_processes_that_start_at_once_agree_on_the_secret(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    script = (
        "import sys, secrets, pathlib; from dashboard.environment import kept_secret;"
        "print(kept_secret(pathlib.Path(sys.argv[1]), secrets.token_hex))"
    )
    command = [sys.executable, "-c", script, str(path)]
    started = [subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE) for _ in range(4)]
    secrets = {process.communicate()[0] for process in started}
    assert len(secrets) == 1
    assert kept_secret(path, lambda: "another") == secrets.pop().decode().strip()


def test_the_project_passes_its_checks_and_no_migration_is_missing(db: None) -> None:
    call_command("check", fail_level="WARNING")
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_sqlite_waits_for_its_turn_and_takes_it_at_once(tmp_path: Path) -> None:
    options = asked(tmp_path, "settings.DATABASES['default']['OPTIONS']")
    assert options["timeout"] == 20
    assert options["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in options["init_command"]


def test_another_database_and_broker_are_a_matter_of_the_environment(tmp_path: Path) -> None:
    engine, broker, layer = asked(
        tmp_path,
        "[settings.DATABASES['default']['ENGINE'], settings.CELERY_BROKER_URL, settings.CHANNEL_LAYER_URL]",
        DATABASE_URL="postgres://someone:secret@db.example/sandtable",
        SANDTABLE_BROKER_URL="amqp://queue.example",
        SANDTABLE_CHANNEL_LAYER_URL="redis://cache.example/0",
    )
    assert engine == "django.db.backends.postgresql"
    assert (broker, layer) == ("amqp://queue.example", "redis://cache.example/0")


def test_https_needs_a_proxy_that_is_trusted(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match="SANDTABLE_TRUSTED_PROXIES"):
        asked(tmp_path, "1", SANDTABLE_HTTPS="1")
    proxies, cookie = asked(
        tmp_path,
        "[settings.TRUSTED_PROXIES, settings.SESSION_COOKIE_SECURE]",
        SANDTABLE_HTTPS="1",
        SANDTABLE_TRUSTED_PROXIES="127.0.0.1, 10.0.3.0/24, ::1",
    )
    assert proxies == ["127.0.0.1/32", "10.0.3.0/24", "::1/128"]
    assert cookie is True


def test_a_channel_layer_that_cannot_be_one_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(ImproperlyConfigured, match="SANDTABLE_CHANNEL_LAYER_URL"):
        asked(tmp_path, "1", SANDTABLE_BROKER_URL="amqp://queue.example")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("PORT", "eight"),
        ("PORT", "0"),
        ("SANDTABLE_DEBUG", "perhaps"),
        ("RETENTION_DAYS", "-1"),
        ("SANDTABLE_TRUSTED_PROXIES", "*"),
        ("SANDTABLE_TRUSTED_PROXIES", "proxy.example"),
    ],
)
def test_a_value_that_cannot_be_read_stops_the_start_by_name(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    monkeypatch.setenv(name, text)
    with pytest.raises(ImproperlyConfigured, match=name):
        value(name)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("DATABASE_URL", "postgres://someone:hun/ter@db.example/sandtable"),
        ("DATABASE_URL", "hunter://db.example"),
        ("SANDTABLE_BROKER_URL", "redis://:hun[ter]@127.0.0.1/0"),
    ],
)
def test_an_address_that_cannot_be_read_is_not_repeated(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=f"{name} cannot be read") as refused:
        asked(tmp_path, "1", **{name: text})
    assert "hun" not in str(refused.value)


@for_each(VARIABLES)
def test_every_variable_is_documented(name: str) -> None:
    page = (PROJECT / "docs" / "operations.md").read_text()
    variable = VARIABLES[name]
    assert (
        f"| `{name}` | {f'`{variable.default}`' if variable.default else ''} | {variable.sentence} |" in page
    )


def test_a_private_file_is_for_its_owner_alone_even_when_replaced(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("old")
    path.chmod(0o644)
    write_private(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_pages_allow_no_inline_script_or_style(client: Client, db: None) -> None:
    answer = client.get("/accounts/sign-in/")
    policy = answer.headers["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["Referrer-Policy"] == "same-origin"


def test_an_unknown_host_is_refused(client: Client) -> None:
    assert client.get("/healthz", headers={"host": "evil.example"}).status_code == 400
