"""The same question under a cluster's release of Kubernetes and a newer one."""

from http import HTTPStatus
from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response

from api.base import ApiView
from api.describing import refusals
from api.serializers.upgrading import UpgradeAnswer, UpgradeBody
from api.worker_answers import require_imported
from dashboard.models import Scenario, Snapshot
from dashboard.queries import access
from dashboard.services.workspace.upgrading import run_upgrade

ANSWERS = {201: UpgradeAnswer, **refusals(400, 403, 404, 409, 413, 415)}


class _Upgrade(ApiView):
    serializer_class = UpgradeAnswer

    def started(self, request: Any, original: Snapshot | Scenario) -> Response:
        """Start both runs and return them."""
        made = run_upgrade(request.user, original, self.body(UpgradeBody)["release"])
        compared = f"{reverse('api:compare')}?a={made.older.pk}&b={made.newer.pk}"
        body = {"older": made.older, "newer": made.newer, "notes": made.notes, "compare": compared}
        return Response(UpgradeAnswer(body).data, status=HTTPStatus.CREATED, headers={"Location": compared})


class SnapshotUpgrade(_Upgrade):
    """Tries an upgrade of a cluster."""

    @extend_schema(operation_id="snapshot_upgrade", request=UpgradeBody, responses=ANSWERS)
    def post(self, request: Any, pk: int) -> Response:
        """Run the cluster under its release and a newer one, as two scenarios without edits."""
        snapshot = access.get_snapshot_or_404(request.user, pk)
        access.require_operator(request.user)
        return self.started(request, require_imported(snapshot))


class ScenarioUpgrade(_Upgrade):
    """Tries an upgrade in a scenario."""

    @extend_schema(operation_id="scenario_upgrade", request=UpgradeBody, responses=ANSWERS)
    def post(self, request: Any, pk: int) -> Response:
        """Run the scenario's edits under its cluster's release and a newer one, as two scenarios."""
        scenario = access.get_scenario_or_404(request.user, pk)
        access.require_operator(request.user)
        return self.started(request, scenario)
