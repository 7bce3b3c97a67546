"""Scenarios: create, list, read, change, try, delete. A change names the version that it is based on."""

import re
from http import HTTPStatus
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response

from api.base import ApiView, RowsView
from api.describing import CASCADE, refusals, rows_of
from api.filters import DjangoFilterBackend, ScenarioFilter, SearchFilter
from api.ordering import Ordering
from api.problems import PreconditionRequired, PreconditionUnreadable
from api.query import read_boolean
from api.serializers.scenarios import ScenarioBody, ScenarioChange, ScenarioDetail, ScenarioRow, Validation
from dashboard.models import Scenario
from dashboard.queries import access
from dashboard.services.workspace import scenarios
from dashboard.services.workspace.trying import end_trying, validate_scenario

IF_MATCH = OpenApiParameter(
    "If-Match", str, OpenApiParameter.HEADER, required=True, description="The ETag of the version changed."
)
_ENTITY_TAG = re.compile(r'(?:W/)?"([0-9]{1,18})"')


def tagged(scenario: Scenario, status: int = HTTPStatus.OK, **headers: str) -> Response:
    """Return the scenario with its version as the entity tag."""
    headers["ETag"] = f'"{scenario.version}"'
    return Response(ScenarioDetail(scenario).data, status=status, headers=headers)


def named_version(request: Any, scenario: Scenario) -> int:
    """Return the version that If-Match names. Raises PreconditionRequired, PreconditionUnreadable.

    Of several tags the present version's counts. Proxies that compress make tags weak; ours stay comparable.
    """
    header = request.headers.get("If-Match", "").strip()
    if not header:
        raise PreconditionRequired
    if header == "*":
        return scenario.version
    versions = [int(version) for version in _ENTITY_TAG.findall(header)]
    if not versions:
        raise PreconditionUnreadable
    return scenario.version if scenario.version in versions else versions[0]


class Scenarios(RowsView):
    """All scenarios; POST creates one."""

    serializer_class = ScenarioRow
    filter_backends = [DjangoFilterBackend, SearchFilter, Ordering]
    filterset_class = ScenarioFilter
    search_fields = ["name", "snapshot__name"]
    ordering_fields = {
        "id": "pk",
        "name": "name",
        "snapshot": "snapshot_id",
        "created_at": "created_at",
        "updated_at": "updated_at",
    }
    default_order = ["-updated_at", "-pk"]

    def get_queryset(self) -> Any:
        """Return what the user may see."""
        return access.visible_scenarios(self.request.user).defer("edits")

    @extend_schema(operation_id="scenarios_list", responses={**rows_of(ScenarioRow), **refusals(400)})
    def get(self, request: Any) -> Response:
        """List scenarios, the last changed first."""
        return self.list(request)

    @extend_schema(
        operation_id="scenarios_create",
        request=ScenarioBody,
        responses={201: ScenarioDetail, **refusals(400, 403, 404, 409, 413, 415)},
    )
    def post(self, request: Any) -> Response:
        """Create a scenario."""
        access.require_operator(request.user)
        scenario = scenarios.create_scenario(request.user, self.body(ScenarioBody))
        return tagged(scenario, HTTPStatus.CREATED, Location=reverse("api:scenario", args=[scenario.pk]))


class ScenarioView(ApiView):
    """One scenario."""

    serializer_class = ScenarioDetail

    @extend_schema(operation_id="scenario_get", responses={200: ScenarioDetail, **refusals(404)})
    def get(self, request: Any, pk: int) -> Response:
        """Return the scenario; the header ETag names its version."""
        return tagged(access.get_scenario_or_404(request.user, pk))

    @extend_schema(
        operation_id="scenario_change",
        parameters=[IF_MATCH],
        request=ScenarioChange,
        responses={200: ScenarioDetail, **refusals(400, 403, 404, 409, 412, 413, 415, 428)},
    )
    def patch(self, request: Any, pk: int) -> Response:
        """Change the fields that are sent, if nobody changed the scenario since the version in If-Match."""
        scenario = access.get_scenario_or_404(request.user, pk)
        access.require_operator(request.user)
        version = named_version(request, scenario)
        return tagged(scenarios.update_scenario(scenario, version, self.body(ScenarioChange)))

    @extend_schema(
        operation_id="scenario_delete",
        parameters=[CASCADE],
        responses={204: None, **refusals(400, 403, 404, 409)},
    )
    def delete(self, request: Any, pk: int) -> Response:
        """Delete it; 409 while it has runs, unless `cascade=true`."""
        scenario = access.get_scenario_or_404(request.user, pk)
        cascade = read_boolean(request.query_params, "cascade")
        access.require_deleter(request.user, scenario, cascade=cascade)
        scenarios.delete_scenario(scenario, cascade=cascade)
        return Response(status=HTTPStatus.NO_CONTENT)


class ScenarioValidation(ApiView):
    """Tries a stored scenario."""

    serializer_class = Validation

    @extend_schema(
        operation_id="scenario_validate",
        request=None,
        parameters=[OpenApiParameter("again", bool, description="Try also what somebody has ended.")],
        responses={200: Validation, **refusals(404)},
    )
    def post(self, request: Any, pk: int) -> Response:
        """Say what each edit would change and what is wrong; nothing is stored."""
        scenario = access.get_scenario_or_404(request.user, pk)
        return Response(validate_scenario(scenario, again=read_boolean(request.query_params, "again")))

    @extend_schema(operation_id="scenario_validate_end", responses={204: None, **refusals(403, 404)})
    def delete(self, request: Any, pk: int) -> Response:
        """Let a worker end what it tries of a large cluster's scenario."""
        scenario = access.get_scenario_or_404(request.user, pk)
        access.require_operator(request.user)
        end_trying(scenario)
        return Response(status=HTTPStatus.NO_CONTENT)


class DraftValidation(ApiView):
    """Tries a scenario that is not stored yet."""

    serializer_class = Validation

    @extend_schema(
        operation_id="scenarios_validate",
        request=ScenarioBody,
        responses={200: Validation, **refusals(400, 403, 404, 409, 413, 415)},
    )
    def post(self, request: Any) -> Response:
        """Say what each edit would change and what is wrong; nothing is stored."""
        access.require_operator(request.user)
        draft = scenarios.draft_scenario(self.body(ScenarioBody))
        return Response(validate_scenario(draft))
