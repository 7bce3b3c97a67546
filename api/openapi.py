"""How the OpenAPI document is made; applies to that document alone."""

from api.serializers.finding import KINDS
from dashboard.models import Run, Snapshot
from scheduler_core.events.decisions import SCHEMA_VERSION

DESCRIPTION = """
Snapshots of clusters, scenarios, runs and their decision logs.

Lists are pages `{results, next}`: follow `next` (an address) until it is null. Refusals are
`application/problem+json`. Sign in by session cookie (with CSRF token) or `Authorization: Bearer <token>`.
""".strip()

SETTINGS = {
    # From 3.1 on a schema is JSON Schema of 2020-12: that of the engine's structs as it is.
    "OAS_VERSION": "3.1.1",
    "TITLE": "Sandtable",
    "DESCRIPTION": DESCRIPTION,
    "VERSION": f"1.{SCHEMA_VERSION}",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "FoundKind": KINDS,
        "RunStatus": Run.Status.choices,
        "SnapshotStatus": Snapshot.Status.choices,
    },
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "api.engine_schemas.add_engine_schemas",
    ],
}
