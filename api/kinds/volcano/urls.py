"""The addresses of REST that are Volcano's own."""

from django.urls import path

from api.kinds.volcano.flows import SnapshotFlows
from api.kinds.volcano.hyper_nodes import SnapshotHyperNodes
from api.kinds.volcano.node_vgpus import SnapshotNodeVgpus
from api.kinds.volcano.objects import SnapshotVolcano
from api.kinds.volcano.queues import SnapshotQueues

urlpatterns = [
    path("snapshots/<int:pk>/volcano/", SnapshotVolcano.as_view(), name="snapshot-volcano"),
    path("snapshots/<int:pk>/queues/", SnapshotQueues.as_view(), name="snapshot-queues"),
    path("snapshots/<int:pk>/hyper-nodes/", SnapshotHyperNodes.as_view(), name="snapshot-hyper-nodes"),
    path("snapshots/<int:pk>/flows/", SnapshotFlows.as_view(), name="snapshot-flows"),
    path(
        "snapshots/<int:pk>/nodes/<str:node>/vgpus/", SnapshotNodeVgpus.as_view(), name="snapshot-node-vgpus"
    ),
]
