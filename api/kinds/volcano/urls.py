"""The addresses of REST that are Volcano's own."""

from django.urls import path

from api.kinds.volcano.objects import SnapshotVolcano

urlpatterns = [
    path("snapshots/<int:pk>/volcano/", SnapshotVolcano.as_view(), name="snapshot-volcano"),
]
