"""The addresses of REST that are Volcano's own."""

from django.urls import path

from api.kinds.volcano.objects import SnapshotVolcano
from api.kinds.volcano.queues import SnapshotQueues

urlpatterns = [
    path("snapshots/<int:pk>/volcano/", SnapshotVolcano.as_view(), name="snapshot-volcano"),
    path("snapshots/<int:pk>/queues/", SnapshotQueues.as_view(), name="snapshot-queues"),
]
