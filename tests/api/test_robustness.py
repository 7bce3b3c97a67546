"""Requests that our own schema allows, and many that it does not, are answered as the schema says.

Schemathesis makes them up: no 500, no status or media type that is not described, and no answer of another
shape. Half of the addresses are those of objects that exist.
"""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
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
from tests.portions import tries

EXAMPLES = tries(12)
DECISIONS = 20
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


# Thousands of requests, one for each bound and each kind of value: the stricter database sees them all. A
# draft's body is the same wherever it is sent, and so are its bounds.
schema.config.phases.coverage.enabled = WANTED == "postgresql"
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


@pytest.fixture
def headers(alice: Any, fake_engine: None, monkeypatch: Any) -> Iterator[dict[str, str]]:
    """Alice's token; there is a finished run, and nothing is sent to workers.

    The test's own database connection stays open between requests, unlike in service.
    """
    monkeypatch.setattr("dashboard.services.workspace.runs.send_run", lambda run_id: None)
    monkeypatch.setattr("dashboard.services.workspace.snapshots.send_import", lambda snapshot_id: None)
    monkeypatch.setattr("dashboard.services.workspace.clusters.send_import", lambda snapshot_id: None)
    run = new_run(alice, pods=DECISIONS)
    execute_run(run.pk)
    cluster = Cluster.objects.create(name="prod", address="https://x", sealed=b"x")
    Scenario.objects.update(config=None)  # what scripts the run is no configuration that is one
    sweep = start_sweep(alice, Scenario.objects.get(pk=run.scenario_id), [{"field": "seed", "values": [1]}])
    real.update(
        snapshots=run.snapshot_id,
        scenarios=run.scenario_id,
        runs=run.pk,
        sweeps=sweep.pk,
        clusters=cluster.pk,
    )
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    # Over WSGI Schemathesis asks for packed answers and does not unpack them.
    token = create_token(alice, "tests")[1]
    yield {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@schema.parametrize()
@settings(
    max_examples=EXAMPLES, derandomize=True, database=None,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
def test_every_request_is_answered_as_described(case: Any, headers: dict[str, str]) -> None:
    case.call_and_validate(headers=headers, checks=CHECKS)
