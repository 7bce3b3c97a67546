"""The OpenAPI document, the events' schema, and docs/rest.md agree with what is served."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from drf_spectacular import validation
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer
from drf_spectacular.settings import patched_settings

from api.answer_schemas import BEGINNINGS as OF_ANSWERS
from api.openapi import SETTINGS
from api.views.decisions import KINDS
from scheduler_core.events import decisions, explanation
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits.operations import OPERATIONS, read_edit

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "rest.md"
ROW = re.compile(r"^\| (GET|POST|PATCH|PUT|DELETE) `([^`]*)` \|", re.MULTILINE)


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The OpenAPI document as it is generated."""
    GENERATOR_STATS.reset()
    with patched_settings(SETTINGS):
        return dict(SchemaGenerator().get_schema(request=None, public=True))


def operations(document: dict[str, Any]) -> set[tuple[str, str]]:
    return {
        (method.upper(), re.sub(r"\{pk\}", "{id}", path.removeprefix("/api/v1/")))
        for path, methods in document["paths"].items()
        for method in methods
        if method != "parameters"
    }


def test_the_document_is_generated_without_warnings(document: dict[str, Any], capsys: Any) -> None:
    assert not GENERATOR_STATS, capsys.readouterr().err


def test_the_document_is_valid_openapi(document: dict[str, Any]) -> None:
    specification = Path(validation.__file__).with_name("openapi_3_1_schema.json")
    rendered = json.loads(OpenApiJsonRenderer().render(document))
    assert rendered["openapi"].startswith("3.1")
    jsonschema_rs.validator_for(json.loads(specification.read_text())).validate(rendered)
    with pytest.raises(jsonschema_rs.ValidationError):
        jsonschema_rs.validate(json.loads(specification.read_text()), {**rendered, "paths": []})


def test_every_address_is_documented_and_every_documented_address_is_served(document: dict[str, Any]) -> None:
    rows = ROW.findall(DOCUMENTATION.read_text())
    # An address with a slash before it is another server's shape: HAMi's, for kube-schedulers.
    documented = {(method, address) for method, address in rows if not address.startswith("/")}
    assert documented == operations(document) | {("GET", "schema/")}


def test_every_component_that_is_named_is_there(document: dict[str, Any]) -> None:
    named = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(document)))
    assert named == set(document["components"]["schemas"])


@pytest.mark.parametrize(
    "name", ["ScenarioBodyRequest", "PatchedScenarioChangeRequest", "ScenarioDetail", "RunDetail"]
)
def test_edits_are_told_apart_by_their_operation(document: dict[str, Any], name: str) -> None:
    parts = document["components"]["schemas"]
    assert parts[name]["properties"]["edits"]["items"] == {"$ref": "#/components/schemas/Edit"}
    assert_told_apart(document, "Edit", "op", OPERATIONS)
    assert all(
        "description" in parts[address.rpartition("/")[2]]
        for address in parts["Edit"]["discriminator"]["mapping"].values()
    )


EDITS = [
    {"op": "cordon", "node": "n"},
    {"op": "cordon", "node": "n", "at": 1.5},
    {"op": "cordon"},
    {"op": "cordon", "node": 7},
    {"op": "cordon", "node": "n", "pod": "p"},
    {"op": "explode", "node": "n"},
    {"op": "add", "manifest": {"kind": "Pod"}},
    {"op": "add", "manifest": "kind: Pod"},
    {"op": "add", "manifest": ["Pod"]},
    {"op": "add", "manifest": "", "duration": None},
    {"op": "clone-node", "node": "n", "namePrefix": "m-", "count": 3},
    {"op": "clone-node", "node": "n", "name_prefix": "m-"},
    {"op": "scale", "kind": "Job", "name": "j", "replicas": "3"},
    {"op": "patch", "kind": "Job", "name": "j", "namespace": None, "patch": {"spec": None}},
]


