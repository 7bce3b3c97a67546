"""The app's entry in INSTALLED_APPS."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """REST, without models of its own."""

    name = "api"
