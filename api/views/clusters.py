"""Connected clusters: connect, look at, read, renew, disconnect."""

from http import HTTPStatus
from typing import Any

from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.response import Response

from api.base import ApiView
from api.describing import refusals
from api.serializers.clusters import ClusterBody, ClusterChange, ClusterSeenBody, ClustersSeen
from api.serializers.snapshots import SnapshotDetail
from dashboard.models import Cluster
from dashboard.queries import access
from dashboard.queries.clusters import cluster_seen, clusters_seen
from dashboard.services.workspace import clusters


class Clusters(ApiView):
    """All connected clusters; POST connects one."""

    serializer_class = ClusterBody

    @extend_schema(operation_id="clusters_list", responses={200: ClustersSeen, **refusals(404)})
    def get(self, request: Any) -> Response:
        """List the connected clusters by name."""
        access.require_viewer(request.user)
        return Response(ClustersSeen({"results": clusters_seen(request.user, timezone.now())}).data)

    @extend_schema(
        operation_id="cluster_connect",
        request=ClusterBody,
        responses={
            201: OpenApiResponse(ClusterSeenBody, "Connected; its first reading is under way."),
            **refusals(400, 403, 404),
        },
    )
    def post(self, request: Any) -> Response:
        """Connect a cluster by a kubeconfig, and begin to read it. For administrators."""
        access.require_admin(request.user)
        sent = self.body(ClusterBody)
        found = clusters.connect_cluster(request.user, sent["way"], name=sent["name"])
        headers = {"Location": reverse("api:cluster", args=[found.pk])}
        return Response(_shown(request, found), status=HTTPStatus.CREATED, headers=headers)


class ClusterView(ApiView):
    """One connected cluster."""

    serializer_class = ClusterChange

    @extend_schema(operation_id="cluster_get", responses={200: ClusterSeenBody, **refusals(404)})
    def get(self, request: Any, pk: int) -> Response:
        """Return what may be read of it, and its last readings."""
        return Response(_shown(request, access.get_cluster_or_404(request.user, pk)))

    @extend_schema(
        operation_id="cluster_change",
        request=ClusterChange,
        responses={200: ClusterSeenBody, **refusals(400, 403, 404)},
    )
    def patch(self, request: Any, pk: int) -> Response:
        """Give it other credentials, which are tried at once, or another schedule. For administrators."""
        access.require_admin(request.user)
        found = access.get_cluster_or_404(request.user, pk)
        sent = self.body(ClusterChange)
        if "way" in sent:
            clusters.renew_cluster(request.user, found, sent["way"])
        if "every" in sent or "keep" in sent:
            every, keep = sent.get("every", found.every), sent.get("keep", found.keep)
            clusters.schedule_cluster(found, every=every, keep=keep)
        return Response(_shown(request, found))

    @extend_schema(operation_id="cluster_disconnect", responses={204: None, **refusals(403, 404)})
    def delete(self, request: Any, pk: int) -> Response:
        """Forget it and its credentials; its snapshots stay. For administrators."""
        access.require_admin(request.user)
        clusters.disconnect_cluster(access.get_cluster_or_404(request.user, pk))
        return Response(status=HTTPStatus.NO_CONTENT)


class ClusterRead(ApiView):
    """Reads a cluster now."""

    serializer_class = SnapshotDetail

    @extend_schema(
        operation_id="cluster_read",
        request=None,
        responses={
            202: OpenApiResponse(SnapshotDetail, "A worker reads it; `progress` tells how far it is."),
            **refusals(403, 404, 409),
        },
    )
    def post(self, request: Any, pk: int) -> Response:
        """Begin a reading and return its snapshot; 409 while one is under way."""
        access.require_operator(request.user)
        found = access.get_cluster_or_404(request.user, pk)
        snapshot = clusters.begin_reading(request.user, found)
        headers = {"Location": reverse("api:snapshot", args=[snapshot.pk])}
        return Response(SnapshotDetail(snapshot).data, status=HTTPStatus.ACCEPTED, headers=headers)


def _shown(request: Any, cluster: Cluster) -> Any:
    return ClusterSeenBody(cluster_seen(request.user, cluster, timezone.now())).data
