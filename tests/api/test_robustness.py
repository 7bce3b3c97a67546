"""Requests that our own schema allows, and many that it does not, are answered as the schema says.

Schemathesis makes them up: no 500, no status or media type that is not described, and no answer of another
shape. Half of the addresses are those of objects that exist. The stricter database alone is asked.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.management import call_command
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.test import override_settings
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.settings import patched_settings
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.config import OperationConfig
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from api.openapi import SETTINGS
from dashboard.accounts.tokens import create_token
from dashboard.models import Cluster, Scenario
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.sweeps.playing import start_sweep
from tests.dashboard.rows import new_run
from tests.fixtures.database import WANTED
from tests.fixtures.people import create_person
from tests.portions import tries

if WANTED != "postgresql":
    pytest.skip("PostgreSQL refuses what SQLite takes, and more", allow_module_level=True)

EXAMPLES = tries(18)
DECISIONS = 20
FAKES = {"SIMULATION_CLASS": "tests.fakes.FakeSimulation"}
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]

real: dict[str, int] = {}
"""The numbers of the objects of the present test."""

with patched_settings(SETTINGS):
    schema = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(request=None, public=True))
schema.app = get_wsgi_application()


@schemathesis.serializer("application/msgpack")
def as_it_is(context: Any, value: Any) -> bytes:
    """Return a body that is bytes already."""
    return value if isinstance(value, bytes) else str(value).encode()


# Thousands of requests, one for each bound and each kind of value. A draft's body is the same wherever it is
# sent, and so are its bounds.
schema.config.phases.coverage.enabled = True
SAME_BODY = ("PATCH /api/v1/scenarios/{id}/", "POST /api/v1/scenarios/validate/")
schema.config.operations.operations += [
    OperationConfig.from_dict({"include-name": name, "phases": {"coverage": {"enabled": False}}})
    for name in SAME_BODY
]


@schema.hook
def map_path_parameters(context: Any, path_parameters: Any) -> Any:
    """Point every second valid address at an object that exists."""
    number = (path_parameters or {}).get("id")
    if type(number) is int and number % 2 == 0:
        path_parameters["id"] = real[context.operation.path.split("/")[3]]
        if type(path_parameters.get("seq")) is int:
            path_parameters["seq"] = 1 + path_parameters["seq"] % (DECISIONS + 2)
        if "node" in path_parameters:
            path_parameters["node"] = "node-1"
    return path_parameters


@pytest.fixture(scope="module")
def kept_rows(django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """A finished run and what belongs to it, made once for all tests; Alice's token. Nobody changes them:
    each test takes back what it did."""
    with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patch, override_settings(**FAKES):
        send_nothing(patch)
        alice = create_person("alice")
        run = new_run(alice, pods=DECISIONS)
        execute_run(run.pk)
        cluster = Cluster.objects.create(name="prod", address="https://x", sealed=b"x")
        Scenario.objects.update(config=None)  # what scripts the run is no configuration that is one
        sweep = start_sweep(
            alice, Scenario.objects.get(pk=run.scenario_id), [{"field": "seed", "values": [1]}]
        )
        real.update(
            snapshots=run.snapshot_id,
            scenarios=run.scenario_id,
            runs=run.pk,
            sweeps=sweep.pk,
            clusters=cluster.pk,
        )
        token = create_token(alice, "tests")[1]
    yield token
    with django_db_blocker.unblock():
        call_command("flush", verbosity=0, interactive=False, inhibit_post_migrate=True)


def send_nothing(patch: pytest.MonkeyPatch) -> None:
    """Leave workers without tasks."""
    patch.setattr("dashboard.services.workspace.runs.send_run", lambda run_id: None)
    patch.setattr("dashboard.services.workspace.snapshots.send_import", lambda snapshot_id: None)
    patch.setattr("dashboard.services.workspace.clusters.send_import", lambda snapshot_id: None)


@pytest.fixture
def headers(
    kept_rows: str, db: None, fake_engine: None, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dict[str, str]]:
    """Those that sign in. The test's own connection stays open between requests, unlike in service."""
    send_nothing(monkeypatch)
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    # Over WSGI Schemathesis asks for packed answers and does not unpack them.
    yield {"Authorization": f"Bearer {kept_rows}", "Accept-Encoding": "identity"}
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@schema.parametrize()
@settings(
    max_examples=EXAMPLES, derandomize=True, database=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
def test_every_request_is_answered_as_described(case: Any, headers: dict[str, str]) -> None:
    case.call_and_validate(headers=headers, checks=CHECKS)