@pytest.mark.parametrize("edit", EDITS, ids=json.dumps)
def test_the_engine_reads_the_edits_that_are_described_and_no_others(
    document: dict[str, Any], edit: Any
) -> None:
    try:
        is_read = bool(read_edit(edit, "timed"))
    except Refused:
        is_read = False
    schema = {"$ref": "#/components/schemas/Edit", "components": document["components"]}
    assert jsonschema.Draft202012Validator(schema).is_valid(edit) == is_read


def assert_told_apart(document: dict[str, Any], name: str, field: str, tags: Any) -> None:
    """A component is one of others, and a field says which."""
    parts = document["components"]["schemas"]
    mapping = parts[name]["discriminator"]["mapping"]
    assert parts[name]["discriminator"]["propertyName"] == field
    assert list(mapping) == list(tags)
    assert parts[name]["oneOf"] == [{"$ref": address} for address in mapping.values()]
    for tag, address in mapping.items():
        assert parts[address.rpartition("/")[2]]["properties"][field] == {"enum": [tag]}


def answered(document: dict[str, Any], path: str) -> dict[str, Any]:
    """The schema of what an address of runs answers."""
    answers = document["paths"][f"/api/v1/runs/{{id}}/{path}"]["get"]["responses"]
    schema: dict[str, Any] = answers["200"]["content"]["application/json"]["schema"]
    return schema


def test_decisions_are_told_apart_by_their_kind(document: dict[str, Any]) -> None:
    page = answered(document, "decisions/")["properties"]["results"]
    assert page["items"] == {"$ref": "#/components/schemas/LogDecision"}
    assert answered(document, "decisions/{seq}/") == {"$ref": "#/components/schemas/WholeDecision"}
    for name in ("LogDecision", "WholeDecision"):
        assert_told_apart(document, name, "kind", KINDS)


def test_a_states_tables_have_the_rows_of_the_engine(document: dict[str, Any]) -> None:
    assert answered(document, "state/")["oneOf"][0] == {"$ref": "#/components/schemas/LogRunState"}
    tables = document["components"]["schemas"]["LogRunState"]["properties"]["tables"]
    rows = {**tables["properties"], **tables["patternProperties"]}
    named = {name: table["additionalProperties"]["$ref"].rpartition("/")[2] for name, table in rows.items()}
    assert named == {
        "nodes": "LogNodeRow", "pods": "LogPodRow", "actors": "LogActorRow", "^waiting/": "LogWaitingRow",
        "groups": "LogGroupRow", "queues": "LogQueueRow", "jobs": "LogJobRow", "^tasks/": "LogTaskRow",
        "claims": "LogClaimRow", "slices": "LogSliceRow", "cards": "LogCardRow", "holdings": "LogHoldingRow",
        "hyper_nodes": "LogHyperNodeRow", "whereabouts": "LogWhereaboutsRow",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("address", "beginning"),
    [("compare/", "Compared"), ("runs/{id}/over-time/", "OverTime"), ("runs/{id}/cards/", "OverTime"),
     ("runs/{id}/waiting/", "Waiting"), ("runs/{id}/answer/", "Answer")],
)  # fmt: skip
def test_answers_of_a_fixed_shape_are_described_field_by_field(
    document: dict[str, Any], address: str, beginning: str
) -> None:
    answer = document["paths"][f"/api/v1/{address}"]["get"]["responses"]["200"]
    root = answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    assert root.startswith(beginning)
    assert_closed(document, root)


def test_the_outcome_of_a_run_is_described_field_by_field(document: dict[str, Any]) -> None:
    outcome = document["components"]["schemas"]["RunDetail"]["properties"]["outcome"]
    assert {"$ref": "#/components/schemas/OutcomeFigures"} in outcome["oneOf"]
    assert_closed(document, "OutcomeFigures")


