"""The addresses of REST that are HAMi's own."""

from django.urls import path

from api.kinds.hami.card_shapes import RunCardShapes
from api.kinds.hami.node_cards import SnapshotNodeCards

urlpatterns = [
    path("runs/<int:pk>/card-shapes/", RunCardShapes.as_view(), name="run-card-shapes"),
    path(
        "snapshots/<int:pk>/nodes/<str:node>/cards/", SnapshotNodeCards.as_view(), name="snapshot-node-cards"
    ),
]
