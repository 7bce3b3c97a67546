"""The addresses of REST that are HAMi's own."""

from django.urls import path

from api.kinds.hami.card_shapes import RunCardShapes
from api.kinds.hami.run_cards import RunCards

urlpatterns = [
    path("runs/<int:pk>/card-shapes/", RunCardShapes.as_view(), name="run-card-shapes"),
    path("runs/<int:pk>/cards/", RunCards.as_view(), name="run-cards"),
]