def assert_closed(document: dict[str, Any], root: str) -> None:
    """No object in a component, or in what it names of the same answer, is left without its fields."""
    parts, waiting, seen = document["components"]["schemas"], [root], set()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        text = json.dumps(parts[name])
        assert parts[name]["properties"], name
        assert '"additionalProperties": {}' not in text, name
        named = set(re.findall(r'"#/components/schemas/([^"]+)"', text))
        waiting += [other for other in named - seen if other.startswith(OF_ANSWERS)]


@pytest.mark.parametrize("name", ["SnapshotRow", "ScenarioRow", "RunDetail"])
def test_who_made_it_may_be_nobody(document: dict[str, Any], name: str) -> None:
    """The samples are nobody's."""
    assert document["components"]["schemas"][name]["properties"]["created_by"]["type"] == ["string", "null"]


def test_every_list_filter_is_documented(document: dict[str, Any]) -> None:
    text = DOCUMENTATION.read_text()
    named = {parameter["name"] for methods in document["paths"].values() for operation in methods.values()
             for parameter in operation.get("parameters", []) if parameter["in"] == "query"}  # fmt: skip
    general = {"cursor"}
    assert [name for name in sorted(named - general) if not re.search(rf"\b{name}\b", text)] == []


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("snapshots/", {"limit", "cursor", "search", "ordering", "status", "is_sample", "content_hash"}),
        (
            "snapshots/{id}/nodes/",
            {"limit", "cursor", "search", "ordering", "object", "zone", "unschedulable"},
        ),
        ("scenarios/", {"limit", "cursor", "search", "ordering", "name", "snapshot"}),
        ("runs/", {"limit", "cursor", "ordering", "status", "pinned"}),
    ],
)
def test_lists_declare_paging_search_sorting_and_filters(
    document: dict[str, Any], path: str, names: set[str]
) -> None:
    listing = document["paths"][f"/api/v1/{path}"]["get"]
    assert names <= {parameter["name"] for parameter in listing["parameters"]}
    page = listing["responses"]["200"]["content"]["application/json"]["schema"]
    assert "Paginated" in page["$ref"]


def test_answers_declare_what_they_hold_at_times(document: dict[str, Any]) -> None:
    parts = document["components"]["schemas"]
    for row in ("NodeRow", "PodRow", "WorkloadRow"):
        assert "object" in parts[row]["properties"]
        assert "object" not in parts[row]["required"]
    assert "more" in parts["EditResult"]["properties"]


@pytest.mark.parametrize(
    ("name", "known"), [("kind", ["attempt", "eviction"]), ("outcome", ["scheduled", "gated", "refused"])]
)
def test_kinds_and_outcomes_are_any_words_of_which_the_known_ones_are_named(
    document: dict[str, Any], name: str, known: list[str]
) -> None:
    for path in ("decisions", "stops"):
        parameters = document["paths"][f"/api/v1/runs/{{id}}/{path}/"]["get"]["parameters"]
        [parameter] = [found for found in parameters if found["name"] == name]
        assert parameter["schema"] == {"type": "string"}
        assert all(word in parameter["description"] for word in known)


def test_the_document_is_served_as_yaml_and_as_json(as_bob: Any) -> None:
    as_yaml = as_bob.get("/api/v1/schema/")
    as_json = as_bob.get("/api/v1/schema/", headers={"Accept": "application/vnd.oai.openapi+json"})
    assert as_yaml.content.startswith(b"openapi: 3")
    assert json.loads(as_json.content)["openapi"].startswith("3")


def test_the_schema_of_events_is_the_engines(as_bob: Any) -> None:
    assert as_bob.get("/api/v1/events/schema/").json() == json.loads(json.dumps(decisions.json_schema()))


def test_the_schema_of_explanations_is_the_engines(as_bob: Any) -> None:
    served = as_bob.get("/api/v1/explanations/schema/").json()
    assert served == json.loads(json.dumps(explanation.json_schema()))
