"""The addresses of HAMi's own pages."""

from django.urls import path

from dashboard.kinds.hami.views.compare_cards import compare_cards

urlpatterns = [path("compare/cards/", compare_cards, name="compare-cards")]
